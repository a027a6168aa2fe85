import type { overview as english } from '../../en/console/overview.ts'
import { counted } from '../words.ts'

export const overview: typeof english = {
  attention: '対応が必要なもの',
  nothing: '対応が必要なものはありません。',
  waiting: {
    failed: (title) => `「${title}」に修正が必要です`,
    mail: (to, _, reason) =>
      `${to === '' ? '' : `${to}宛ての`}メールを送信できませんでした${reason === '' ? '' : `：${reason}`}`,
    period_failed: (title) => `「${title}」は封印されませんでした。ファイルの修正が必要です`,
    item_late: (title) => `担当の項目「${title}」が遅れています`,
    item_sent_back: (title) => `担当の項目「${title}」に修正が必要です`,
    item: (title) => `担当の項目「${title}」の期限が近づいています`,
    review: (title, items) => `「${title}」への回答：レビュー待ち${counted(items, '項目')}`,
    unanswered: (title, items) =>
      `「${title}」への回答：ファイルのない${counted(items, '項目')}。差し戻すか、該当なしにしてください`,
    overdue: (title) => `依頼「${title}」が期限を過ぎています`,
    due: (title) => `依頼「${title}」の期限が近づいています`,
    sent_back: (title, items) => `依頼「${title}」：提出者に差し戻し中${counted(items, '項目')}`,
    question: (title, questions) => `ルーム「${title}」：未回答の質問${counted(questions, '件')}`,
    draft: (title) => `下書き「${title}」に未提出のファイルがあります`,
    share: (title) => `「${title}」の共有の期限が近づいています`,
    key: (title) => `APIキー「${title}」の期限が近づいています`,
    name: () => 'このワークスペースにはまだ名前がありません',
    evidence: (_, kits) =>
      `保存期間ルールにより、${kits < 1000 ? counted(kits, '個') : '1,000個以上'}のキットの証跡が削除されます`,
  },
  more: 'ほかにもあります。「依頼」「提出」「共有」をご覧ください。',
  toReview: 'レビュー待ち',
  recent: '最近の提出',
  first: {
    title: '最初のキットを発行しましょう',
    text: 'キットとは、署名付きの受領証が付いた証跡です。このサービスがあってもなくても、誰でも確認できます。',
    steps: [
      { title: 'ファイルを選択', text: 'アップロードの前に、ブラウザ内でチェックされます。' },
      { title: '提出', text: 'サービスが再度チェックして封印し、数秒でキットを発行します。' },
      {
        title: 'キットを共有',
        text: 'リンクを送ります。受け取った人は、アカウントなしで確認とダウンロードができます。',
      },
    ],
    own: '自分のファイルを使う',
    viewer: '証跡の提出は、メンバーまたはオーナーに依頼してください。あなたの役割では閲覧のみできます。',
  },
}

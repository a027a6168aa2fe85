import type { request as english } from '../en/request.ts'
import { counted } from './words.ts'

export const request: typeof english = {
  title: 'ファイル提出のお願い',
  lead: (who) => `${who}から、次のファイルの提出依頼が届いています。アカウントは不要です。`,
  howTo:
    '項目ごとにファイルを追加してください。ファイルはお使いの端末でチェックされてから、ここに保存されます。このページを閉じても、同じリンクからどの端末でも続けられます。終わったら提出してください。',
  due: '期限：',
  statuses: {
    missing: '未回答',
    collected: '未提出',
    to_review: '提出済み',
    needs_changes: '要修正',
    accepted: '承認済み',
    not_applicable: '該当なし',
  },
  notApplicableBy: (who, reason) => `該当なし（${who}）：${reason}`,
  applies: '該当ありに戻す',
  changes: { added: '今回追加', replaced: '今回変更' },
  removed: (names) => `今回削除：${names.join('、')}`,
  by: { requester: '依頼者', supplier: 'あなた' },
  chooseFiles: 'ファイルを選択',
  addFiles: 'ファイルを追加',
  takePhoto: '写真を撮る',
  chooseFor: (verb, item) => `${item}：${verb}`,
  dropHint: 'またはここにドロップ',
  removeFile: (name) => `${name}を削除`,
  empty: 'このファイルは空です',
  checking: 'チェック中…',
  waiting: '待機中…',
  sending: (name) => `${name}をアップロード中`,
  notSent: 'アップロードされていません：このファイルに問題があります。',
  failed: 'アップロードに失敗しました',
  sendAnyway: 'それでもアップロード',
  secretChecked: '確認しました。キットに含めて構いません。',
  forget: '閉じる',
  forms: {
    comment: {
      open: 'コメント',
      label: (item) => `${item}へのコメント`,
      hint: '例：ファイルのどこを見ればよいか',
      send: 'コメントを送信',
    },
    notApplicable: {
      open: '該当なし',
      label: (item) => `該当なし：${item}`,
      hint: '提出するものがない理由をお書きください。理由は回答の一部になります。',
      send: '理由を保存',
    },
  },
  cancel: 'キャンセル',
  other: 'その他のファイル',
  sender: {
    title: '提出される方について',
    name: 'お名前',
    nameHint: '任意。入力したとおりに、誰も確認していない名前としてキットに記載されます。',
  },
  progress: (answered, items, files) =>
    `${counted(items, '項目')}中${answered}項目に回答済み（${counted(files, '個のファイル')}）`,
  progressLabel: '回答済みの項目',
  submit: '提出',
  submitAnyway: 'このまま提出',
  missing: (titles) =>
    titles.length > 3
      ? `${counted(titles.length, '項目')}にまだファイルがありません。`
      : `まだファイルがない項目：${titles.join('、')}`,
  held: (count) => `${counted(count, '個のファイル')}がアップロードされませんでした。`,
  outcome: {
    running: 'ファイルをチェックしています',
    runningText: '通常は数秒で終わります。',
    failed: '受け付けられないファイルがありました',
    failedText: 'まだ何も提出されていません。次のファイルを削除または差し替えて、もう一度提出してください。',
    damagedText:
      'まだ何も提出されていません。次のファイルを差し替えて、もう一度提出してください。原本がもともとこの状態であれば、そのまま提出できます。その旨がレポートに記載されます。',
    submitDamaged: 'そのまま提出',
    submitted: '提出しました。ありがとうございます。',
    submittedText: (who) =>
      `${who}がファイルを受け取り、レビューします。修正が必要な場合は、ここに表示されます。ファイルの追加忘れがあれば、下から追加してもう一度提出してください。各項目は、${who}が判断するまで変更できます。`,
    changing: '変更はまだ提出されていません',
    changingText: (who) =>
      `${who}には前回の提出内容が表示されています。変更が終わったら、もう一度提出してください。`,
    accepted: 'すべて承認されました',
    settled: '必要な対応はありません',
    acceptedText: (who, accepted, notApplicable) =>
      notApplicable === 0
        ? `${who}が${counted(accepted, '項目')}を承認しました。`
        : `${who}が${counted(accepted, '項目')}を承認しました。${counted(notApplicable, '項目')}は該当なしです。`,
    closed: 'この依頼は締め切られました',
    closedText: (who) => `${who}がこの依頼を締め切りました。ファイルはもう追加できません。`,
    reopened: (items) => `${counted(items, '項目')}に修正が必要です`,
    reopenedText: (who) =>
      `${who}のコメントを読み、ファイルを追加または差し替えて、もう一度提出してください。承認済みの項目はそのままです。`,
  },
  kit: {
    title: '提出内容の控え',
    olderTitle: '前回の提出内容の控え',
    text: '提出されたファイルそのものを、署名付きの受領証とともに封印したアーカイブです。いつ何を送ったかの証拠として保管してください。',
    download: 'kit.zipをダウンロード',
    verify: 'このブラウザで検証',
    details: '検証の内容',
  },
  problems: {
    credits_exhausted:
      '依頼者のアカウントにクレジットが残っていないため、現在ファイルを受け取れません。依頼者にお知らせください。他のファイルは保存されています。',
    upload_too_large: 'ファイルの合計が、依頼者の受け取れる大きさを超えています。依頼者にお知らせください。',
    upload_in_progress: '別のアップロードが先に行われました。もう一度お試しください。',
    link_not_found:
      'このリンクはもう使えません。新しいリンクを依頼者に請求してください。アップロード済みのファイルは保存されています。',
  },
}

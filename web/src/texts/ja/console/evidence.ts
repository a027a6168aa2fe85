import type { evidence as english } from '../../en/console/evidence.ts'
import { counted, number } from '../words.ts'

export const evidence: typeof english = {
  new: {
    lead: 'ファイルを選択してください。ブラウザ内でチェックされ、アップロードは提出時に初めて行われます。',
    label: '件名',
    labelHint: 'レビュー担当者に表示されます。後で比較したいキットには同じ件名を付けてください。',
    labelExample: 'アクセス権レビュー 第3四半期',
    profile: 'プロファイル',
    profileHint: 'プロファイルは、必要なファイルのチェックリストです。',
    attributes: {
      title: 'シリーズ、タグ、外部ID',
      series: 'シリーズ',
      seriesHint: '繰り返し収集する証跡に使います。各キットに前回からの変更が示されます。',
      seriesExample: 'アクセス権レビュー',
      tags: 'タグ',
      tagsHint: '後で探すためのものです。1つごとにEnterを押してください。',
      externalId: '外部ID',
      externalIdHint: 'チケット番号など、お客様側のID。',
    },
    provenance: {
      title: '出所',
      hint: '任意。キットには、検証済みではなく、あなたの申告として表示されます。',
      collector: '収集に使ったもの',
      collectorHint: 'ファイルを収集したツール、または担当者の役割。',
      collectorExample: 'Prowler 5.9',
      period: '対象期間',
      from: '開始日',
      to: '終了日',
      bothDates: '期間は両方の日付を入力するか、どちらも空にしてください。',
      wrongPeriod: '終了日は開始日以降にしてください。',
    },
    dropTitle: 'ファイル、フォルダー、zipアーカイブをここにドロップ',
    dropHint: (limit) => `合計${limit}まで。まだ何もアップロードされません。`,
    reading: 'ファイルを読み取り中…',
    dropMore: 'このページのどこにでもファイルを追加でドロップできます',
    chooseFiles: 'ファイルを選択…',
    chooseFolder: 'フォルダーを選択…',
    nothing: 'ファイルが見つかりませんでした。',
    skipped: (count) =>
      `${counted(count, '個のファイル')}をスキップしました：同じ名前のファイルがこの提出にすでにあります。`,
    unreadable: (why) =>
      `読み取れません（${why}）。「フォルダーを選択…」またはzipアーカイブをお試しください。`,
    filesTitle: (count, size) => `${counted(count, '個のファイル')}、${size}`,
    fileList: '選択したファイル',
    problems: (count, more = false) => `問題${number(count)}件${more ? '以上' : ''}`,
    withProblems: (count) => `問題のあるファイル${counted(count, '個')}`,
    removeFile: (name) => `${name}を外す`,
    sendingFile: (name) => `${name}をアップロード中`,
    sent: 'アップロード済み',
    tooLarge: {
      title: '大きすぎます',
      text: (size, limit) =>
        `ファイルの合計は${size}で、上限は${limit}です。ファイルを減らすか、2つの提出に分けてください。`,
    },
    check: {
      running: 'ブラウザ内でファイルをチェック中',
      goodTitle: '問題は見つかりませんでした。提出できます。',
      goodWithNotices: '提出できます。下の注意をご確認ください。',
      badTitle: (problems) => `${problems}が見つかりました`,
      removeFiles: (count) =>
        count === 1 ? '問題のあるファイルを外す' : `問題のあるファイル${number(count)}個を外す`,
      bad: '次のファイルを修正して、もう一度ドロップしてください。同じ名前のファイルは置き換えられます。まだ何もアップロードされていません。',
      failedTitle: 'ブラウザ内でチェックを実行できませんでした',
      failed: (why) => `このまま提出できます。アップロード後にサービスがファイルをチェックします。（${why}）`,
    },
    accept: {
      secrets: {
        title: '秘密情報の疑いがあるまま提出しますか？',
        text: 'キットを受け取った人は誰でも読むことができ、キットを取り戻すことはできません。ここで了承した内容はキットに記録され、バインダーに表示されます。',
        label: (count) => `確認しました。秘密情報の疑い${counted(count, '件')}を含めて提出します。`,
      },
      files: {
        title: '破損したファイルをそのまま提出しますか？',
        text: 'ここで了承した内容はキットに記録され、バインダーに表示されます。危険なファイルは提出できません。',
        label: (count) =>
          count === 1
            ? '了承しました。ファイルをそのまま提出します。'
            : `了承しました。${count}個のファイルをそのまま提出します。`,
      },
      items: {
        title: '未完了の項目があるまま提出しますか？',
        text: 'プロファイルではさらにファイルが求められています。ここで了承した内容はキットに記録され、バインダーに表示されます。',
        label: (count) => `了承しました。未完了の${counted(count, '項目')}があるまま提出します。`,
      },
    },
    send: '提出',
    sending: 'アップロード中です。このページを開いたままにしてください。',
    sentOf: (sent, all) => `${counted(all, '個のファイル')}のうち${number(sent)}個をアップロード済み`,
    leave: {
      title: '提出せずに移動しますか？',
      text: (count) =>
        `選択した${counted(count, '個のファイル')}はまだ提出されていません。移動すると、選び直す必要があります。`,
      stay: 'とどまる',
      leave: '移動',
    },
    cancel: 'キャンセル',
    cancelled: 'アップロードをキャンセルしました。',
    stoppedTitle: 'アップロードが完了していません',
    stopped: 'アップロード済みのファイルは保持されています。「再開」で残りをアップロードします。',
    retry: '再開',
    notReady: {
      files: '先にファイルを選択してください。',
      label: '先に件名を入力してください。',
      size: 'ファイルが大きすぎます。',
    },
  },
}

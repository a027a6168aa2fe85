import type { MailTexts, MailWords } from './mail-texts.ts'

export const ja: MailTexts = {
  invitation: {
    subject: '{workspace}への招待',
    before: ['{inviter}から、ワークスペース「{workspace}」に{role}として招待されました。'],
    action: '招待を承諾',
    after: [
      'リンクは1回のみ使用でき、有効期限は{expires}です。リンクを知っている人は誰でも使えるため、このメールを転送しないでください。',
      '心当たりがない場合は、このメールを無視してください。',
    ],
  },
  request: {
    subject: '{workspace}からの証跡提出のお願い：{title}',
    before: [
      '{workspace}から、証跡の提出依頼が届いています：{title}',
      '{message}',
      '項目：{items}',
      '期限：{due}',
    ],
    action: '依頼を開く',
    after: [
      'アカウントは不要です。リンクを知っている人は誰でもあなたに代わってアップロードできるため、担当者以外には転送しないでください。',
    ],
  },
  reminder: {
    subject: 'リマインド：{title}（{when}）',
    before: [
      '{workspace}から依頼された証跡「{title}」についてのお知らせです。{when}。',
      '期限：{due}',
      '未完了の項目：{open}',
    ],
    action: '依頼を開く',
    after: [],
  },
  period: {
    subject: '{title}（{when}）',
    before: [
      '{workspace}の「{title}」についてのお知らせです。{when}。',
      '{message}',
      '担当の項目：{items}',
      '期限：{due}',
    ],
    action: '期間を開く',
    after: [],
  },
  result: {
    subject: '{title}：{result}',
    before: ['{title}（{workspace}）：{result}。', '{advice}'],
    action: '開く',
    after: [],
  },
  share: {
    subject: '{workspace}から証跡が共有されました：{title}',
    before: ['{workspace}から証跡が共有されました：{title}', '{note}', '{password}'],
    action: '共有を開く',
    after: [
      'ページを開くと、ブラウザ内でファイルが検証されます。アカウントは不要です。',
      'このリンクはあなた専用に作られ、使われると送信者にわかります。期限は{expires}です。リンクを知っている人は誰でも共有を開けます。',
    ],
  },
  key_revocation: {
    subject: '署名鍵の失効：{kits}個のキットが影響を受けます',
    before: [
      '署名鍵{kid}は{revoked}に失効しました。この鍵は、{workspace}の{kits}個のキットの署名に使われています。',
      '秘密鍵は{since}以降、他人の手に渡っていた可能性があります。それより前のものと証明できるキットは、引き続き有効です。',
      '検証ツールは現在、これらのキットを失効した鍵による署名として報告します。新しい鍵で再発行できます。',
    ],
    action: '影響を受けるキットを表示',
    after: [],
  },
  webhook_disabled: {
    subject: 'Webhookが無効になりました：{url}',
    before: [
      '{workspace}のWebhook {url} は{since}から失敗が続いたため、無効になりました。',
      '最後の問題：{problem}',
      'イベントは失われません。受信側が復旧したらWebhookを有効にしてください。止まったところから続きます。',
    ],
    action: 'ワークスペースを開く',
    after: [],
  },
  test: {
    subject: '{issuer}からのテストメール',
    before: [
      'このメールは、{issuer}の運用者であり{workspace}のメンバーであるあなたの操作により送信されました。サービスからメールを送信できます。',
    ],
    action: 'サービスのページを開く',
    after: [],
  },
  access_reset: {
    subject: '{workspace}へのアクセスがリセットされました',
    before: [
      '運用者{operator}が、ワークスペース「{workspace}」のあなたのパスキーを削除し、セッションを終了しました。',
      'リンクを開いてサインインし、新しいパスキーを追加してください。',
    ],
    action: 'サインイン',
    after: [
      'リンクは1回のみ使用でき、有効期限は{expires}です。リンクを知っている人は誰でも使えるため、このメールを転送しないでください。',
      '依頼した覚えがない場合は、ワークスペースのオーナーに知らせてください。監査ログに運用者の名前があります。',
    ],
  },
}

export const words: MailWords = {
  unsubscribe: '{workspace}からのメールの配信を停止',
  unsubscribeText: '{workspace}からのメールの配信停止：{url}',
  phrases: {
    notComplete: 'まだ完了していません',
    overdue: '期限を過ぎています',
    today: '本日が期限です',
    tomorrow: '明日が期限です',
    inDays: '期限まであと{}日です',
    open: '受付を開始しました',
    needsChanges: '修正が必要です',
    accepted: '承認されました',
    submitted: '提出者が提出しました',
    wrote: '{}がこのルームに投稿しました',
    reviewerWrote: 'レビュー担当者がこのルームに投稿しました',
    downloadedShare: '{}がこの共有からダウンロードしました',
    downloadedRoom: '{}がこのルームからダウンロードしました',
    someoneShare: 'リンクを知っている人がこの共有からダウンロードしました',
    someoneRoom: 'リンクを知っている人がこのルームからダウンロードしました',
    nothingLeft: '必要な対応はありません。',
    seeComments: '依頼を開いてコメントをご覧ください。',
    seePeriod: '期間を開いてコメントをご覧ください。',
    acceptOrReturn: '項目を承認するか、コメントを付けて差し戻してください。',
    readAndAnswer: 'ルームを開いて内容を確認し、回答してください。',
    accessLog: 'すべてのダウンロードはアクセスログにあります。',
    password: 'パスワードも必要です。{}に問い合わせてください。',
    operator: 'このサービスの運用者',
    owner: 'オーナー',
    manager: 'マネージャー',
    member: 'メンバー',
    viewer: '閲覧者',
  },
}

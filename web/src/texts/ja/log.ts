import type { log as english } from '../en/log.ts'

export const log: typeof english = {
  title: '透明性ログ',
  lead: 'すべての受領証と、署名鍵のすべての変更が、このログに記録されます。記録は変更も削除もされません。それは誰でも確認できます。',
  unavailable: 'ログを読み込めませんでした。',
  notSigned: 'チェックポイントがこのログの鍵で署名されていません。信頼しないでください。',
  frozenTitle: 'ログは凍結されています',
  frozen: (since) =>
    `ログに欠けがないことを先に確認する必要があるため、${since}以降は何も追加されていません。それ以前に発行されたものは引き続き有効です。`,
  checkpoint: '最新のチェックポイント',
  size: '記録数',
  last: '最後の記録',
  origin: '名前',
  root: 'ルートハッシュ',
  key: 'ログの鍵',
  signature: '署名',
  signed: '有効（このブラウザで確認）',
  unsigned: '無効',
  growth: '1日あたりの新しい記録',
  witnesses: {
    title: 'ウィットネス',
    lead: 'ログが追記だけで増えていることを確認し、チェックポイントに連署する独立した第三者です。ウィットネスの鍵は、このサイトからではなく本人から入手してください。',
    none: 'このログに連署するウィットネスはありません。ログが変更されても、気付けるのはログを監視している人だけです。',
    name: 'ウィットネス',
    key: '鍵',
    seen: '連署',
    notYet: 'まだなし',
  },
  monitor: {
    title: '監視する',
    text: '次のコマンドは、新しい記録と、変更や削除がないことを確認します。ご自身のマシンで数分おきに実行してください。',
    command: (issuer) => `kitseal monitor ${issuer}`,
    what: 'コマンド',
    guide: '5分で監視を始める',
    files: '他のソフトウェア向け（C2SPの形式）：',
  },
}

import type { share as english } from '../en/share.ts'
import { counted } from './words.ts'

export const share: typeof english = {
  title: '共有されたキット',
  sharedBy: (who) => `${who}が共有しました。`,
  verifies: 'お使いのブラウザがキットを検証します。',
  downloadKit: (size) => `キットをダウンロード（${size}）`,
  aboutKit: 'このキットについて',
  aboutFiles: 'これらのファイルについて',
  facts: {
    issuer: '発行者',
    supplier: '提出者',
    requester: '依頼者',
    name: '件名',
    issued: '発行日時',
    expires: 'リンクの期限',
    downloadsLeft: '残りの閲覧回数（今回を含む）',
    kitId: 'キットID',
  },
  unknownSupplier: '記載なし',
  files: (count) => counted(count, '個のファイル'),
  otherFiles: (count) =>
    `その他${counted(count, '個のファイル')}：マニフェスト、受領証、バインダー、検証ツールなど`,
  how: '検証の内容',
  notYet: '未検証',
  large: '検証では全体を読み取ります。ブラウザに同じ量の空きメモリが必要です。',
  verifyNow: (size) => `${size}を検証`,
  notVerified: '検証できませんでした',
  checkingFiles: (done, all) => `${counted(all, '個のファイル')}のうち${done}個目を検証中…`,
  filesVerified: (count) => `検証済み：${counted(count, '個のファイル')}`,
  filesVerifiedText: (key) =>
    `どのファイルにも変更はなく、${key}で署名されたキットに属しています。キットの他のファイルは共有されていません。`,
  erased: (day) => `ファイルは${day}に削除されました`,
  erasedText: 'このキットのファイルは、サービスにはもうありません。お手元のコピーは引き続き検証できます。',
  exhausted: 'ファイルが再び必要な場合は、上限を引き上げるよう送信者に依頼してください。',
  keyRevoked: (day) => `署名鍵は${day}に失効しています`,
  keyRevokedText:
    '発行者は、この鍵による署名をもう保証していません。再発行されたキットを送信者に依頼してください。',
  yourself: 'ご自身で検証する',
  yourselfKit: (keys) => `キットと${keys}をダウンロードすると、このサービスを使わずに検証できます。`,
  yourselfFiles: (keys) =>
    `ファイル、ファイル証明、${keys}をダウンロードすると、このサービスを使わずに検証できます。`,
  command: 'コマンド',
  password: {
    title: 'パスワードが必要です',
    lead: 'この共有は送信者によりパスワードで保護されています。',
    label: 'パスワード',
    open: '開く',
  },
}

import type { verify as english } from '../en/verify.ts'
import { counted } from './words.ts'

export const verify: typeof english = {
  title: 'キットを検証',
  lead: '検証はお使いのブラウザ内で、このサイトが自身のキット用に公開している鍵、またはご自身で指定した鍵を使って行われます。ファイルがアップロードされることはありません。',
  dropTitle: 'kit.zip、展開したキットのフォルダー、またはreceipt.jsonをここにドロップ',
  dropHint: 'ファイルがこのコンピューターの外に送られることはありません。',
  chooseFile: 'ファイルを選択…',
  chooseFolder: 'フォルダーを選択…',
  oneAtATime: '複数の受領証が選択されています。キットまたはreceipt.jsonを1つだけ選択してください。',
  unreadable: (why) => `読み取れません（${why}）。代わりにkit.zipをお試しください。`,
  oldBrowser:
    'このブラウザはEd25519署名に対応していないため、どのキットも検証に失敗します。Chrome、Edge、Firefox、Safariの最新版を、HTTPSまたはlocalhostでお使いください。',
  keysTitle: (count) => `このサイトの公開鍵（${counted(count, '個')}）`,
  keysMissing: '検証できません：このサービスの公開鍵を読み込めませんでした。',
  working: (name) => `${name}を検証中`,
  progress: (done, all) => `${done}／${all}`,
  askIssuer: '次のアドレスが発行者のものと確認できている場合は、そのページで検証してください。',
  stop: '中止',
  stopped: '中止しました。何も検証されていません。',
  failed: (why) => `検証が完了しなかったため、何も検証されていません：${why}`,
  named: {
    title: 'このキットを検証',
    lead: 'このページは、特定のキットを検証するためのものです。お手元のコピーをドロップすると、発行されたものと照合します。ファイルがアップロードされることはありません。',
    about: 'キット',
    kitId: 'キットID',
    loading: '受領証を読み込み中',
    known: '公開されている受領証',
    hashes: 'ハッシュ値',
    unknownTitle: '公開されている受領証はありません',
    unknown:
      'このサービスにこのキットがないか、ワークスペースが非公開にしています。お手元のコピーは、引き続き検証できます。',
    invalid: 'このリンクのキットIDは正しくありません。キットIDは、「kit_」の後に22文字以上が続く形式です。',
    erased: (day, by) => `${day}に証跡を消去（${by}）`,
    erasedByRule: (rule) => `保存期間ルール：${rule}`,
    erasedByOrder: '所有者の指示',
    erasedText:
      'このキットのファイルは、サービスにはもうありません。お手元のコピーは引き続き検証できます。消去記録には発行者の署名があります。',
    agree: (host) => `受領証は、このサイト（${host}）が公開している鍵で署名されています。`,
    dropTitle: 'お手元のkit.zip、または展開したキットのフォルダーをここにドロップ',
  },
}

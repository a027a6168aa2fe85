import type { Rules } from '../evidence-texts.ts'

const NOTHING = '対応は不要です。'
const AS_IS = '意図したものであれば、対応は不要です。'
const RESAVE = '開いて保存し直し、新しいファイルをアップロードしてください。'
const SPLIT = '複数の提出に分けてください。'

export const rules: Rules = {
  empty_submission: {
    message: '提出にファイルがありません。',
    remedy: 'ファイルを1つ以上アップロードしてください。',
  },
  empty_file: {
    message: 'ファイルが空です。この種類のファイルは空にできません。',
    remedy: '内容のあるファイルをアップロードするか、外してください。',
  },
  empty_text: {
    message: 'ファイルが空です。',
    remedy: '何も検出しなかったスキャナーの出力など、空で正しければ対応は不要です。',
  },
  empty_archive: {
    message: 'アーカイブにファイルがありません。',
    remedy: 'ファイルを1つ以上アップロードしてください。',
  },
  unsupported_type: {
    message: 'この種類のファイルは受け付けますが、検査はされません。',
    remedy: `${NOTHING}レビュー担当者が開けないおそれがあれば、PDFまたはテキストでの出力も追加してください。`,
  },
  partly_examined: {
    message: 'ファイルの一部は検査されていません。',
    remedy: `${NOTHING}全体の検査が必要な場合は、ファイルを分割してください。`,
  },
  not_examined_in_time: {
    message: 'ファイルの検査に、許可された量を超える作業が必要です。',
    remedy: 'ファイルを外すか、内容を別の形で送ってください。',
  },
  type_mismatch: {
    message: '内容がファイルの拡張子と一致しません。',
    remedy: '正しいファイルか確認してください。可能であれば、拡張子を内容に合わせてください。',
  },
  control_characters: {
    message: 'テキストにNULなどの制御文字が含まれています。',
    remedy: `${NOTHING}ソフトによっては、全体が表示されないことがあります。`,
  },
  executable_content: {
    message: 'ファイルがプログラムであるか、プログラムを含むか、プログラムの拡張子を持っています。',
    remedy:
      'プログラムを取り除いてください。その存在を証明するには、ハッシュ値をテキストファイルでアップロードしてください。',
  },
  script_content: {
    message: 'ファイルはスクリプトまたはソースコードです。',
    remedy: `${NOTHING}レビュー担当者は実行しないでください。`,
  },
  macros: {
    message: 'Officeファイルにマクロが含まれています。',
    remedy: 'マクロなし（DOCX、XLSX、PPTX、ODT、ODS）またはPDFで保存してください。',
  },
  encrypted_archive: {
    message: 'アーカイブ内のこのファイルは暗号化されています。',
    remedy: 'パスワードなしで圧縮し直してください。',
  },
  encrypted_pdf: {
    message: 'このPDFにはパスワードが必要です。',
    remedy: 'パスワードなしで保存してください。',
  },
  encrypted_office: {
    message: 'Officeファイルがパスワードで保護されています。',
    remedy: 'パスワードなしで保存してください。',
  },
  unreadable_archive: {
    message:
      'アーカイブが破損しているか、あいまいです。ソフトによって異なる内容が読み取られる可能性があります。',
    remedy: '一般的なツールの最新版で圧縮し直してください。',
  },
  irregular_archive: {
    message: 'アーカイブの形式は正しくありませんが、一般的なソフトでは同じファイルが読み取られます。',
    remedy: '圧縮し直してください。ソフトが読み飛ばす部分は検査されず、キットにも含まれません。',
  },
  archive_method: {
    message: 'アーカイブが、広く対応していない圧縮方式を使っています。',
    remedy: '多くのツールの既定であるdeflateで圧縮し直してください。',
  },
  name_traversal: {
    message: '名前に「..」が含まれ、フォルダーの外を指しています。',
    remedy: 'フォルダーの中からファイルを圧縮してください。',
  },
  name_absolute: {
    message: '名前が絶対パスです。',
    remedy: '相対パスで圧縮してください。',
  },
  name_backslash: {
    message:
      '名前に、Windowsでのみフォルダーの区切りとなるバックスラッシュが含まれています。キットでは区切りとして扱われます。',
    remedy:
      'フォルダーの区切りを「/」にして圧縮し直してください。Windowsエクスプローラー、7-Zip、PowerShell 7は対応しています。古いCompress-Archiveと.NETは対応していません。',
  },
  name_not_unicode: {
    message: '名前の文字コードが不明です。',
    remedy: 'UTF-8で名前を書き込むツールで圧縮し直すか、ASCII文字だけを使ってください。',
  },
  name_decoded: {
    message:
      'アーカイブ内の名前にUTF-8の印がありません。推定した名前であり、ソフトによって別の名前が表示されることがあります。',
    remedy: '名前が正しいか確認してください。一般的なツールの最新版は、UTF-8で名前を書き込みます。',
  },
  name_changed: {
    message: '名前の一部の末尾にピリオドまたは空白があります。キットでは、Windowsと同様に取り除かれます。',
    remedy: NOTHING,
  },
  name_unportable: {
    message: '名前に、Windowsでは保存できない文字があります。',
    remedy: `${NOTHING}Windowsのレビュー担当者には、文字を置き換えるソフトが必要な場合があります。`,
  },
  name_forbidden: {
    message: 'すべてのOSで有効な名前ではありません。',
    remedy:
      '名前を変えてください：制御文字、Windowsの予約名、ピリオドと空白だけの部分は使えません。各部分は255バイトまで、全体で1,024バイトまでです。',
  },
  name_direction: {
    message: '名前に、文字の方向を変えて見た目を偽れる不可視文字が含まれています。',
    remedy: 'それらを使わずに名前を入力し直してください。',
  },
  name_collision: {
    message: '同じ名前、または一部のOSで同じとみなされる名前のファイルが、ほかにあります。',
    remedy: 'どちらかの名前を変えてください。',
  },
  link: {
    message: 'この項目はファイルではなくリンクです。',
    remedy: '代わりに、リンク先のファイルを圧縮してください。',
  },
  special_file: { message: 'この項目はファイルでもフォルダーでもありません。', remedy: '外してください。' },
  too_many_entries: { message: '提出のファイルが多すぎます。', remedy: SPLIT },
  too_large_unpacked: { message: '展開後の提出が大きすぎます。', remedy: SPLIT },
  archive_ratio: {
    message: 'アーカイブが、zip爆弾のように、元のサイズよりはるかに大きく展開されます。',
    remedy: '展開したファイルをアップロードするか、外してください。',
  },
  nested_too_deep: {
    message: 'アーカイブまたは文書の入れ子が深すぎます。',
    remedy: '内側のものを展開してください。',
  },
  xml_entities: {
    message: 'XMLが独自のエンティティを宣言しています。展開のしかたはソフトによって異なります。',
    remedy: 'エンティティ宣言なしで出力してください。',
  },
  malformed_pdf: { message: 'PDFが破損しているか、途中で切れています。', remedy: RESAVE },
  malformed_office: { message: 'Officeファイルが破損しています。', remedy: RESAVE },
  malformed_gzip: {
    message: 'gzipファイルが破損しているため、内容は検査されていません。',
    remedy: '圧縮し直すか、展開してアップロードしてください。',
  },
  malformed_image: {
    message: '画像が破損しているか、途中で切れています。',
    remedy: '画像を出力し直してください。',
  },
  active_content: {
    message: 'ファイルには、開いたときに動作するスクリプト、リンク、またはオブジェクトが含まれています。',
    remedy: `${NOTHING}レビュー担当者は、ブラウザで開いたり、実行を許可したりしないでください。`,
  },
  appended_content: {
    message: 'このファイルの後ろに別のファイルが付加されており、そちらを開くソフトがあります。',
    remedy: '付加されたものを除いて保存し直し、別のファイルは個別にアップロードしてください。',
  },
  private_key: {
    message: 'ファイルに秘密鍵が含まれています。',
    remedy: '取り除いてください。誰かに送ったことがある場合は、鍵を交換してください。',
  },
  possible_secret: {
    message: 'ファイルに秘密情報が含まれている可能性があります。',
    remedy:
      '確認してください。本物の秘密情報であればファイルから取り除き、誰かに送った場合は失効させてください。そうでなければ、了承してください。',
  },
  kit_verified: { message: 'これはキットで、検証されました。', remedy: NOTHING },
  kit_unconfirmed: {
    message: 'これはキットです。ファイルに変更はありませんが、発行者の鍵がここには登録されていません。',
    remedy: `${NOTHING}検証するには、発行者の鍵をピン留めしてください。`,
  },
  kit_altered: {
    message: 'これは、発行後に改変されたキットです。',
    remedy: '原本を発行者から入手してください。',
  },
  kit_forged: {
    message: 'これは、記載された発行者が署名していないキットです。',
    remedy: 'このキットを発行したかどうかを、すでにご存じの連絡先で発行者に確認してください。',
  },
  kit_key_revoked: {
    message: 'これは、署名鍵が失効したキットです。',
    remedy: '再発行されたキットを提出者に依頼してください。',
  },
  test_virus: {
    message: 'ファイルにウイルス対策のテスト文字列（EICAR）が含まれています。',
    remedy: '外してください。',
  },
  virus_found: {
    message: 'ウイルススキャナーがマルウェアを検出しました。',
    remedy: 'ファイルを外し、元のコンピューターを調べてもらってください。',
  },
  scan_failed: {
    message: 'ウイルススキャナーがファイルをスキャンできませんでした。',
    remedy: '後でもう一度提出してください。失敗が続く場合は、サービスの運用者に連絡してください。',
  },
  checksum_mismatch: {
    message: 'ファイルが、証跡にあるチェックサムと一致しません。',
    remedy: '正しいファイルをアップロードするか、チェックサムを作り直してください。',
  },
  checksum_file_missing: {
    message: '証跡のチェックサム一覧にあるファイルが見つかりません。',
    remedy: 'ファイルをアップロードするか、チェックサムを作り直してください。',
  },
  checksum_list_malformed: {
    message: 'チェックサム一覧を読み取れません。',
    remedy: `${AS_IS}そうでなければ、\`sha256sum\`で作り直してください。`,
  },
  profile_item_missing: {
    message: 'プロファイルで必須の項目がありません。',
    remedy: '項目のIDのフォルダーにファイルを入れるか、名前の一致するファイルを確認してください。',
  },
  profile_item_too_old: {
    message: '項目の証跡が、プロファイルで許される期間より古いです。',
    remedy:
      '新しく出力したものをアップロードし、収集日（出所）を申告するか、ファイル名に日付（YYYY-MM-DD）を入れてください。',
  },
  profile_item_undated: {
    message:
      'プロファイルは項目の古さを制限していますが、該当するファイルの出所にも名前にも日付がありません。',
    remedy: '収集日（出所）を申告するか、ファイル名に日付（YYYY-MM-DD）を入れてください。',
  },
  provenance_unmatched: {
    message: '証跡にないファイルの出所が申告されています。',
    remedy: 'data/を除いた、キット内のパスでファイルを指定してください。',
  },
  more_findings: {
    message: '一覧にない検出事項がほかにもあります。',
    remedy: `${NOTHING}すべてを見るには、提出を分けてください。`,
  },
  more_blockers: {
    message: '一覧にないブロッカーがほかにもあります。',
    remedy: 'まずこれらを修正し、もう一度提出してください。',
  },
}

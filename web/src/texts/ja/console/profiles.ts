import type { profiles as english } from '../../en/console/profiles.ts'
import { counted } from '../words.ts'

const OR = new Intl.ListFormat('ja', { type: 'disjunction' })

export const profiles: typeof english = {
  checklist: {
    title: (met, required) => `チェックリスト：必須${counted(required, '項目')}中${met}項目`,
    states: { met: '完了', suggested: '要確認', missing: '不足', optional: '任意', open: '未着手' },
    suggestion: (name) => `名前からの候補：${name}`,
    confirm: '確認',
    confirmAs: (name, item) => `（${name}は${item}のファイル）`,
    example: (name) => `例：${name}`,
    wanted: (types, days) => {
      const kinds = OR.format(types)
      if (days === undefined) return `${kinds}。`
      const age = `${counted(days, '日')}以内のもの`
      return `${kinds === '' ? age : `${kinds}、${age}`}。名前に日付を入れてください：2026-09-30。`
    },
    choose: 'ファイルを選択',
  },
  profiles: {
    lead: 'プロファイルは、ある目的の証跡に何が必要かを示すチェックリストです。',
    new: '新しいプロファイル',
    copy: 'コピー',
    edit: '編集',
    remove: '削除',
    removeTitle: (title) => `${title}を削除しますか？`,
    removeText: '新しい提出では使えなくなります。既存の提出ではそのまま残ります。',
    columns: { title: 'プロファイル', items: '項目', source: '提供元', actions: '操作' },
    sources: { service: 'kitseal', workspace: 'このワークスペース' },
    items: (count) => counted(count, '項目'),
    preview: 'プレビュー',
    save: '保存',
    name: 'APIでの名前',
    nameHint: '英小文字、数字、ハイフン。後から変更できません。',
    titleField: 'タイトル',
    description: '説明',
    item: (index) => `項目${index + 1}`,
    itemTitle: '内容',
    itemDescription: '提出するもの',
    itemExample: 'ファイル名の例',
    itemControls: '統制',
    itemTypes: 'ファイルの種類',
    anyType: 'すべての種類',
    itemAge: '経過日数の上限',
    anyAge: '制限なし',
    days: '日',
    itemPaths: '対象となるファイル名',
    itemPathsHint:
      '任意。*は任意の文字列を表します（例：users-*.csv）。項目にドロップしたファイルは常に対象になります。',
    itemCount: 'ファイル数',
    policy: {
      title: 'ルール',
      examinedOnly: 'サービスが検査できるファイルだけを受け入れる',
      examinedOnlyHint: 'それ以外のファイルは、そのまま受け入れられず、提出が失敗します。',
      strict: '提出を常に失敗させる検出事項',
      strictHint: '指定しない場合は、提出者が了承できるか、記載されるだけです。',
      strictNone: 'すべての証跡に共通のルールのみ',
    },
    itemId: 'ID（フォルダー名）',
    itemRequired: '必須',
    addItem: '項目を追加',
    removeItem: '項目を削除',
  },
  fileTypes: {
    pdf: 'PDF',
    docx: 'Word文書',
    xlsx: 'Excelブック',
    pptx: 'PowerPointプレゼンテーション',
    csv: 'CSVの表',
    txt: 'テキスト',
    log: 'ログ',
    md: 'Markdown',
    json: 'JSON',
    xml: 'XML',
    yaml: 'YAML',
    html: 'HTMLページ',
    png: 'PNG画像',
    jpeg: 'JPEG画像',
    eml: '電子メール',
    msg: 'Outlookメッセージ',
    odt: 'OpenDocumentテキスト',
    ods: 'OpenDocument表計算',
    zip: 'ZIPアーカイブ',
    sarif: 'SARIFスキャン結果',
  },
  series: {
    add: 'シリーズに追加',
    of: (name) => `シリーズ：${name}`,
    addLabel: 'シリーズ',
    addHint: 'このキットは変わりません。シリーズの次のキットに、前のキットとして記載されます。',
  },
}

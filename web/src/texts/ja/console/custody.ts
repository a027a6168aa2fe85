import type { custody as english } from '../../en/console/custody.ts'
import { counted } from '../words.ts'

export const custody: typeof english = {
  title: 'リーガルホールドと削除',
  lead: 'リーガルホールド中は、保存期間ルールによっても、誰によっても、証跡は削除されません。',
  leadHeld: 'ホールドが解除されるまで、証跡は保持されます。',
  hold: 'リーガルホールドを設定',
  release: 'ホールドを解除',
  delete: '証跡を削除',
  reason: '理由',
  reasonExample: '案件2026-17',
  held: (day) => `${day}からリーガルホールド中`,
  erased: (day, by) => `${day}に証跡を消去（${by}）`,
  byRule: (rule) => `保存期間ルール：${rule}`,
  byOrder: (who) => `${who.replace(/^member:/, 'メンバー').replace(/^key:/, 'APIキー')}の指示`,
  erasedText: (files, size) =>
    `${counted(files, '個のファイル')}（${size}）が削除されました。マニフェスト、受領証、ログ証明は残り、何が削除されたかは署名付きの消去記録に記載されています。`,
  dialogs: {
    hold: {
      title: 'リーガルホールドを設定しますか？',
      text: 'ホールドが解除されるまで、誰も証跡を削除できません。ホールドとその理由は監査ログに記録されます。',
      action: 'ホールドを設定',
    },
    release: {
      title: 'リーガルホールドを解除しますか？',
      text: '保存期間ルールが再び適用され、オーナーは証跡を削除できるようになります。',
      action: 'ホールドを解除',
    },
    delete: {
      title: '証跡を削除しますか？',
      text: 'この操作は取り消せません。発行済みキットのマニフェストと受領証は、削除の署名付き記録とともに残ります。他の人がダウンロードしたキットは引き続き検証できます。',
      action: '証跡を削除',
    },
  },
}

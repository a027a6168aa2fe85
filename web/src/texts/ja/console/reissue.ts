import type { reissue as english } from '../../en/console/reissue.ts'
import { counted, number } from '../words.ts'

export const reissue: typeof english = {
  banner: {
    title: (kits, date) => `${counted(kits, '個のキット')}が、${date}に失効した鍵で署名されています`,
    text: (heading) =>
      `検証した人には「${heading}」と表示されます。再発行すると、同じ証跡を現在の鍵で署名した新しいキットができます。古いキットを持つすべての人に新しいキットを送ってください。`,
    compromised: (date) =>
      `鍵は${date}以降、他人の手に渡っていた可能性があります。それより前にログに記録されたキットは、ウィットネスまたはタイムスタンプで時刻を確認する人にとっては、引き続き検証に合格します。`,
    action: (kits) => (kits === 1 ? 'キットを再発行' : `${number(kits)}個のキットをすべて再発行`),
    progress: (done) => `${counted(done, '個のキット')}を再発行しました…`,
  },
  kit: {
    revoked: 'このキットを検証した人にも同じ文が表示されます。証跡は保存されています。',
    reissue: '再発行すると、同じ証跡を現在の鍵で署名した新しいキットができます。',
    askOwner: '再発行をオーナーに依頼してください。',
    replaced: 'このキットは再発行されました。このキットを持つすべての人に新しいキットを送ってください。',
    expired:
      '保存期間の終了により証跡が削除されたため、キットを再発行できません。証跡をもう一度提出してください。',
    action: 'キットを再発行',
  },
  replaces: '置き換え元のキット：',
  replacedBy: '置き換え先：',
}

import type { reissue as english } from '../../en/console/reissue.ts'
import { counted, kits, number } from '../words.ts'

export const reissue: typeof english = {
  banner: {
    title: (count, date) =>
      `${counted(count, 'Kit wurde', 'Kits wurden')} mit einem Schlüssel signiert, der am ${date} widerrufen wurde`,
    text: (heading) =>
      `Wer sie verifiziert, sieht „${heading}“. Stellen Sie sie neu aus: Sie erhalten neue Kits mit denselben Nachweisen, signiert mit dem aktuellen Schlüssel. Senden Sie die neuen Kits allen, die die alten haben.`,
    compromised: (date) =>
      `Der Schlüssel war möglicherweise seit ${date} in anderen Händen. Kits, die vorher im Log eingetragen wurden, lassen sich weiterhin verifizieren, wenn die Zeit mit Zeugen oder Zeitstempeln geprüft wird.`,
    action: (count) => (count === 1 ? 'Kit neu ausstellen' : `Alle ${number(count)} Kits neu ausstellen`),
    progress: (done) => `${kits(done)} neu ausgestellt…`,
  },
  kit: {
    revoked: 'Wer dieses Kit verifiziert, sieht dieselben Worte. Die Nachweise sind noch gespeichert.',
    reissue:
      'Stellen Sie es neu aus: Sie erhalten ein neues Kit mit denselben Nachweisen, signiert mit dem aktuellen Schlüssel. ',
    askOwner: 'Bitten Sie einen Eigentümer, es neu auszustellen.',
    replaced: 'Das Kit wurde neu ausgestellt. Senden Sie das neue Kit allen, die dieses haben.',
    expired:
      'Die Nachweise wurden am Ende ihrer Aufbewahrungsfrist gelöscht, deshalb kann das Kit nicht neu ausgestellt werden. Reichen Sie die Nachweise noch einmal ein.',
    action: 'Kit neu ausstellen',
  },
  replaces: 'Ersetzt das Kit von:',
  replacedBy: 'Ersetzt durch:',
}

import type { overview as english } from '../../en/console/overview.ts'
import { counted, items, kits } from '../words.ts'

export const overview: typeof english = {
  attention: 'Handlungsbedarf',
  nothing: 'Nichts erfordert Ihre Aufmerksamkeit.',
  waiting: {
    failed: (title) => `„${title}“: Änderung nötig`,
    mail: (to, _, reason) =>
      `E-Mail ${to === '' ? '' : `an ${to} `}wurde nicht gesendet${reason === '' ? '' : `: ${reason}`}`,
    period_failed: (title) => `„${title}“ wurde nicht versiegelt. Die Dateien müssen geändert werden`,
    item_late: (title) => `Ihre Position „${title}“ ist überfällig`,
    item_sent_back: (title) => `Ihre Position „${title}“: Änderung nötig`,
    item: (title) => `Ihre Position „${title}“ ist fällig`,
    review: (title, count) => `Antwort auf „${title}“: ${items(count)} zu überprüfen`,
    unanswered: (title, count) =>
      `Antwort auf „${title}“: ${items(count)} ohne Dateien. Zurückgeben oder als nicht zutreffend markieren`,
    overdue: (title) => `Anfrage „${title}“ ist überfällig`,
    due: (title) => `Anfrage „${title}“ ist fällig`,
    sent_back: (title, count) => `Anfrage „${title}“: ${items(count)} an den Lieferanten zurückgegeben`,
    question: (title, count) => `Datenraum „${title}“: ${counted(count, 'Frage', 'Fragen')} ohne Antwort`,
    draft: (title) => `Entwurf „${title}“ hat Dateien, die nicht eingereicht sind`,
    share: (title) => `Freigabe von „${title}“ läuft ab`,
    key: (title) => `API-Schlüssel „${title}“ läuft ab`,
    name: () => 'Dieser Arbeitsbereich hat noch keinen Namen',
    evidence: (_, count) =>
      `Nachweise von ${count < 1000 ? kits(count) : '1.000 oder mehr Kits'} werden nach der Aufbewahrungsregel gelöscht`,
  },
  more: 'Es gibt noch mehr. Siehe Anfragen, Einreichungen und Freigaben.',
  toReview: 'Zu überprüfen',
  recent: 'Neueste Einreichungen',
  first: {
    title: 'Ihr erstes Kit ausstellen',
    text: 'Ein Kit sind Nachweise mit einer signierten Quittung. Jeder kann es prüfen, mit diesem Dienst oder ohne ihn.',
    steps: [
      {
        title: 'Dateien auswählen',
        text: 'Die Dateien werden in Ihrem Browser geprüft, bevor etwas hochgeladen wird.',
      },
      {
        title: 'Einreichen',
        text: 'Der Dienst prüft sie noch einmal, versiegelt sie und stellt das Kit in Sekunden aus.',
      },
      {
        title: 'Kit freigeben',
        text: 'Senden Sie einen Link. Der Empfänger braucht kein Konto, um es zu prüfen und herunterzuladen.',
      },
    ],
    own: 'Eigene Dateien verwenden',
    viewer:
      'Bitten Sie ein Mitglied oder einen Eigentümer, Nachweise einzureichen: Mit Ihrer Rolle können Sie nur lesen.',
  },
}

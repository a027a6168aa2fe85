import type { shares as english } from '../../en/console/shares.ts'
import { counted, files } from '../words.ts'

const visits = (count: number): string => counted(count, 'Besuch', 'Besuche')

export const shares: typeof english = {
  lead: 'Links, mit denen Personen ohne Konto ein Kit verifizieren und herunterladen können.',
  share: 'Freigeben',
  choose: 'Kit zum Freigeben auswählen',
  title: (label) => `„${label}“ freigeben`,
  life: 'Der Link gilt',
  lives: {
    1: '1 Tag',
    7: '7 Tage',
    14: '14 Tage',
    30: '30 Tage',
    90: '90 Tage',
    365: '1 Jahr',
  },
  to: 'Für',
  toHint: 'E-Mail-Adressen, durch Kommas getrennt. Jede erhält einen eigenen Link. Leer: ein Link für alle.',
  forAnyone: 'Jeder mit diesem Link kann sehen, was Sie freigeben.',
  forAnyoneWithPassword: 'Jeder mit diesem Link und dem Passwort kann sehen, was Sie freigeben.',
  willMail: 'Alle erhalten ihren Link per E-Mail.',
  noMail:
    'Dieser Dienst versendet keine E-Mails. Sie erhalten jeden Link zum Kopieren und senden ihn selbst.',
  note: 'Mitteilung an den Empfänger',
  noteHint: 'Optional. Wird auf der Seite angezeigt.',
  what: 'Was freigegeben wird',
  whole: 'Das ganze Kit',
  some: 'Nur einige Dateien, jede mit ihrem Dateibeweis',
  options: 'Passwort, Download-Limit und Benachrichtigungen',
  password: 'Passwort',
  passwordHint: 'Optional, mindestens 8 Zeichen. Teilen Sie es dem Empfänger auf einem anderen Weg mit.',
  limit: 'Download-Limit',
  limitHint:
    'Optional, in Besuchen. Ein Besuch zählt einmal: wenn die Seite das Kit verifiziert oder jemand es herunterlädt.',
  notify: 'E-Mail an mich, wenn etwas heruntergeladen wird',
  notifyHint: 'Höchstens eine E-Mail pro Tag und Empfänger.',
  create: (recipients, sendsMail) => {
    if (recipients === 0) return 'Link für alle erstellen'
    const links = counted(recipients, 'Link', 'Links')
    return `${recipients === 1 ? 'Link' : links} ${sendsMail ? 'per E-Mail senden' : 'erstellen'}`
  },
  created: 'Freigegeben',
  once: 'Er wird nur jetzt angezeigt. Ein verlorener Link lässt sich unter „Freigaben“ ersetzen.',
  mails: {
    none: 'Keine E-Mail verzeichnet',
    queued: 'E-Mail in Warteschlange',
    sent: 'E-Mail gesendet',
    failed: 'E-Mail fehlgeschlagen',
    because: (status, reason) => `${status}: ${reason}`,
  },
  linkFor: (address) => `Link für ${address}`,
  recipients: (addresses) => `für ${addresses}`,
  link: 'Link',
  copied: 'Der Link ist kopiert.',
  done: 'Fertig',
  none: {
    title: 'Nichts ist freigegeben',
    text: 'Wählen Sie ein Kit und erstellen Sie einen Link. Der Empfänger verifiziert es ohne Konto.',
  },
  columns: { what: 'Freigegeben', status: 'Status', used: 'Verwendet', actions: 'Aktionen' },
  wholeKit: 'Ganzes Kit',
  files,
  statuses: {
    active: 'Aktiv',
    expired: 'Abgelaufen',
    revoked: 'Widerrufen',
    exhausted: 'Download-Limit erreicht',
  },
  until: (time) => `Läuft ab: ${time}`,
  hasPassword: 'Passwort',
  downloads: (count, limit) =>
    limit === null ? visits(count) : `${count} von ${counted(limit, 'Besuch', 'Besuchen')}`,
  neverUsed: 'Noch nicht geöffnet',
  links: {
    action: 'Links',
    title: (label) => `Links zu „${label}“`,
    lead: 'Ein neuer Link ersetzt den vorherigen: Dieser funktioniert sofort nicht mehr.',
    noMail: 'Dieser Dienst versendet keine E-Mails: Kopieren Sie den neuen Link und senden Sie ihn selbst.',
    columns: { who: 'Empfänger' },
    replace: 'Neuer Link',
    add: 'Empfänger hinzufügen',
    anyone: 'Neuer Link für alle',
  },
  change: {
    action: 'Ändern',
    title: (label) => `Freigabe von „${label}“ ändern`,
    life: 'Gültigkeit',
    now: (time) => `Jetzt: ${time}`,
    keep: 'Wie bisher',
    fromNow: (life) => `${life} ab jetzt`,
    newPassword: 'Neues Passwort',
    noPassword: 'Passwort entfernen',
  },
  revoke: {
    action: 'Widerrufen',
    title: (label) => `Freigabe von „${label}“ widerrufen?`,
    text: 'Alle Links dieser Freigabe funktionieren sofort nicht mehr. Heruntergeladene Kopien bleiben beim Empfänger.',
  },
  accesses: {
    action: 'Zugriffe',
    title: (label) => `Zugriffe auf „${label}“`,
    none: 'Noch niemand hat diese Freigabe verwendet.',
    columns: { at: 'Zeit', what: 'Was', from: 'Von' },
    linkOf: (address) => `Link von ${address}`,
    kinds: {
      opened: 'Seite geöffnet',
      viewed: 'Angesehen',
      downloaded: 'Heruntergeladen',
      commented: 'Kommentiert',
      reviewed: 'Als überprüft markiert',
      review_withdrawn: 'Markierung zurückgenommen',
      password_refused: 'Falsches Passwort',
    },
    newest: 'Die neuesten 100 Einträge.',
  },
}

import type { room as english } from '../en/room.ts'
import { counted } from './words.ts'

const kits = (count: number): string => counted(count, 'Kit', 'Kits')

export const room: typeof english = {
  title: 'Datenraum',
  openedBy: (who) => `${who} hat diesen Datenraum für Sie geöffnet. Ihr Browser verifiziert jedes Kit.`,
  visible: 'Alle in diesem Datenraum sehen die Kommentare und wer sie geschrieben hat.',
  as: (who) => `Sie schreiben als ${who}. Für diese Adresse wurde der Link erstellt.`,
  name: 'Ihr Name',
  nameHint:
    'Steht als „nicht verifiziert“ bei dem, was Sie schreiben: Wer diesen Link hat, kann jeden Namen eingeben.',
  none: 'In diesem Datenraum sind noch keine Kits.',
  kits,
  downloadAll: (count, size) => `${kits(count)} als ein ZIP herunterladen, ${size}`,
  select: 'Zum Herunterladen auswählen',
  verify: {
    all: 'Alle verifizieren',
    again: 'Alle noch einmal verifizieren',
    size: (size) => `Alle verifizieren, ${size}`,
    running: (done, all) => `Kit ${done + 1} von ${all} wird verifiziert…`,
    passed: (count) => `In diesem Browser verifiziert: ${kits(count)}`,
    passedText:
      'Seit dem Versiegeln unverändert. Jedes ist mit einem Schlüssel signiert, den diese Website veröffentlicht; Sie haben ihn nicht mit einem anderswo erhaltenen verglichen.',
    failed: (bad, all) => `FAIL: ${bad} von ${kits(all)} nicht verifiziert`,
    notYet: (count) => `Noch nicht verifiziert: ${kits(count)}`,
    stopped: 'Angehalten',
  },
  sentence: {
    sealed: (issuer, who, day) =>
      `Versiegelt von ${issuer}${who === undefined ? '' : ` für ${who}`} am ${day}.`,
    waiting: 'Noch nicht verifiziert.',
    running: 'Wird verifiziert…',
    verified: 'Seitdem unverändert: in diesem Browser verifiziert.',
    compared: (key) => `Schlüssel verglichen: ja, es ist ${key}.`,
    notCompared: 'Schlüssel verglichen: nein, diese Website veröffentlicht ihn.',
    failed: (why) => `FAIL: ${why}`,
    notProved: 'Nicht belegt: dass der Inhalt wahr, vollständig oder ausreichend ist.',
    erased: (day) => `Die Dateien wurden am ${day} gelöscht.`,
  },
  items: (count) => counted(count, 'Position', 'Positionen'),
  columns: {
    item: 'Position',
    status: 'Status beim Versiegeln',
    files: 'Dateien',
    review: 'Ihre Überprüfung',
  },
  noFiles: 'Keine Dateien',
  open: (count) => `${counted(count, 'Datei', 'Dateien')} und Details anzeigen`,
  close: 'Dateien und Details ausblenden',
  review: {
    kit: 'Ich habe dieses Kit überprüft',
    file: 'Überprüft',
    of: (what) => `Überprüft: ${what}`,
    by: (who, day) => `Von ${who} am ${day} als überprüft markiert.`,
    own: 'Eine Markierung ist die Aussage der prüfenden Person. Der Dienst kontrolliert sie nicht.',
  },
  comments: {
    title: (count) => (count === 0 ? 'Fragen und Kommentare' : `Fragen und Kommentare (${count})`),
    about: (what) => `Zu ${what}`,
    wholeKit: 'Zum ganzen Kit',
    text: 'Frage oder Kommentar',
    ask: 'Fragen',
    askAbout: (what) => `Frage zu ${what} stellen`,
    question: 'Frage stellen',
    comment: 'Kommentieren',
    reply: 'Antworten',
    replyTo: (who) => `Antwort an ${who}`,
    send: 'Senden',
    cancel: 'Abbrechen',
    resolve: 'Als geklärt markieren',
    reopen: 'Wieder öffnen',
    erase: 'Löschen',
    eraseTitle: 'Diesen Kommentar löschen?',
    eraseText:
      'Text und Verfasser werden für alle gelöscht. Das Audit-Log behält die ID und den SHA-256-Wert.',
    erased: 'Gelöscht',
    notVerified: 'nicht verifiziert',
    sides: { workspace: 'Arbeitsbereich', reviewer: 'Prüfer' },
    states: { open: 'Wartet auf Antwort', answered: 'Beantwortet', resolved: 'Geklärt' },
  },
}

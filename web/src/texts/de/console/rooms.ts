import type { rooms as english } from '../../en/console/rooms.ts'
import { counted, kits } from '../words.ts'

export const rooms: typeof english = {
  rooms: 'Datenräume',
  open: 'Datenraum öffnen',
  title: 'Datenraum für Prüfer öffnen',
  created: 'Der Datenraum ist offen',
  toRoom: 'Zum Datenraum',
  name: 'Name des Datenraums',
  nameHint: 'Prüfer sehen ihn, zum Beispiel „Audit 2026“.',
  what: 'Was im Datenraum ist',
  chosen: 'Kits, die ich auswähle',
  wholeSeries: 'Eine Serie, mit den Kits, die hinzukommen, solange der Datenraum offen ist',
  series: 'Serie',
  seriesHint: 'Die neuesten 100 Kits.',
  find: 'Kits suchen',
  count: (count) => `${kits(count)} ausgewählt`,
  ofSeries: (series) => `Serie „${series}“, mit später hinzukommenden Kits`,
  columns: { room: 'Datenraum', status: 'Status', questions: 'Fragen', used: 'Verwendet' },
  questions: (count) => `${counted(count, 'Frage', 'Fragen')} ohne Antwort`,
  noQuestions: 'Keine offen',
  reviewers: 'Prüfer',
  looked: 'Angesehen',
  toKit: 'Zum Kit',
  kit: 'Das ganze Kit',
  notReviewed: 'Niemand hat hier etwas als überprüft markiert.',
  boundary: 'Alle mit einem Link sehen alle Kommentare in diesem Datenraum und wer sie geschrieben hat.',
}

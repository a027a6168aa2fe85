import type { custody as english } from '../../en/console/custody.ts'
import { files } from '../words.ts'

export const custody: typeof english = {
  title: 'Löschsperre und Löschung',
  lead: 'Eine Löschsperre (Legal Hold) verhindert, dass die Nachweise gelöscht werden, durch die Aufbewahrungsregel oder durch Personen.',
  leadHeld: 'Die Nachweise bleiben erhalten, bis die Löschsperre aufgehoben wird.',
  hold: 'Löschsperre setzen',
  release: 'Löschsperre aufheben',
  delete: 'Nachweise löschen',
  reason: 'Grund',
  reasonExample: 'Fall 2026-17',
  held: (day) => `Löschsperre seit ${day}`,
  erased: (day, by) => `Nachweise am ${day} gelöscht, ${by}`,
  byRule: (rule) => `nach der Aufbewahrungsregel: ${rule}`,
  byOrder: (who) =>
    `auf Anordnung von ${who.replace(/^member:/, 'Mitglied ').replace(/^key:/, 'API-Schlüssel ')}`,
  erasedText: (count, size) =>
    `${files(count)} (${size}) ${count === 1 ? 'wurde' : 'wurden'} gelöscht. Manifest, Quittung und Log-Beweis bleiben, und ein signiertes Löschprotokoll hält fest, was gelöscht wurde.`,
  dialogs: {
    hold: {
      title: 'Löschsperre setzen?',
      text: 'Niemand kann die Nachweise löschen, bis die Sperre aufgehoben wird. Das Audit-Log hält die Sperre und ihren Grund fest.',
      action: 'Sperre setzen',
    },
    release: {
      title: 'Löschsperre aufheben?',
      text: 'Die Aufbewahrungsregel gilt wieder, und Eigentümer können die Nachweise löschen.',
      action: 'Sperre aufheben',
    },
    delete: {
      title: 'Nachweise löschen?',
      text: 'Das lässt sich nicht rückgängig machen. Manifest und Quittung eines ausgestellten Kits bleiben, mit einem signierten Protokoll der Löschung. Kits, die andere heruntergeladen haben, lassen sich weiterhin verifizieren.',
      action: 'Nachweise löschen',
    },
  },
}

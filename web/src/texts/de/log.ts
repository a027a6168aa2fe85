import type { log as english } from '../en/log.ts'

export const log: typeof english = {
  title: 'Transparenzlog',
  lead: 'Jede Quittung und jede Änderung an einem Signaturschlüssel ist ein Eintrag in diesem Log. Einträge werden nie geändert oder entfernt, und das kann jeder nachprüfen.',
  unavailable: 'Das Log konnte nicht geladen werden.',
  notSigned:
    'Der Checkpoint ist nicht mit dem Schlüssel dieses Logs signiert. Verlassen Sie sich nicht darauf.',
  frozenTitle: 'Das Log ist eingefroren',
  frozen: (since) =>
    `Seit dem ${since} wurde nichts hinzugefügt, weil zuerst sichergestellt werden muss, dass das Log vollständig ist. Was vorher ausgestellt wurde, bleibt gültig.`,
  checkpoint: 'Neuester Checkpoint',
  size: 'Einträge',
  last: 'Letzter Eintrag',
  origin: 'Name',
  root: 'Root-Hash',
  key: 'Schlüssel des Logs',
  signature: 'Signatur',
  signed: 'Gültig, in diesem Browser geprüft',
  unsigned: 'Ungültig',
  witnesses: {
    title: 'Zeugen',
    lead: 'Unabhängige Parteien, die prüfen, dass das Log nur wächst, und seine Checkpoints gegenzeichnen. Beziehen Sie deren Schlüssel von ihnen selbst, nicht von hier.',
    none: 'Kein Zeuge zeichnet dieses Log gegen. Nur wer es überwacht, würde eine Änderung bemerken.',
    name: 'Zeuge',
    key: 'Schlüssel',
    seen: 'Signiert',
    notYet: 'Noch nicht',
  },
  monitor: {
    title: 'Log überwachen',
    text: 'Dieser Befehl prüft, was neu ist und dass nichts geändert oder entfernt wurde. Führen Sie ihn alle paar Minuten auf einem eigenen Rechner aus:',
    command: (issuer) => `kitseal monitor ${issuer}`,
    what: 'Befehl',
    guide: 'Überwachung in fünf Minuten einrichten',
    files: 'Für andere Anwendungen, in den Formaten von C2SP:',
  },
}

import type { request as english } from '../en/request.ts'
import { files, items } from './words.ts'

export const request: typeof english = {
  title: 'Dateianfrage',
  lead: (who) => `${who} bittet Sie um diese Dateien. Sie brauchen kein Konto.`,
  howTo:
    'Fügen Sie zu jeder Position Dateien hinzu. Die Dateien werden auf Ihrem Gerät geprüft und dann hier gespeichert. Sie können diese Seite schließen und später mit demselben Link weitermachen, auf jedem Gerät. Wenn Sie fertig sind, reichen Sie alles ein.',
  due: 'Fällig:',
  statuses: {
    missing: 'Fehlt',
    collected: 'Noch nicht eingereicht',
    to_review: 'Eingereicht',
    needs_changes: 'Änderung nötig',
    accepted: 'Angenommen',
    not_applicable: 'Nicht zutreffend',
  },
  notApplicableBy: (who, reason) => `Nicht zutreffend (${who}): ${reason}`,
  applies: 'Trifft doch zu',
  changes: { added: 'Neu in dieser Runde', replaced: 'In dieser Runde geändert' },
  removed: (names) => `In dieser Runde entfernt: ${names.join(', ')}`,
  by: { requester: 'Anfragende Stelle', supplier: 'Sie' },
  chooseFiles: 'Dateien auswählen',
  addFiles: 'Weitere Dateien hinzufügen',
  takePhoto: 'Foto aufnehmen',
  chooseFor: (verb, item) => `${verb} für ${item}`,
  dropHint: 'oder hierher ziehen',
  removeFile: (name) => `${name} entfernen`,
  empty: 'Diese Datei ist leer',
  checking: 'Wird geprüft…',
  waiting: 'Wartet…',
  sending: (name) => `${name} wird hochgeladen`,
  notSent: 'Nicht hochgeladen: Mit dieser Datei gibt es ein Problem.',
  failed: 'Hochladen fehlgeschlagen',
  sendAnyway: 'Trotzdem hochladen',
  secretChecked: 'Ich habe es geprüft: Das darf im Kit enthalten sein.',
  forget: 'Verwerfen',
  forms: {
    comment: {
      open: 'Kommentieren',
      label: (item) => `Kommentar zu ${item}`,
      hint: 'Zum Beispiel: welche Stelle einer Datei wichtig ist',
      send: 'Kommentar senden',
    },
    notApplicable: {
      open: 'Nicht zutreffend',
      label: (item) => `Nicht zutreffend: ${item}`,
      hint: 'Warum gibt es nichts zu senden? Die Begründung ist Teil Ihrer Antwort.',
      send: 'Begründung speichern',
    },
  },
  cancel: 'Abbrechen',
  other: 'Weitere Dateien',
  sender: {
    title: 'Über Sie',
    name: 'Ihr Name',
    nameHint:
      'Optional. Das Kit enthält ihn so, wie Sie ihn eingeben, als Namen, den niemand verifiziert hat.',
  },
  progress: (answered, all, count) => `${answered} von ${items(all)} beantwortet (${files(count)})`,
  progressLabel: 'Beantwortete Positionen',
  submit: 'Einreichen',
  submitAnyway: 'Trotzdem einreichen',
  missing: (titles) =>
    titles.length > 3
      ? `${items(titles.length)} haben noch keine Dateien.`
      : `Noch keine Dateien für: ${titles.join(', ')}.`,
  held: (count) => `${files(count)} ${count === 1 ? 'wurde' : 'wurden'} nicht hochgeladen.`,
  outcome: {
    running: 'Ihre Dateien werden geprüft',
    runningText: 'Das dauert meist nur wenige Sekunden.',
    failed: 'Einige Dateien konnten nicht angenommen werden',
    failedText:
      'Es wurde nichts eingereicht. Entfernen oder ersetzen Sie diese Dateien und reichen Sie erneut ein.',
    damagedText:
      'Es wurde nichts eingereicht. Ersetzen Sie diese Dateien und reichen Sie erneut ein. Sind schon die Originale so, reichen Sie sie unverändert ein: Der Bericht vermerkt es.',
    submitDamaged: 'Unverändert einreichen',
    submitted: 'Eingereicht. Vielen Dank!',
    submittedText: (who) =>
      `${who} hat Ihre Dateien erhalten und überprüft sie. Wenn etwas geändert werden muss, sehen Sie es hier. Datei vergessen? Fügen Sie sie unten hinzu und reichen Sie erneut ein: Eine Position lässt sich ändern, bis ${who} darüber entschieden hat.`,
    changing: 'Ihre Änderungen sind noch nicht eingereicht',
    changingText: (who) =>
      `${who} sieht, was Sie zuletzt eingereicht haben. Reichen Sie erneut ein, wenn Sie fertig sind.`,
    accepted: 'Alles wurde angenommen',
    settled: 'Es wird nichts mehr benötigt',
    acceptedText: (who, accepted, notApplicable) =>
      `${who} hat ${items(accepted)} angenommen${notApplicable === 0 ? '' : `; ${items(notApplicable)} ${notApplicable === 1 ? 'trifft' : 'treffen'} nicht zu`}.`,
    closed: 'Diese Anfrage ist geschlossen',
    closedText: (who) =>
      `${who} hat diese Anfrage geschlossen. Es können keine Dateien mehr hinzugefügt werden.`,
    reopened: (count) => `Bei ${items(count)} ${count === 1 ? 'ist eine Änderung' : 'sind Änderungen'} nötig`,
    reopenedText: (who) =>
      `Lesen Sie die Kommentare von ${who}, ergänzen oder ersetzen Sie Dateien und reichen Sie erneut ein. Angenommene Positionen bleiben, wie sie sind.`,
  },
  kit: {
    title: 'Ihre Kopie',
    olderTitle: 'Ihre Kopie der letzten Einreichung',
    text: 'Ein versiegeltes Archiv mit genau den eingereichten Dateien und einer signierten Quittung. Bewahren Sie es auf: Es belegt, was Sie wann gesendet haben.',
    download: 'kit.zip herunterladen',
    verify: 'In diesem Browser prüfen',
    details: 'Wie geprüft wurde',
  },
  problems: {
    credits_exhausted:
      'Die anfragende Stelle kann derzeit keine Dateien empfangen, weil ihre Credits aufgebraucht sind. Geben Sie dort Bescheid; Ihre übrigen Dateien sind gespeichert.',
    upload_too_large:
      'Alle Dateien zusammen sind größer, als die anfragende Stelle empfangen kann. Geben Sie dort Bescheid.',
    upload_in_progress: 'Ein anderer Upload war schneller. Versuchen Sie es noch einmal.',
    link_not_found:
      'Dieser Link funktioniert nicht mehr. Bitten Sie um einen neuen. Bereits hochgeladene Dateien sind gespeichert.',
  },
}

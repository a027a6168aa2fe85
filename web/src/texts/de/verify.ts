import type { verify as english } from '../en/verify.ts'
import { counted } from './words.ts'

export const verify: typeof english = {
  title: 'Kit verifizieren',
  lead: 'Verifiziert wird in Ihrem Browser, mit den Schlüsseln, die diese Website für ihre eigenen Kits veröffentlicht, oder mit Schlüsseln, die Sie angeben. Es wird nichts hochgeladen.',
  dropTitle: 'kit.zip, entpackten Kit-Ordner oder receipt.json hierher ziehen',
  dropHint: 'Ihre Dateien bleiben auf diesem Computer.',
  chooseFile: 'Datei auswählen…',
  chooseFolder: 'Ordner auswählen…',
  oneAtATime: 'Das ist mehr als eine Quittung. Wählen Sie ein Kit oder eine receipt.json.',
  unreadable: (why) => `Das lässt sich nicht lesen (${why}). Versuchen Sie es mit der kit.zip.`,
  oldBrowser:
    'Dieser Browser unterstützt keine Ed25519-Signaturen, deshalb scheitert hier jedes Kit. Verwenden Sie eine aktuelle Version von Chrome, Edge, Firefox oder Safari, über HTTPS oder auf localhost.',
  keysTitle: (count) => `${counted(count, 'öffentlicher Schlüssel', 'öffentliche Schlüssel')} dieser Website`,
  keysMissing:
    'Verifizieren nicht möglich: Die öffentlichen Schlüssel dieses Dienstes konnten nicht geladen werden.',
  working: (name) => `${name} wird verifiziert`,
  progress: (done, all) => `${done} von ${all}`,
  askIssuer: 'Kennen Sie diese Adresse als die des Ausstellers? Dann prüfen Sie das Kit dort:',
  stop: 'Anhalten',
  stopped: 'Angehalten. Es wurde nichts verifiziert.',
  failed: (why) => `Die Verifizierung wurde nicht abgeschlossen, also ist nichts verifiziert: ${why}`,
  named: {
    title: 'Dieses Kit verifizieren',
    lead: 'Diese Seite gehört zu einem bestimmten Kit. Ziehen Sie Ihre Kopie hierher, um sie mit dem zu vergleichen, was ausgestellt wurde. Es wird nichts hochgeladen.',
    about: 'Kit',
    kitId: 'Kit-ID',
    loading: 'Quittung wird geladen',
    known: 'Öffentliche Quittung',
    hashes: 'Hashwerte',
    unknownTitle: 'Keine öffentliche Quittung',
    unknown:
      'Dieser Dienst hat dieses Kit nicht, oder der Arbeitsbereich hält es privat. Ihre Kopie können Sie trotzdem verifizieren.',
    invalid:
      'Die Kit-ID in diesem Link ist ungültig. Erwartet wird „kit_“, gefolgt von mindestens 22 Zeichen.',
    erased: (day, by) => `Nachweise am ${day} gelöscht, ${by}`,
    erasedByRule: (rule) => `nach der Aufbewahrungsregel: ${rule}`,
    erasedByOrder: 'auf Anordnung ihres Eigentümers',
    erasedText:
      'Der Dienst hat die Dateien dieses Kits nicht mehr. Eine Kopie, die Sie haben, lässt sich weiterhin verifizieren. Das Löschprotokoll ist vom Aussteller signiert.',
    agree: (host) =>
      `Die Quittung ist mit einem Schlüssel signiert, den diese Website, ${host}, veröffentlicht.`,
    dropTitle: 'Ihre kit.zip oder den entpackten Kit-Ordner hierher ziehen',
  },
}

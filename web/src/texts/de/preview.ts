import type { preview as english } from '../en/preview.ts'
import { counted } from './words.ts'

export const preview: typeof english = {
  open: (name) => `Vorschau von ${name}`,
  contentOf: (name) => `Inhalt von ${name}`,
  download: 'Herunterladen',
  downloadOf: (name) => `${name} herunterladen`,
  proof: 'Dateibeweis',
  proofOf: (name) => `Dateibeweis zu ${name} herunterladen`,
  fileSays: (summary) => `Angabe in der Datei: ${summary}`,
  previous: 'Zurück',
  next: 'Weiter',
  close: 'Schließen',
  empty: 'Diese Datei ist leer.',
  none: 'Für diesen Dateityp gibt es keine Vorschau. Laden Sie die Datei herunter, um sie zu öffnen.',
  noImage: 'Dieser Browser kann das Bild nicht anzeigen. Laden Sie die Datei herunter, um sie zu öffnen.',
  large: 'Diese Datei ist zu groß für eine Vorschau. Laden Sie sie herunter, um sie zu öffnen.',
  pdf: {
    page: (page, pages) => `Seite ${page} von ${pages}`,
    previous: 'Vorherige Seite',
    next: 'Nächste Seite',
    hint: 'In dieser Vorschau können Schriften und Bilder fehlen. Laden Sie die Datei herunter, um sie vollständig zu sehen.',
    noImages: 'Einige Bilder dieser Datei fehlen in der Vorschau, deshalb können Seiten leer aussehen.',
    noText: 'Ein Teil des Textes fehlt in der Vorschau.',
    seeFile: 'Laden Sie die Datei herunter, um alles zu sehen.',
    damaged:
      'Dieses PDF ist beschädigt, deshalb gibt es keine Vorschau. Laden Sie es herunter, um ein anderes Programm zu versuchen.',
    password:
      'Dieses PDF ist mit einem Passwort geschützt, deshalb gibt es keine Vorschau. Laden Sie es herunter, um es zu öffnen.',
    brokenPage: 'Diese Seite konnte nicht angezeigt werden. Laden Sie die Datei herunter, um sie zu sehen.',
  },
  office: {
    sheet: 'Tabellenblatt',
    emptySheet: 'Dieses Tabellenblatt ist leer.',
    firstColumns: (count) =>
      count === 1
        ? 'Nur die erste Spalte wird angezeigt.'
        : `Nur die ersten ${counted(count, 'Spalte', 'Spalten')} werden angezeigt.`,
    sheetHint: 'Nur Werte. Diagramme, Bilder und Formatierung werden nicht angezeigt.',
    documentHint:
      'Nur Text und Tabellen. Bilder, Kopfzeilen, Fußnoten und Formatierung werden nicht angezeigt.',
    emptyDocument: 'Dieses Dokument enthält keinen Text.',
    damaged:
      'Diese Datei ist nicht lesbar, deshalb gibt es keine Vorschau. Laden Sie sie herunter, um ein anderes Programm zu versuchen.',
    slow: 'Das Lesen dieser Datei dauert zu lange, deshalb gibt es keine Vorschau. Laden Sie sie herunter, um sie zu öffnen.',
  },
  cut: 'Nur der Anfang wird angezeigt. Laden Sie die Datei herunter, um den Rest zu sehen.',
  firstRows: (count) =>
    `Die ${count === 1 ? 'erste Zeile' : `ersten ${counted(count, 'Zeile', 'Zeilen')}`}. Laden Sie die Datei herunter, um den Rest zu sehen.`,
  failed: (why) => `Die Vorschau konnte nicht geladen werden: ${why}`,
}

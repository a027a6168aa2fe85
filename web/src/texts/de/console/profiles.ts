import type { profiles as english } from '../../en/console/profiles.ts'
import { counted, items } from '../words.ts'

const OR = new Intl.ListFormat('de', { type: 'disjunction' })

export const profiles: typeof english = {
  checklist: {
    title: (met, required) =>
      `Checkliste: ${met} von ${counted(required, 'erforderlichen Position', 'erforderlichen Positionen')}`,
    states: {
      met: 'Erledigt',
      suggested: 'Zu bestätigen',
      missing: 'Fehlt',
      optional: 'Optional',
      open: 'Zu erledigen',
    },
    suggestion: (name) => `Nach dem Namen vorgeschlagen: ${name}`,
    confirm: 'Bestätigen',
    confirmAs: (name, item) => `dass ${name} für ${item} ist`,
    example: (name) => `Zum Beispiel ${name}`,
    wanted: (types, days) => {
      const kinds = OR.format(types)
      if (days === undefined) return `${kinds}.`
      const age = `älter als ${counted(days, 'Tag', 'Tage')}`
      return `${kinds === '' ? 'Nicht' : `${kinds}, nicht`} ${age}. Schreiben Sie das Datum in den Namen: 2026-09-30.`
    },
    choose: 'Dateien auswählen',
  },
  profiles: {
    lead: 'Ein Profil ist eine Checkliste dessen, was Nachweise für einen Zweck enthalten müssen.',
    new: 'Neues Profil',
    copy: 'Kopieren',
    edit: 'Bearbeiten',
    remove: 'Löschen',
    removeTitle: (title) => `${title} löschen?`,
    removeText: 'Neue Einreichungen können es nicht mehr verwenden. Bestehende behalten es.',
    columns: { title: 'Profil', items: 'Positionen', source: 'Von', actions: 'Aktionen' },
    sources: { service: 'kitseal', workspace: 'Dieser Arbeitsbereich' },
    items,
    preview: 'Vorschau',
    save: 'Speichern',
    name: 'Name für die API',
    nameHint: 'Kleinbuchstaben, Ziffern und Bindestriche. Später nicht änderbar.',
    titleField: 'Titel',
    description: 'Beschreibung',
    item: (index) => `Position ${index + 1}`,
    itemTitle: 'Was es ist',
    itemDescription: 'Was zu liefern ist',
    itemExample: 'Beispiel für einen Dateinamen',
    itemControls: 'Kontrollen',
    itemTypes: 'Dateitypen',
    anyType: 'Jeder Typ',
    itemAge: 'Nicht älter als',
    anyAge: 'Beliebiges Alter',
    days: ' Tage',
    itemPaths: 'Dateinamen, die zählen',
    itemPathsHint:
      'Optional. Ein * steht für beliebigen Text, zum Beispiel users-*.csv. Dateien, die auf die Position gezogen werden, zählen immer.',
    itemCount: 'Anzahl der Dateien',
    policy: {
      title: 'Regeln',
      examinedOnly: 'Nur Dateien annehmen, die der Dienst untersuchen kann',
      examinedOnlyHint:
        'Andere Dateien lassen die Einreichung fehlschlagen, statt unverändert angenommen zu werden.',
      strict: 'Befunde, die eine Einreichung immer fehlschlagen lassen',
      strictHint: 'Sonst kann der Lieferant sie zur Kenntnis nehmen, oder sie werden nur erwähnt.',
      strictNone: 'Keine außer den Regeln für alle Nachweise',
    },
    itemId: 'ID (Ordnername)',
    itemRequired: 'Erforderlich',
    addItem: 'Position hinzufügen',
    removeItem: 'Position entfernen',
  },
  fileTypes: {
    pdf: 'PDF',
    docx: 'Word-Dokument',
    xlsx: 'Excel-Arbeitsmappe',
    pptx: 'PowerPoint-Präsentation',
    csv: 'CSV-Tabelle',
    txt: 'reiner Text',
    log: 'Protokoll',
    md: 'Markdown',
    json: 'JSON',
    xml: 'XML',
    yaml: 'YAML',
    html: 'HTML-Seite',
    png: 'PNG-Bild',
    jpeg: 'JPEG-Bild',
    eml: 'E-Mail',
    msg: 'Outlook-Nachricht',
    odt: 'OpenDocument-Text',
    ods: 'OpenDocument-Tabelle',
    zip: 'ZIP-Archiv',
    sarif: 'SARIF-Scanergebnisse',
  },
  series: {
    add: 'Zu einer Serie hinzufügen',
    of: (name) => `Serie: ${name}`,
    addLabel: 'Serie',
    addHint: 'Das Kit ändert sich nicht. Das nächste Kit der Serie nennt es als das vorherige.',
  },
}

import type { BinderTexts } from './en.ts'

export const de: BinderTexts = {
  title: 'Nachweismappe: {name}',
  header: 'Nachweismappe',
  subject: 'Kit {kitId}.',
  cover: 'Deckblatt',
  kicker: 'NACHWEISMAPPE',
  introduction:
    'Diese Mappe ist die lesbare Zusammenfassung eines versiegelten Kits: was es enthält, wer es wann ausgestellt hat und wie man es verifiziert. Der Beweis liegt im Kit selbst. Jeder kann es offline verifizieren, ohne den Aussteller zu kontaktieren.',
  contents: 'Inhalt',
  page: 'Seite {page}',
  files: { one: '{count} Datei', other: '{count} Dateien' },
  fewBytes: { one: '{count} Byte', other: '{count} Bytes' },
  bytes: '{size} ({count} Bytes)',
  more: 'und {count} weitere',
  facts: {
    kit: 'Kit',
    job: 'Auftrag',
    issued: 'Ausgestellt',
    issuer: 'Aussteller',
    key: 'Fingerabdruck des Schlüssels',
    caller: 'Aufrufer',
    supplierNamed: 'Lieferant (im Kit genannt)',
    supplier: 'Lieferant',
    requester: 'Anfragende Stelle (im Kit genannt)',
    workspace: 'Arbeitsbereich',
    name: 'Name',
    profile: 'Profil',
    replaces: 'Ersetzt Kit',
    evidence: 'Nachweise',
    format: 'Format',
  },
  meaning: {
    title: 'Was dies belegt und was nicht',
    proves: 'Ein Kit, das die Verifizierung besteht, belegt',
    proved: [
      'Die Dateien stimmen mit dem Manifest überein: Jede Datei hat den angegebenen SHA-256-Hashwert und die angegebene Größe, und keine Datei wurde hinzugefügt.',
      'Das Manifest stimmt mit der Quittung überein.',
      'Die Schlüssel-ID der Quittung passt zu einem öffentlichen Schlüssel, dem Sie vertrauen wollen.',
      'Die Signatur der Quittung ist mit diesem Schlüssel gültig.',
      'Das Kit wurde seit der Ausstellung nicht verändert.',
    ],
    provesNot: 'Es belegt nicht',
    notProved: [
      'Dass ein Unternehmen Vorschriften einhält oder sicher ist.',
      'Dass Kontrollen wirksam sind.',
      'Dass ein Kunde, Prüfer, Versicherer, Zahlungsdienstleister, eine Bank oder eine Behörde die Unterlagen akzeptiert hat.',
      'Dass die Nachweise rechtlich ausreichen oder dass wahr ist, was sie aussagen.',
    ],
    limits: 'Die Grenzen dieses Dienstes im vollen Wortlaut',
    boundary:
      'Dieser Dienst zeichnet gelieferte Nachweise auf und lässt jeden prüfen, dass ein Kit das ist, was ausgestellt wurde, von wem und wann. Eine erfolgreiche Verifizierung belegt, dass die Dateien mit dem Manifest übereinstimmen, dass das Manifest mit der Quittung übereinstimmt, dass die Schlüssel-ID der Quittung zu einem öffentlichen Schlüssel passt, dass die Signatur der Quittung gültig ist und dass das Kit seit der Ausstellung nicht verändert wurde. Sie belegt weder die Regelkonformität noch die Sicherheit eines Unternehmens, noch dass Kontrollen wirksam sind, noch dass ein Kunde, Prüfer, Versicherer, Zahlungsdienstleister, eine Bank oder eine Behörde die Unterlagen akzeptiert hat, noch dass die Nachweise rechtlich ausreichen. Der Dienst zertifiziert und auditiert nicht, erteilt keine rechtliche Genehmigung, versichert nicht und verifiziert gelieferte Aussagen nicht unabhängig. Für die eingereichten Nachweise bleibt der Kunde verantwortlich.',
  },
  verify: {
    title: 'So verifizieren Sie',
    lead: 'Alle Wege führen zum selben Ergebnis, PASS oder FAIL. Sie brauchen das Kit: die Datei kit.zip oder den Ordner, in den sie entpackt wird.',
    browser: 'Im Browser',
    browserText:
      'Öffnen Sie START-HERE.html aus dem Kit und ziehen Sie das Kit auf die Seite. Das funktioniert offline, und nichts verlässt Ihren Computer. Der Aussteller kann dieses Kit mit seinen eigenen Schlüsseln verifizieren. Prüfen Sie, ob dies die Adresse ist, die Sie kennen:',
    qrCode: 'QR-Code von {address}',
    command: 'Auf der Kommandozeile',
    commandText:
      'Ersetzen Sie ISSUER durch die Adresse des Ausstellers, wie Sie sie kennen. Der Rückgabewert 0 bedeutet PASS, 1 bedeutet FAIL, 2 bedeutet, dass das Kit nicht lesbar war, 3 bedeutet, dass der Absender nicht bestätigt ist.',
    byHand: 'Von Hand',
    byHandText:
      'VERIFY.md im Kit führt jeden Schritt als Befehl auf, nur mit Standardwerkzeugen: sha256sum für die Dateien und openssl für die Signatur. Der erste Schritt prüft jede Datei:',
    key: 'Den Schlüssel des Ausstellers bestätigen',
    keyText:
      'Die Verifizierung zeigt, dass der Inhaber eines bestimmten Schlüssels dieses Kit ausgestellt hat. Um zu bestätigen, dass der Schlüssel dem Aussteller gehört, vergleichen Sie seinen Fingerabdruck einmal mit einem, den Sie direkt vom Aussteller erhalten haben, oder mit dem Schlüsselsatz, den er unter /.well-known/jwks.json veröffentlicht. Der Schlüssel im Kit und der Fingerabdruck unten belegen das nicht.',
  },
  inventory: {
    title: 'Verzeichnis',
    folders: { one: '{files} in {count} Ordner', other: '{files} in {count} Ordnern' },
    lead: '{count}, {size}. Unter jedem Namen steht der vollständige SHA-256-Hashwert, zur Lesbarkeit abwechselnd schattiert. manifest.json im Kit führt dieselben Dateien auf und die, die der Dienst hinzugefügt hat.',
    shortened: 'Lange Namen sind hier gekürzt. manifest.json enthält sie vollständig.',
    columns: { number: 'Nr.', name: 'Name', type: 'Typ', size: 'Größe' },
    topFolder: '(oberster Ordner)',
    continued: '{folder} (Fortsetzung)',
    missing:
      'Ein Kästchen mit Ziffern steht für ein Zeichen, das die Schriften dieser Mappe nicht enthalten. Die Ziffern sind sein Unicode-Codepunkt. manifest.json enthält jeden Namen vollständig.',
  },
  provenance: {
    title: 'Woher die Nachweise stammen',
    lead: 'Verifiziert ist nur, was der Dienst selbst gesehen hat. Was der Lieferant oder eine Datei angibt, wurde aufgezeichnet, und niemand hat es geprüft. reports/provenance.json im Kit enthält alles.',
    words: { verified: 'verifiziert', stated: 'angegeben' },
  },
  checklist: {
    title: 'Checkliste',
    lead: 'Die angefragten Positionen und die Dateien, die jemand dort abgelegt oder bestätigt hat. Der Dienst bewertet nichts.',
    item: 'Position',
    files: 'Dateien',
    none: 'Keine Dateien',
  },
  findings: {
    title: 'Befunde',
    lead: {
      one: 'Dem Dienst ist an den Dateien {count} Punkt aufgefallen. Er hat die Ausstellung des Kits nicht verhindert. reports/intake_report.json im Kit führt alle auf.',
      other:
        'Dem Dienst sind an den Dateien {count} Punkte aufgefallen. Keiner davon hat die Ausstellung des Kits verhindert. reports/intake_report.json im Kit führt alle auf.',
    },
    acknowledged: 'Vom Lieferanten zur Kenntnis genommen',
    notices: 'Hinweise',
    allFiles: 'Alle Dateien',
  },
}

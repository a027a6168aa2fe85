import type { submissions as english } from '../../en/console/submissions.ts'
import { counted, files, number } from '../words.ts'

const all = (count: number): string => counted(count, 'Einreichung', 'Einreichungen')

export const submissions: typeof english = {
  list: {
    lead: 'Von diesem Arbeitsbereich eingereichte Nachweise. Die Liste aktualisiert sich von selbst.',
    new: 'Neue Einreichung',
    search: 'Suchen',
    searchPlaceholder: 'Name, Dateiname, Schlagwort oder ID',
    status: 'Status',
    anyStatus: 'Jeder Status',
    statuses: {
      PENDING: 'Ausstehend',
      RUNNING: 'Wird geprüft',
      PASS: 'Versiegelt',
      FAIL: 'Änderung nötig',
      EXPIRED: 'Abgelaufen',
    },
    sort: 'Sortieren',
    sorts: {
      '-created_at': 'Neueste zuerst',
      created_at: 'Älteste zuerst',
      label: 'Name, A bis Z',
      '-label': 'Name, Z bis A',
      '-size_bytes': 'Größte zuerst',
      size_bytes: 'Kleinste zuerst',
    },
    moreFilters: 'Mehr Filter',
    fewerFilters: 'Weniger Filter',
    clearFilters: 'Filter zurücksetzen',
    filters: {
      path: 'Dateiname',
      pathExample: 'gehalt',
      tag: 'Schlagwort',
      series: 'Serie',
      external_id: 'Externe ID',
      created_after: 'Erstellt ab',
      created_before: 'Erstellt vor',
    },
    withTag: (tag) => `Einreichungen mit dem Schlagwort ${tag} anzeigen`,
    inSeries: (series) => `Serie: ${series}`,
    reissued: 'Neu ausgestellt',
    searchFurther: 'Ältere Einreichungen durchsuchen',
    shown: (count) => `${all(count)} angezeigt`,
    columns: {
      select: 'Auswählen',
      label: 'Name',
      status: 'Status',
      files: 'Nachweise',
      sender: 'Absender',
      created: 'Erstellt',
    },
    noSender: 'Lieferant, per Link',
    selectAll: 'Alle angezeigten auswählen',
    select: (label) => `${label} auswählen`,
    bulk: {
      selected: (count) => `${number(count)} ausgewählt`,
      download: 'Kits herunterladen',
      tag: 'Schlagwort hinzufügen',
      remove: 'Löschen',
      clear: 'Auswahl aufheben',
      tagTitle: (count) => `Schlagwort zu ${all(count)} hinzufügen`,
      tagLabel: 'Schlagwort',
      tagHint: 'Bis zu 50 Zeichen, ohne Kommas.',
      removeTitle: (count) => `${all(count)} löschen?`,
      removeText:
        'Entwürfe werden entfernt. Die Nachweise von Kits werden innerhalb einer Stunde gelöscht; Manifeste und Quittungen bleiben. Das lässt sich nicht rückgängig machen.',
      failed: (count, of) => `${number(count)} von ${all(of)} konnten nicht geändert werden:`,
    },
    none: {
      title: 'Noch keine Einreichungen',
      text: 'Laden Sie Nachweise hoch und erhalten Sie ein Kit, das jeder verifizieren kann.',
    },
    noMatch: {
      title: 'Keine Treffer',
      text: 'Wörter werden vom Anfang an verglichen: „geh“ findet „gehalt“. Versuchen Sie es mit weniger Wörtern oder Filtern.',
    },
  },
  timeline: {
    title: 'Verlauf',
    received: (count) => `${files(count)} hochgeladen`,
    actions: {
      'submission.created': 'Erstellt',
      'submission.changed': 'Schlagwörter oder Metadaten geändert',
      'submission.resubmitted': 'Dateien in einer neuen Einreichung verwendet',
      'submission.reissued': 'Kit neu ausgestellt',
      'submission.sealed': 'Eingereicht, keine weiteren Uploads',
      'submission.started': 'Prüfung begonnen',
      'submission.passed': 'Versiegelt, Kit ausgestellt',
      'submission.failed': 'Änderung nötig',
      'submission.held': 'Löschsperre gesetzt',
      'submission.released': 'Löschsperre aufgehoben',
      'submission.erased': 'Nachweise auf Anforderung gelöscht',
      'submission.deleted': 'Gelöscht',
      'submission.expired': 'Entwurf abgelaufen',
    },
    by: (actor, name) => {
      if (actor === 'service') return 'vom Dienst'
      if (actor === 'operator') return 'vom Betreiber'
      if (actor === 'link') return 'über den Link einer Freigabe oder Anfrage'
      if (actor === 'anonymous') return 'über einen öffentlichen Link'
      if (actor === 'key')
        return name === null ? 'mit einem API-Schlüssel' : `mit dem API-Schlüssel „${name}“`
      return `von ${name ?? 'einem Mitglied'}`
    },
  },
  submission: {
    id: 'Einreichungs-ID',
    missing: {
      title: 'Einreichung nicht gefunden',
      text: 'In diesem Arbeitsbereich nicht gefunden. Prüfen Sie den Link oder wechseln Sie in den Arbeitsbereich, zu dem sie gehört.',
    },
    earlier: 'frühere Einreichung',
    newer: 'neue Einreichung',
    resubmittedFrom: 'Verwendet Dateien aus:',
    resubmittedAs: 'Erneut eingereicht als:',
    waiting: {
      queued: {
        title: 'In Warteschlange',
        text: 'Die Prüfung beginnt bald. Diese Seite aktualisiert sich von selbst.',
      },
      running: {
        title: 'Wird geprüft',
        text: 'Jede Datei wird geprüft, dann wird das Kit versiegelt und verifiziert. Diese Seite aktualisiert sich von selbst.',
      },
    },
    draft: {
      unfinished: {
        title: 'Unvollständige Uploads',
        text: 'Um einen Upload fortzusetzen, wählen Sie dieselbe Datei noch einmal. Löschen Sie, was Sie nicht brauchen, und reichen Sie dann ein.',
        progress: (done, size) => `${done} von ${size} hochgeladen`,
        remove: 'Löschen',
      },
      title: 'Noch nicht eingereicht',
      text: 'Wählen Sie unten Dateien aus und reichen Sie sie ein.',
      withFiles:
        'Die Dateien unten sind bereits hochgeladen. Ergänzen Sie fehlende oder korrigierte Dateien und reichen Sie dann ein. Das Profil wird nach dem Hochladen geprüft.',
      there: (count) => `${files(count)} bereits hochgeladen`,
      delete: {
        action: 'Entwurf löschen',
        title: 'Diesen Entwurf löschen?',
        text: 'Hochgeladene Dateien werden gelöscht. Das lässt sich nicht rückgängig machen.',
      },
    },
    fail: {
      word: 'Änderung nötig',
      sentence: (blockers) => `${blockers} gefunden. Es wurde kein Kit ausgestellt.`,
      report: 'fail_report.json',
      fixTitle: 'Dateien, die bleiben',
      fixText:
        'Wählen Sie die Dateien aus, die bleiben sollen. Die Dateien werden in eine neue Einreichung kopiert, in der Sie die korrigierten hinzufügen können.',
      good: 'keine Blocker',
      bad: 'hat Blocker',
      notListed: 'keine Blocker aufgeführt',
      fix: 'Korrigieren und neu einreichen',
      keeps: (kept, count) =>
        `Behält ${number(kept)} von ${files(count)}. Die korrigierten fügen Sie danach hinzu.`,
    },
    kit: {
      unpacked: (uploaded, count) =>
        `${files(uploaded)} hochgeladen, ${files(count)} im Kit: ZIP-Archive werden entpackt.`,
      expiredWord: 'Abgelaufen',
      sentence: 'Das Kit wurde ausgestellt. Jeder kann es verifizieren, mit diesem Dienst oder ohne ihn.',
      expired:
        'Die Nachweise wurden gelöscht. Manifest und Quittung bleiben. Kopien des Kits lassen sich weiterhin verifizieren.',
      downloadKit: 'kit.zip herunterladen',
      verify: 'In diesem Browser verifizieren',
      verifyText: 'Kit herunterladen und hier mit den veröffentlichten Schlüsseln verifizieren.',
      notFetched: (status) =>
        `Das Kit konnte nicht heruntergeladen werden (HTTP ${status}). Versuchen Sie es noch einmal.`,
      parts: 'Teile des Kits',
      tabs: { evidence: 'Nachweise', binder: 'Mappe', deliverables: 'Downloads', details: 'Details' },
      allFiles: 'Alle Dateien im Kit',
      issued: 'Ausgestellt:',
      facts: {
        kit: 'Kit-ID',
        supplier: 'Lieferant (im Kit genannt)',
        supplierByLink: 'Lieferant',
        requester: 'Anfragende Stelle (im Kit genannt)',
        issued: 'Ausgestellt',
        key: 'Schlüssel-ID',
        manifest: 'SHA-256 des Manifests',
        root: 'Root-Hash',
        receipt: 'SHA-256 der Quittung',
        zip: 'SHA-256 der kit.zip',
        size: 'Größe',
        sizeValue: (count, size) => `${size}, ${files(count)} einschließlich der vom Dienst hinzugefügten`,
        page: 'Seite zum Verifizieren',
      },
      log: {
        place: 'Im Log',
        position: (index, origin, size) => `Eintrag ${number(index + 1)} von ${number(size)} in ${origin}`,
        proof: 'Neuesten Log-Beweis herunterladen',
        witnesses: 'Zeugen',
        cosigned: (name, at) => `${name}, ${at}`,
        none: 'Noch kein Zeuge hat es bestätigt',
      },
      binderHint: 'Die Mappe ist ein PDF zum Lesen und Drucken.',
      binderAlone: 'In neuem Tab öffnen',
      deliverables: {
        'kit.zip': 'Das vollständige Kit: Nachweise, Dokumente und Prüfprogramm',
        'manifest.json': 'Liste aller Dateien mit ihren Hashwerten',
        'receipt.json': 'Signierte Quittung',
        'receipt.canonical.json': 'Genau die Bytes, die signiert wurden',
        'receipt.sig': 'Ed25519-Signatur, 64 Bytes',
        'jwks.json':
          'Kopie der öffentlichen Schlüssel, zur Bequemlichkeit. Vertrauenswürdige Schlüssel erhalten Sie vom Aussteller.',
        'binder.pdf': 'Mappe, zum Lesen und Drucken',
        'VERIFY.md': 'Wie das Kit verifiziert wird',
        'reports/intake_report.json': 'Was hochgeladen wurde, und das Ergebnis der Prüfungen',
        'reports/classification_report.json': 'Der Typ jeder Datei',
        'reports/provenance.json': 'Woher die Nachweise stammen, verifiziert und angegeben',
        'reports/reissue.json': 'Das Kit, das dieses ersetzt, und warum',
        'reports/program.json': 'Die Positionen des Zeitraums, ihr Status und ihre Dateien',
        'reports/series.json': 'Das vorherige Kit der Serie und die Unterschiede',
      },
    },
  },
  inventory: {
    path: 'Datei',
    sha256: 'SHA-256',
    size: 'Größe',
    hashOf: (name) => `SHA-256 von ${name}`,
    kinds: {
      evidence: 'Nachweise',
      binder: 'Mappe',
      report: 'Berichte',
      guide: 'Anleitung zum Verifizieren',
      verifier: 'Prüfprogramm',
      bag: 'BagIt-Dateien',
      envelope: 'Umschlag (Manifest, Quittung, Signatur, Schlüssel)',
    },
  },
}

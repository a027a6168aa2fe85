import type { KitTexts } from './en.ts'

export const de: KitTexts = {
  boundary:
    'Nur Nachweis der Unversehrtheit und der Ausstellung. Kein Audit, keine Zertifizierung, keine Compliance-Garantie.',
  verdicts: {
    verified: {
      heading: 'Verifiziert',
      advice: 'Die Dateien sind unverändert, und die Quittung ist signiert. Schlüssel: KEY.',
    },
    sender_unconfirmed: {
      heading: 'Dateien unversehrt. Absender noch nicht bestätigt.',
      advice:
        'Jeder kann ein Kit erstellen, das diesen Aussteller nennt. Beziehen Sie den Schlüsselsatz von einer Website, die Sie als die des Ausstellers kennen, oder vergleichen Sie die Schlüssel-ID mit einer, die Sie auf anderem Weg erhalten haben.',
    },
    signer_unknown: {
      heading: 'Nicht vom genannten Aussteller signiert',
      advice:
        'Der Aussteller hat vielleicht einen neuen Schlüssel, oder jemand anderes hat dieses Kit erstellt. Vergleichen Sie die Schlüssel des Ausstellers unter einer Adresse, die Sie bereits kennen: kitseal trust add ISSUER',
    },
    key_revoked: {
      heading: 'Signaturschlüssel am DATE widerrufen',
      advice:
        'Verlassen Sie sich nicht darauf. Bitten Sie den Lieferanten um ein neu ausgestelltes Kit, das mit einem aktuellen Schlüssel signiert ist.',
    },
    altered: {
      heading: 'Seit der Ausstellung verändert',
      advice: 'Verlassen Sie sich nicht darauf. Bitten Sie den Aussteller um das Original.',
    },
    unreadable: {
      heading: 'Kein lesbares Kit',
      advice:
        'Prüfen Sie, ob Sie die vollständige Datei haben, und bitten Sie dann den Absender, sie noch einmal zu senden.',
    },
  },
  keyRevoked: 'Signaturschlüssel widerrufen',
  notLogged:
    'Die Signatur ist die des Ausstellers, aber der Log-Beweis oder seine Zeit erfüllt Ihre Richtlinie nicht. Bitten Sie den Aussteller um einen neueren Log-Beweis und fragen Sie, ob er dieses Kit ausgestellt hat.',
  keys: {
    kit: 'der aus dem Kit selbst, also könnte es jeder erstellt haben',
    none: 'ein nicht bestätigter',
    given: 'der von Ihnen angegebene',
    pinned: 'der von Ihnen hinterlegte',
    pinnedOn: 'der von Ihnen am {day} hinterlegte',
    notCompared: 'der von {host} heute veröffentlichte; bisher nicht verglichen',
    confirmed: 'der von {host} heute veröffentlichte; von Ihnen am {day} bestätigt',
    firstUse: 'der von {host} heute veröffentlichte; derselbe wie bei Ihrer ersten Verwendung am {day}',
    site: 'der von dieser Website, {host}, veröffentlichte',
  },
  names: {
    named: 'im Kit genannt',
    operator: 'bestätigt vom Betreiber von {host}',
    own: 'wie sich der Arbeitsbereich selbst nennt',
  },
  anonymous:
    'Anonymer Aufrufer. Den Namen hat der Aufrufer selbst geschrieben. Es wurden keine Dateien geliefert.',
  byLink: 'Jemand mit dem Link einer Anfrage (nicht verifiziert)',
  checks: {
    kit_reads_in_one_way: 'Das Archiv ist wohlgeformt und eindeutig',
    files_match_manifest: 'Jede Datei des Manifests ist vorhanden und unverändert',
    nothing_was_added: 'Das Kit enthält keine Dateien, die nicht im Manifest stehen',
    manifest_matches_receipt: 'Das Manifest stimmt mit der Quittung überein',
    receipt_is_whole: 'Die Quittung ist wohlgeformt und passt zu ihrem eigenen Hashwert',
    envelope_agrees: 'Die Dateien mit Quittung, Signatur und Schlüsselsatz sind stimmig',
    key_id_matches_public_key: 'Die Schlüssel-ID der Quittung passt zu einem öffentlichen Schlüssel',
    key_was_alive: 'Der Signaturschlüssel war aktiv, als die Quittung ausgestellt wurde',
    signature_verifies: 'Die Ed25519-Signatur der Quittung ist gültig',
    signer_is_trusted: 'Der Signaturschlüssel ist von außerhalb des Kits bekannt',
    receipt_is_logged: 'Die Quittung steht in einem Log, dessen Schlüssel von außerhalb des Kits bekannt ist',
    log_is_witnessed: 'Das Log und seine Zeugen erfüllen Ihre Richtlinie',
    time_is_confirmed: 'Zeugen oder ein Zeitstempel bestätigen die Zeit der Quittung',
    file_matches_proof: 'Die Datei gehört zu dem Kit, für das die Quittung ausgestellt wurde',
  },
  provenance: {
    headings: {
      verified: 'Verifiziert von {host}',
      unconfirmed: 'Im Kit genannt, nicht bestätigt',
      supplier: 'Vom Lieferanten angegeben, nicht verifiziert',
      files: 'In den Dateien angegeben, nicht verifiziert',
    },
    allFiles: 'Alle Dateien',
    andMore: '{first} und {more} weitere',
    ciRun: 'CI-Lauf',
    ciRunOf: 'CI-Lauf von {repository}',
    workflow: 'Workflow {name}',
    run: 'Lauf {run}',
    attempt: 'Lauf {run}, Versuch {attempt}',
    commit: 'Commit {commit}',
    token: 'Token von {issuer}',
    uploaded: 'hochgeladen {time}',
    routes: { browser: 'im Browser', api: 'über die API', request_link: 'über den Link einer Anfrage' },
    resumable: '{route} (fortsetzbar)',
    key: 'Schlüssel {name}',
    member: 'Mitglied {id}',
    link: 'Link {id}',
    byService: 'vom Dienst geschrieben {time}',
    confirmedAddress: 'gesendet von {address}, bestätigt {time}',
    sentBy: 'gesendet von {name}',
    uploadedWith: 'hochgeladen mit {program}',
    collectedWith: 'gesammelt mit {program}',
    command: 'Befehl {command}',
    collected: 'gesammelt {time}',
    period: 'Zeitraum {from} bis {to}',
    system: 'System {system}',
    query: 'Abfrage {query}',
  },
}

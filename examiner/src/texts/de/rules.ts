import type { Rules } from '../evidence-texts.ts'

const NOTHING = 'Nichts zu tun.'
const SAVE_AGAIN = 'Öffnen und speichern Sie die Datei noch einmal und laden Sie die neue hoch.'
const NO_PASSWORD = 'Speichern Sie die Datei ohne Passwort.'
const SPLIT = 'Teilen Sie sie auf mehrere Einreichungen auf.'

export const rules: Rules = {
  empty_submission: {
    message: 'Die Einreichung enthält keine Dateien.',
    remedy: 'Laden Sie mindestens eine Datei hoch.',
  },
  empty_file: {
    message: 'Die Datei ist leer, was bei diesem Dateityp nicht sein kann.',
    remedy: 'Laden Sie die Datei mit ihrem Inhalt hoch oder lassen Sie sie weg.',
  },
  empty_text: {
    message: 'Die Datei ist leer.',
    remedy:
      'Nichts zu tun, wenn sie leer sein soll, zum Beispiel als Ausgabe eines Scanners, der nichts gefunden hat.',
  },
  empty_archive: {
    message: 'Das Archiv enthält keine Dateien.',
    remedy: 'Laden Sie mindestens eine Datei hoch.',
  },
  unsupported_type: {
    message: 'Dateien dieses Typs werden angenommen, aber nicht untersucht.',
    remedy:
      'Nichts zu tun. Wenn Prüfer sie womöglich nicht öffnen können, fügen Sie einen Export als PDF oder Text hinzu.',
  },
  partly_examined: {
    message: 'Die Datei wurde nicht vollständig untersucht.',
    remedy: 'Nichts zu tun. Teilen Sie die Datei auf, wenn alles untersucht werden soll.',
  },
  not_examined_in_time: {
    message: 'Die Untersuchung der Datei braucht mehr Arbeit, als erlaubt ist.',
    remedy: 'Lassen Sie die Datei weg oder senden Sie ihren Inhalt in anderer Form.',
  },
  type_mismatch: {
    message: 'Der Inhalt passt nicht zur Dateiendung.',
    remedy:
      'Prüfen Sie, ob es die richtige Datei ist. Passen Sie die Endung an den Inhalt an, wenn Sie können.',
  },
  control_characters: {
    message: 'Der Text enthält NUL- oder andere Steuerzeichen.',
    remedy: 'Nichts zu tun. Manche Programme zeigen womöglich nicht alles.',
  },
  executable_content: {
    message: 'Die Datei ist ein Programm, enthält eines oder hat die Endung eines Programms.',
    remedy:
      'Entfernen Sie Programme. Um zu belegen, dass es eines gibt, laden Sie seinen Hashwert in einer Textdatei hoch.',
  },
  script_content: {
    message: 'Die Datei ist ein Skript oder Quellcode.',
    remedy: 'Nichts zu tun. Prüfer sollten sie nicht ausführen.',
  },
  macros: {
    message: 'Die Office-Datei enthält Makros.',
    remedy: 'Speichern Sie sie ohne Makros (DOCX, XLSX, PPTX, ODT oder ODS) oder als PDF.',
  },
  encrypted_archive: {
    message: 'Diese Datei im Archiv ist verschlüsselt.',
    remedy: 'Packen Sie die Dateien noch einmal, ohne Passwort.',
  },
  encrypted_pdf: { message: 'Das PDF lässt sich nur mit einem Passwort öffnen.', remedy: NO_PASSWORD },
  encrypted_office: { message: 'Die Office-Datei ist mit einem Passwort geschützt.', remedy: NO_PASSWORD },
  unreadable_archive: {
    message:
      'Das Archiv ist beschädigt oder mehrdeutig: Verschiedene Programme könnten Verschiedenes daraus lesen.',
    remedy: 'Packen Sie die Dateien noch einmal mit einer aktuellen Version eines gängigen Werkzeugs.',
  },
  irregular_archive: {
    message: 'Das Archiv ist nicht wohlgeformt, aber gängige Programme lesen daraus dieselben Dateien.',
    remedy:
      'Packen Sie die Dateien noch einmal. Was Programme darin überspringen, wird nicht untersucht und ist nicht Teil des Kits.',
  },
  archive_method: {
    message: 'Das Archiv verwendet ein Kompressionsverfahren, das wenig verbreitet ist.',
    remedy: 'Packen Sie die Dateien noch einmal mit Deflate, der Voreinstellung der meisten Werkzeuge.',
  },
  name_traversal: {
    message: 'Der Name enthält „..“ und zeigt aus seinem Ordner hinaus.',
    remedy: 'Packen Sie die Dateien aus ihrem Ordner heraus.',
  },
  name_absolute: {
    message: 'Der Name ist ein absoluter Pfad.',
    remedy: 'Packen Sie die Dateien mit relativen Pfaden.',
  },
  name_backslash: {
    message:
      'Der Name enthält einen umgekehrten Schrägstrich, der nur unter Windows Ordner trennt und im Kit als Ordnertrenner gilt.',
    remedy:
      'Packen Sie die Dateien noch einmal mit „/“ zwischen Ordnern. Der Windows-Explorer, 7-Zip und PowerShell 7 tun das; ältere Versionen von Compress-Archive und .NET nicht.',
  },
  name_not_unicode: {
    message: 'Die Zeichenkodierung des Namens ist unbekannt.',
    remedy:
      'Packen Sie die Dateien noch einmal mit einem Werkzeug, das Namen in UTF-8 schreibt, oder verwenden Sie nur ASCII-Zeichen.',
  },
  name_decoded: {
    message:
      'Der Name im Archiv ist nicht als UTF-8 gekennzeichnet; er wurde dekodiert, und Programme zeigen womöglich einen anderen.',
    remedy: 'Prüfen Sie, ob der Name stimmt. Aktuelle Versionen gängiger Werkzeuge schreiben Namen in UTF-8.',
  },
  name_changed: {
    message:
      'Ein Teil des Namens endet mit einem Punkt oder Leerzeichen, das im Kit wegfällt wie unter Windows.',
    remedy: NOTHING,
  },
  name_unportable: {
    message: 'Der Name enthält Zeichen, die Windows nicht speichern kann.',
    remedy: 'Nichts zu tun. Prüfer mit Windows brauchen womöglich ein Programm, das sie ersetzt.',
  },
  name_forbidden: {
    message: 'Der Name ist nicht auf jedem Betriebssystem gültig.',
    remedy:
      'Benennen Sie die Datei um: keine Steuerzeichen, keine von Windows reservierten Namen, kein Teil nur aus Punkten und Leerzeichen, höchstens 255 Bytes je Teil und 1.024 insgesamt.',
  },
  name_direction: {
    message:
      'Der Name enthält unsichtbare Zeichen, die die Schreibrichtung ändern und ihn verfälschen können.',
    remedy: 'Geben Sie den Namen ohne diese Zeichen neu ein.',
  },
  name_collision: {
    message:
      'Eine andere Datei hat denselben Namen oder einen, den manche Betriebssysteme als denselben behandeln.',
    remedy: 'Benennen Sie eine der beiden um.',
  },
  link: {
    message: 'Der Eintrag ist eine Verknüpfung, keine Datei.',
    remedy: 'Packen Sie stattdessen die Datei, auf die sie zeigt.',
  },
  special_file: {
    message: 'Der Eintrag ist weder eine Datei noch ein Ordner.',
    remedy: 'Lassen Sie ihn weg.',
  },
  too_many_entries: { message: 'Die Einreichung enthält zu viele Dateien.', remedy: SPLIT },
  too_large_unpacked: { message: 'Die Einreichung ist entpackt zu groß.', remedy: SPLIT },
  archive_ratio: {
    message: 'Das Archiv ist entpackt weit größer als gepackt, wie eine ZIP-Bombe.',
    remedy: 'Laden Sie die Dateien entpackt hoch oder lassen Sie sie weg.',
  },
  nested_too_deep: {
    message: 'Archive oder Dokumente sind zu tief verschachtelt.',
    remedy: 'Entpacken Sie die inneren.',
  },
  xml_entities: {
    message: 'Das XML deklariert eigene Entitäten, die nicht jedes Programm gleich auflöst.',
    remedy: 'Exportieren Sie es ohne Entitätsdeklarationen.',
  },
  malformed_pdf: { message: 'Das PDF ist beschädigt oder abgeschnitten.', remedy: SAVE_AGAIN },
  malformed_office: { message: 'Die Office-Datei ist beschädigt.', remedy: SAVE_AGAIN },
  malformed_gzip: {
    message: 'Die gzip-Datei ist beschädigt, deshalb wurde ihr Inhalt nicht untersucht.',
    remedy: 'Packen Sie sie noch einmal oder laden Sie sie entpackt hoch.',
  },
  malformed_image: {
    message: 'Das Bild ist beschädigt oder abgeschnitten.',
    remedy: 'Exportieren Sie das Bild noch einmal.',
  },
  active_content: {
    message: 'Die Datei enthält Skripte, Links oder Objekte, die beim Öffnen etwas tun.',
    remedy:
      'Nichts zu tun. Prüfer sollten sie nicht im Browser öffnen und ihr nicht erlauben, etwas auszuführen.',
  },
  appended_content: {
    message: 'An diese Datei ist eine andere angehängt, und manche Programme öffnen stattdessen jene.',
    remedy: 'Speichern Sie die Datei noch einmal ohne sie und laden Sie die andere getrennt hoch.',
  },
  private_key: {
    message: 'Die Datei enthält einen privaten Schlüssel.',
    remedy: 'Entfernen Sie ihn. Wurde er je an jemanden gesendet, ersetzen Sie den Schlüssel.',
  },
  possible_secret: {
    message: 'Die Datei enthält möglicherweise ein Geheimnis, etwa ein Passwort oder einen Schlüssel.',
    remedy:
      'Prüfen Sie die Stelle. Ist es ein echtes Geheimnis, entfernen Sie es aus der Datei und machen Sie es ungültig, falls die Datei an jemanden gesendet wurde. Sonst bestätigen Sie, dass es im Kit enthalten sein darf.',
  },
  kit_verified: { message: 'Dies ist ein Kit, und es wurde verifiziert.', remedy: NOTHING },
  kit_unconfirmed: {
    message: 'Dies ist ein Kit mit unversehrten Dateien, dessen Aussteller hier nicht bekannt ist.',
    remedy: 'Nichts zu tun. Damit es verifiziert wird, hinterlegen Sie die Schlüssel seines Ausstellers.',
  },
  kit_altered: {
    message: 'Dies ist ein Kit, das seit der Ausstellung verändert wurde.',
    remedy: 'Bitten Sie seinen Aussteller um das Original.',
  },
  kit_forged: {
    message: 'Dies ist ein Kit, das nicht vom genannten Aussteller signiert wurde.',
    remedy:
      'Fragen Sie den Aussteller unter einer Adresse, die Sie bereits kennen, ob er dieses Kit ausgestellt hat.',
  },
  kit_key_revoked: {
    message: 'Dies ist ein Kit, dessen Signaturschlüssel widerrufen wurde.',
    remedy: 'Bitten Sie seinen Lieferanten um ein neu ausgestelltes Kit.',
  },
  test_virus: {
    message: 'Die Datei enthält die EICAR-Testzeichenfolge für Virenscanner.',
    remedy: 'Lassen Sie sie weg.',
  },
  virus_found: {
    message: 'Der Virenscanner hat Schadsoftware gefunden.',
    remedy: 'Lassen Sie die Datei weg und den Computer prüfen, von dem sie stammt.',
  },
  scan_failed: {
    message: 'Der Virenscanner konnte die Datei nicht prüfen.',
    remedy:
      'Reichen Sie später noch einmal ein. Scheitert es weiterhin, wenden Sie sich an den Betreiber des Dienstes.',
  },
  checksum_mismatch: {
    message: 'Die Datei passt nicht zu ihrer Prüfsumme in den Nachweisen.',
    remedy: 'Laden Sie die richtige Datei hoch oder erstellen Sie die Prüfsummen neu.',
  },
  checksum_file_missing: {
    message: 'Eine Prüfsummenliste in den Nachweisen nennt eine Datei, die fehlt.',
    remedy: 'Laden Sie die Datei hoch oder erstellen Sie die Prüfsummen neu.',
  },
  checksum_list_malformed: {
    message: 'Die Prüfsummenliste ist nicht lesbar.',
    remedy: 'Nichts zu tun, wenn es so gewollt ist. Sonst erstellen Sie die Liste mit `sha256sum` neu.',
  },
  profile_item_missing: {
    message: 'Eine Position, die das Profil verlangt, fehlt.',
    remedy:
      'Legen Sie die Dateien in einen Ordner mit der ID der Position oder bestätigen Sie eine Datei mit passendem Namen.',
  },
  profile_item_too_old: {
    message: 'Die Nachweise für eine Position sind älter, als das Profil erlaubt.',
    remedy:
      'Laden Sie einen neueren Export hoch und geben Sie an, wann er gesammelt wurde (Herkunft), oder schreiben Sie das Datum in den Dateinamen, als JJJJ-MM-TT.',
  },
  profile_item_undated: {
    message:
      'Das Profil begrenzt das Alter einer Position, aber keine passende Datei hat ein Datum in ihrer Herkunft oder ihrem Namen.',
    remedy:
      'Geben Sie an, wann die Nachweise gesammelt wurden (Herkunft), oder schreiben Sie das Datum in den Dateinamen, als JJJJ-MM-TT.',
  },
  provenance_unmatched: {
    message: 'Die Herkunft wurde für eine Datei angegeben, die nicht unter den Nachweisen ist.',
    remedy: 'Nennen Sie die Datei mit ihrem Pfad im Kit, ohne data/.',
  },
  more_findings: {
    message: 'Es gibt mehr Befunde, als aufgeführt sind.',
    remedy: 'Nichts zu tun. Teilen Sie die Einreichung auf, um alle zu sehen.',
  },
  more_blockers: {
    message: 'Es gibt mehr Blocker, als aufgeführt sind.',
    remedy: 'Beheben Sie zuerst diese und reichen Sie dann erneut ein.',
  },
}

import type { Errors } from '../errors.ts'

const NEW_LINK = 'Bitten Sie um einen neuen Link.'
const LATER = 'Versuchen Sie es in einigen Minuten noch einmal.'
const UPLOAD_AGAIN = 'Laden Sie die Datei noch einmal hoch.'

export const errors: Errors = {
  link_not_found: `Dieser Link ist abgelaufen oder wurde ersetzt. ${NEW_LINK}`,
  share_not_found: 'Zu diesem Link gibt es keine Freigabe. Prüfen Sie, ob Sie ihn vollständig kopiert haben.',
  share_revoked: `Der Absender hat diese Freigabe widerrufen. ${NEW_LINK}`,
  share_replaced: `Dieser Link wurde durch einen neuen ersetzt. ${NEW_LINK}`,
  share_expired: `Diese Freigabe ist abgelaufen. ${NEW_LINK}`,
  share_exhausted: 'Das Download-Limit dieser Freigabe ist erreicht. Bitten Sie den Absender, es zu erhöhen.',
  share_password_wrong: 'Das Passwort ist falsch.',
  shared_file_not_found: 'Diese Freigabe enthält diese Datei nicht.',
  room_not_found: 'Dieser Link gehört zu keinem Datenraum.',
  room_full: 'Dieser Datenraum nimmt keine weiteren Kommentare und Markierungen auf.',
  comment_not_found:
    'Diesen Kommentar gibt es nicht mehr, oder nur die fragende Person darf seinen Status ändern.',
  kit_not_found: 'Dieses Kit gibt es hier nicht.',
  kit_expired: 'Die Aufbewahrungsfrist dieses Kits ist abgelaufen; seine Dateien sind gelöscht.',
  mail_off: 'Dieser Dienst versendet keine E-Mails.',
  request_not_open: 'Diese Anfrage nimmt nichts mehr an.',
  request_item_locked:
    'Über diese Position ist bereits entschieden. Sie lässt sich erst ändern, wenn sie zurückgegeben wird.',
  submission_running: 'Die Dateien werden gerade geprüft. Versuchen Sie es gleich noch einmal.',
  submission_submitted: 'Die Dateien sind bereits eingereicht. Laden Sie die Seite neu.',
  evidence_gone: 'Die früheren Dateien sind gelöscht. Laden Sie sie noch einmal hoch.',
  uploads_unfinished: 'Einige Dateien sind noch nicht vollständig hochgeladen.',
  upload_in_progress: 'Ein anderer Upload läuft noch. Warten Sie, bis er beendet ist.',
  upload_locked: 'Die Datei wird gerade gespeichert. Versuchen Sie es gleich noch einmal.',
  upload_expired: `Der Upload wurde zu lange unterbrochen. ${UPLOAD_AGAIN}`,
  checksum_mismatch: `Die Datei ist nicht unverändert angekommen. ${UPLOAD_AGAIN}`,
  storage_limit_reached:
    'Der verfügbare Speicherplatz ist ausgeschöpft. Es lassen sich keine weiteren Dateien speichern.',
  storage_full: `Der Dienst hat zu wenig freien Speicherplatz. ${LATER}`,
  rate_limited: 'Das waren zu viele Versuche. Warten Sie etwas, bevor Sie es noch einmal versuchen.',
  request_timeout: 'Die Übertragung ist abgebrochen. Versuchen Sie es noch einmal.',
  internal_error: `Im Dienst ist ein Fehler aufgetreten. ${LATER}`,
  overloaded: `Der Dienst ist überlastet. ${LATER}`,
  store_unavailable: `Der Dienst ist vorübergehend nicht verfügbar. ${LATER}`,
  object_unavailable: `Diese Datei ist vorübergehend nicht verfügbar. ${LATER}`,
  stopping: `Der Dienst wird gerade neu gestartet. ${LATER}`,
}

import type { Errors } from '../errors.ts'

const NEW_LINK = 'Pida un enlace nuevo.'
const LATER = 'Vuelva a intentarlo en unos minutos.'
const UPLOAD_AGAIN = 'Vuelva a subir el archivo.'

export const errors: Errors = {
  link_not_found: `Este enlace ha caducado o ha sido sustituido. ${NEW_LINK}`,
  share_not_found:
    'Este enlace no corresponde a ningún acceso compartido. Compruebe que lo ha copiado entero.',
  share_revoked: `El remitente ha revocado este enlace. ${NEW_LINK}`,
  share_replaced: `Este enlace ha sido sustituido por otro. ${NEW_LINK}`,
  share_expired: `Este enlace ha caducado. ${NEW_LINK}`,
  share_exhausted: 'Se ha alcanzado el límite de descargas de este enlace. Pida al remitente que lo amplíe.',
  share_password_wrong: 'La contraseña es incorrecta.',
  shared_file_not_found: 'Este enlace no incluye ese archivo.',
  room_not_found: 'Este enlace no corresponde a ninguna sala.',
  room_full: 'Esta sala ya no admite más comentarios ni marcas.',
  comment_not_found: 'Este comentario ya no existe, o solo quien hizo la pregunta puede cambiar su estado.',
  kit_not_found: 'Este kit no está aquí.',
  kit_expired: 'El plazo de conservación de este kit ha terminado y sus archivos se han eliminado.',
  mail_off: 'Este servicio no envía correos.',
  request_not_open: 'Esta solicitud ya no admite nada más.',
  request_item_locked:
    'Ya se ha tomado una decisión sobre este elemento. Solo se puede cambiar si se lo devuelven.',
  submission_running: 'Los archivos se están comprobando. Vuelva a intentarlo en un momento.',
  submission_submitted: 'Los archivos ya se han enviado. Recargue la página.',
  evidence_gone: 'Los archivos anteriores se han eliminado. Vuelva a subirlos.',
  uploads_unfinished: 'Algunos archivos aún no se han subido por completo.',
  upload_in_progress: 'Hay otra subida en curso. Espere a que termine.',
  upload_locked: 'El archivo se está guardando. Vuelva a intentarlo en un momento.',
  upload_expired: `La subida ha estado interrumpida demasiado tiempo. ${UPLOAD_AGAIN}`,
  checksum_mismatch: `El archivo se ha alterado durante la subida. ${UPLOAD_AGAIN}`,
  storage_limit_reached:
    'El espacio de almacenamiento disponible está agotado. No se pueden guardar más archivos.',
  storage_full: `El servicio tiene muy poco espacio de almacenamiento. ${LATER}`,
  rate_limited: 'Demasiados intentos. Espere un poco antes de volver a intentarlo.',
  request_timeout: 'La transmisión se ha interrumpido. Vuelva a intentarlo.',
  internal_error: `Se ha producido un error en el servicio. ${LATER}`,
  overloaded: `El servicio está sobrecargado. ${LATER}`,
  store_unavailable: `El servicio no está disponible temporalmente. ${LATER}`,
  object_unavailable: `Este archivo no está disponible temporalmente. ${LATER}`,
  stopping: `El servicio se está reiniciando. ${LATER}`,
}

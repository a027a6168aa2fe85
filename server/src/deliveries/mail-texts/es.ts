import type { MailTexts, MailWords } from './mail-texts.ts'

export const es: MailTexts = {
  invitation: {
    subject: 'Invitación a {workspace}',
    before: ['{inviter} le invita al espacio de trabajo {workspace} como {role}.'],
    action: 'Aceptar la invitación',
    after: [
      'El enlace sirve una sola vez y caduca el {expires}. Quien lo tenga puede usarlo, así que no reenvíe este correo.',
      'Si no esperaba esta invitación, ignore este correo.',
    ],
  },
  request: {
    subject: '{workspace} solicita evidencias: {title}',
    before: [
      '{workspace} le pide evidencias: {title}.',
      '{message}',
      'Elementos: {items}.',
      'Fecha límite: {due}.',
    ],
    action: 'Abrir la solicitud',
    after: [
      'No necesita una cuenta. Quien tenga el enlace puede subir archivos en su nombre, así que reenvíelo solo a quien corresponda.',
    ],
  },
  reminder: {
    subject: 'Recordatorio: {title} ({when})',
    before: [
      'Las evidencias que solicitó {workspace}, {title}: {when}.',
      'Fecha límite: {due}.',
      'Elementos pendientes: {open}.',
    ],
    action: 'Abrir la solicitud',
    after: [],
  },
  period: {
    subject: '{title} ({when})',
    before: [
      '{title} de {workspace}: {when}.',
      '{message}',
      'Sus elementos: {items}.',
      'Fecha límite: {due}.',
    ],
    action: 'Abrir el período',
    after: [],
  },
  result: {
    subject: '{title}: {result}',
    before: ['{title}, para {workspace}: {result}.', '{advice}'],
    action: 'Abrir',
    after: [],
  },
  share: {
    subject: '{workspace} compartió evidencias con usted: {title}',
    before: ['{workspace} compartió evidencias con usted: {title}.', '{note}', '{password}'],
    action: 'Abrir',
    after: [
      'La página comprueba los archivos en su navegador. No necesita una cuenta.',
      'El enlace se creó para usted, y el remitente ve cuándo se usa. Caduca el {expires}. Quien lo tenga puede abrir lo compartido.',
    ],
  },
  key_revocation: {
    subject: 'Clave de firma revocada. Kits suyos afectados: {kits}',
    before: [
      'La clave de firma {kid} fue revocada el {revoked}. Kits de {workspace} que firmó: {kits}.',
      'Su clave privada puede estar en otras manos desde el {since}. Los kits cuya anterioridad se demuestre siguen siendo válidos.',
      'Los verificadores indican ahora que estos kits están firmados con una clave revocada. Puede emitirlos de nuevo con una clave nueva.',
    ],
    action: 'Mostrar los kits afectados',
    after: [],
  },
  webhook_disabled: {
    subject: 'Webhook desactivado: {url}',
    before: [
      'El webhook {url} de {workspace} fallaba desde el {since} y fue desactivado.',
      'Último problema: {problem}',
      'No se pierde ningún evento: cuando el receptor vuelva a funcionar, active el webhook y continuará donde se detuvo.',
    ],
    action: 'Abrir el espacio de trabajo',
    after: [],
  },
  test: {
    subject: 'Correo de prueba de {issuer}',
    before: [
      'Usted pidió este correo como operador de {issuer} y miembro de {workspace}. El servicio puede enviar correo.',
    ],
    action: 'Abrir la página del servicio',
    after: [],
  },
  access_reset: {
    subject: 'Se ha restablecido su acceso a {workspace}',
    before: [
      'El operador {operator} eliminó sus llaves de acceso al espacio de trabajo {workspace} y cerró sus sesiones.',
      'Abra el enlace para iniciar sesión y añadir una llave de acceso nueva.',
    ],
    action: 'Iniciar sesión',
    after: [
      'El enlace sirve una sola vez y caduca el {expires}. Quien lo tenga puede usarlo, así que no reenvíe este correo.',
      'Si usted no lo pidió, avise a un propietario del espacio de trabajo. El registro de auditoría nombra al operador.',
    ],
  },
}

export const words: MailWords = {
  unsubscribe: 'No recibir más correos de {workspace}',
  unsubscribeText: 'Para no recibir más correos de {workspace}: {url}',
  phrases: {
    notComplete: 'aún sin completar',
    overdue: 'plazo vencido',
    today: 'vence hoy',
    tomorrow: 'vence mañana',
    inDays: 'vence en {} días',
    open: 'ya está abierto',
    needsChanges: 'requiere cambios',
    accepted: 'aceptado',
    submitted: 'enviado por el proveedor',
    wrote: '{} escribió en esta sala',
    reviewerWrote: 'Un revisor escribió en esta sala',
    downloadedShare: '{} descargó archivos de este acceso compartido',
    downloadedRoom: '{} descargó archivos de esta sala',
    someoneShare: 'Alguien con el enlace descargó archivos de este acceso compartido',
    someoneRoom: 'Alguien con el enlace descargó archivos de esta sala',
    nothingLeft: 'No queda nada por hacer.',
    seeComments: 'Abra la solicitud para ver los comentarios.',
    seePeriod: 'Abra el período para ver los comentarios.',
    acceptOrReturn: 'Acepte los elementos o devuélvalos con un comentario.',
    readAndAnswer: 'Abra la sala para leer y responder.',
    accessLog: 'El registro de accesos contiene todas las descargas.',
    password: 'También necesita una contraseña. Pídasela a {}.',
    operator: 'El operador de este servicio',
    owner: 'propietario',
    manager: 'gestor',
    member: 'miembro',
    viewer: 'lector',
  },
}

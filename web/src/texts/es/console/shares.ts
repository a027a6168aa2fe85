import type { shares as english } from '../../en/console/shares.ts'
import { counted } from '../words.ts'

export const shares: typeof english = {
  lead: 'Enlaces con los que personas sin cuenta pueden verificar y descargar un kit.',
  share: 'Compartir',
  choose: 'Elija un kit para compartir',
  title: (label) => `Compartir «${label}»`,
  life: 'El enlace funciona durante',
  lives: { 1: '1 día', 7: '7 días', 14: '14 días', 30: '30 días', 90: '90 días', 365: '1 año' },
  to: 'Para',
  toHint:
    'Direcciones de correo, separadas por comas. Cada una tiene su propio enlace. Vacío: un enlace para cualquiera.',
  forAnyone: 'Cualquiera con este enlace puede ver lo que comparte.',
  forAnyoneWithPassword: 'Cualquiera con este enlace y la contraseña puede ver lo que comparte.',
  willMail: 'Cada destinatario recibe su enlace por correo.',
  noMail: 'Este servicio no envía correo. Copie cada enlace y envíelo usted.',
  note: 'Nota para el destinatario',
  noteHint: 'Opcional. Se muestra en la página.',
  what: 'Qué compartir',
  whole: 'Todo el kit',
  some: 'Solo algunos archivos, cada uno con su prueba',
  options: 'Contraseña, límite de descargas y avisos',
  password: 'Contraseña',
  passwordHint: 'Opcional, 8 caracteres como mínimo. Comuníquela al destinatario por otra vía.',
  limit: 'Límite de descargas',
  limitHint:
    'Opcional, en visitas. Una visita cuenta una vez, cuando la página verifica el kit o alguien lo descarga.',
  notify: 'Avisarme por correo cuando se descargue algo',
  notifyHint: 'Un correo al día como máximo por destinatario.',
  create: (recipients, sendsMail) => {
    if (recipients === 0) return 'Crear un enlace para cualquiera'
    const verb = sendsMail ? 'Enviar' : 'Crear'
    return recipients === 1 ? `${verb} el enlace` : `${verb} ${counted(recipients, 'enlace', 'enlaces')}`
  },
  created: 'Compartido',
  once: 'Solo se muestra ahora. Un enlace perdido se puede sustituir en «Compartidos».',
  mails: {
    none: 'No consta ningún correo',
    queued: 'Correo en cola',
    sent: 'Correo enviado',
    failed: 'Falló el correo',
    because: (status, reason) => `${status}: ${reason}`,
  },
  linkFor: (address) => `enlace para ${address}`,
  recipients: (addresses) => `para ${addresses}`,
  link: 'enlace',
  copied: 'El enlace está copiado.',
  done: 'Listo',
  none: {
    title: 'No hay nada compartido',
    text: 'Elija un kit y cree un enlace. El destinatario lo verifica sin cuenta.',
  },
  columns: { what: 'Compartido', status: 'Estado', used: 'Uso', actions: 'Acciones' },
  wholeKit: 'Todo el kit',
  files: (count) => counted(count, 'archivo', 'archivos'),
  statuses: {
    active: 'Activo',
    expired: 'Caducado',
    revoked: 'Revocado',
    exhausted: 'Límite de descargas alcanzado',
  },
  until: (time) => `Caduca ${time}`,
  hasPassword: 'contraseña',
  downloads: (count, limit) =>
    limit === null
      ? counted(count, 'visita', 'visitas')
      : `${count} de ${counted(limit, 'visita', 'visitas')}`,
  neverUsed: 'Aún no se ha abierto',
  links: {
    action: 'Enlaces',
    title: (label) => `Enlaces a «${label}»`,
    lead: 'Un enlace nuevo sustituye al anterior, que deja de funcionar de inmediato.',
    noMail: 'Este servicio no envía correo: copie el enlace nuevo y envíelo usted.',
    columns: { who: 'Destinatario' },
    replace: 'Nuevo enlace',
    add: 'Añadir un destinatario',
    anyone: 'Nuevo enlace para cualquiera',
  },
  change: {
    action: 'Cambiar',
    title: (label) => `Cambiar el acceso compartido a «${label}»`,
    life: 'Cuánto tiempo funciona',
    now: (time) => `Ahora: ${time}`,
    keep: 'Como está ahora',
    fromNow: (life) => `${life} a partir de ahora`,
    newPassword: 'Nueva contraseña',
    noPassword: 'Quitar la contraseña',
  },
  revoke: {
    action: 'Revocar',
    title: (label) => `¿Revocar el acceso compartido a «${label}»?`,
    text: 'Todos sus enlaces dejan de funcionar de inmediato. Las copias descargadas quedan en poder del destinatario.',
  },
  accesses: {
    action: 'Registro de accesos',
    title: (label) => `Registro de accesos a «${label}»`,
    none: 'Nadie ha usado aún este acceso compartido.',
    columns: { at: 'Fecha', what: 'Qué', from: 'Desde' },
    linkOf: (address) => `enlace de ${address}`,
    kinds: {
      opened: 'Abrió la página',
      viewed: 'Vio',
      downloaded: 'Descargó',
      commented: 'Comentó',
      reviewed: 'Marcó como revisado',
      review_withdrawn: 'Retiró la marca',
      password_refused: 'Contraseña incorrecta',
    },
    newest: 'Las 100 entradas más recientes.',
  },
}

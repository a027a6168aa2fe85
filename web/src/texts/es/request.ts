import type { request as english } from '../en/request.ts'
import { counted } from './words.ts'

const items = (count: number): string => counted(count, 'elemento', 'elementos')

export const request: typeof english = {
  title: 'Solicitud de archivos',
  lead: (who) => `${who} le pide estos archivos. No necesita una cuenta.`,
  howTo:
    'Añada archivos a cada elemento. Se comprueban en su dispositivo y después se guardan aquí. Puede cerrar esta página y continuar más tarde con el mismo enlace, en cualquier dispositivo. Cuando termine, envíelos.',
  due: 'Fecha límite:',
  statuses: {
    missing: 'Falta',
    collected: 'Aún sin enviar',
    to_review: 'Enviado',
    needs_changes: 'Requiere cambios',
    accepted: 'Aceptado',
    not_applicable: 'No aplica',
  },
  notApplicableBy: (who, reason) => `No aplica (${who}): ${reason}`,
  applies: 'Sí aplica',
  changes: { added: 'Nuevo en esta ronda', replaced: 'Cambiado en esta ronda' },
  removed: (names) => `Quitado en esta ronda: ${names.join(', ')}`,
  by: { requester: 'Solicitante', supplier: 'Usted' },
  chooseFiles: 'Elegir archivos',
  addFiles: 'Añadir más archivos',
  takePhoto: 'Tomar una foto',
  chooseFor: (verb, item) => `${verb} para ${item}`,
  dropHint: 'o arrástrelos aquí',
  removeFile: (name) => `Quitar ${name}`,
  empty: 'Este archivo está vacío',
  checking: 'Comprobando…',
  waiting: 'En espera…',
  sending: (name) => `Subiendo ${name}`,
  notSent: 'No se subió: hay un problema con este archivo.',
  failed: 'Error al subir',
  sendAnyway: 'Subir de todos modos',
  secretChecked: 'Lo he comprobado: puede incluirse en el kit.',
  forget: 'Descartar',
  forms: {
    comment: {
      open: 'Comentar',
      label: (item) => `Comentario sobre ${item}`,
      hint: 'Por ejemplo: dónde mirar en un archivo',
      send: 'Enviar comentario',
    },
    notApplicable: {
      open: 'No aplica',
      label: (item) => `No aplica: ${item}`,
      hint: '¿Por qué no hay nada que enviar? El motivo forma parte de su respuesta.',
      send: 'Guardar motivo',
    },
  },
  cancel: 'Cancelar',
  other: 'Otros archivos',
  sender: {
    title: 'Sobre usted',
    name: 'Su nombre',
    nameHint: 'Opcional. Consta en el kit tal como lo escriba, como un nombre que nadie ha verificado.',
  },
  progress: (answered, all, files) =>
    `${answered} de ${counted(all, 'elemento respondido', 'elementos respondidos')} (${counted(files, 'archivo', 'archivos')})`,
  progressLabel: 'Elementos con respuesta',
  submit: 'Enviar',
  submitAnyway: 'Enviar de todos modos',
  missing: (titles) =>
    titles.length > 3
      ? `${items(titles.length)} aún no tienen archivos.`
      : `Aún no hay archivos para: ${titles.join(', ')}.`,
  held: (count) => `${counted(count, 'archivo no se subió', 'archivos no se subieron')}.`,
  outcome: {
    running: 'Sus archivos se están comprobando',
    runningText: 'Suele tardar unos segundos.',
    failed: 'Algunos archivos no se pudieron aceptar',
    failedText: 'No se ha enviado nada. Quite o sustituya estos archivos y envíe de nuevo.',
    damagedText:
      'No se ha enviado nada. Sustituya estos archivos y envíe de nuevo. Si los originales son así, envíelos tal como están: el informe lo indicará.',
    submitDamaged: 'Enviar tal como están',
    submitted: 'Enviado. ¡Gracias!',
    submittedText: (who) =>
      `${who} tiene sus archivos y los revisa. Si algo requiere cambios, lo verá aquí. ¿Olvidó un archivo? Añádalo abajo y envíe de nuevo: puede cambiar un elemento hasta que ${who} haya decidido sobre él.`,
    changing: 'Sus cambios aún no se han enviado',
    changingText: (who) => `${who} ve lo que usted envió antes. Cuando termine, envíe de nuevo.`,
    accepted: 'Todo está aceptado',
    settled: 'No se necesita nada más',
    acceptedText: (who, accepted, notApplicable) =>
      `${who} ha aceptado ${items(accepted)}${notApplicable === 0 ? '' : `; ${counted(notApplicable, 'elemento no aplica', 'elementos no aplican')}`}.`,
    closed: 'Esta solicitud está cerrada',
    closedText: (who) => `${who} ha cerrado esta solicitud. Ya no se pueden añadir archivos.`,
    reopened: (count) => counted(count, 'elemento requiere cambios', 'elementos requieren cambios'),
    reopenedText: (who) =>
      `Lea los comentarios de ${who}, añada o sustituya archivos y envíe de nuevo. Los elementos aceptados quedan como están.`,
  },
  kit: {
    title: 'Su copia',
    olderTitle: 'Su copia del último envío',
    text: 'Un paquete sellado con exactamente los archivos que se enviaron y un recibo firmado. Consérvelo como prueba de qué envió y cuándo.',
    download: 'Descargar kit.zip',
    verify: 'Comprobarlo en este navegador',
    details: 'Cómo se comprobó',
  },
  problems: {
    credits_exhausted:
      'El solicitante no puede recibir archivos en este momento porque su cuenta no tiene créditos. Avísele; los demás archivos que usted subió están guardados.',
    upload_too_large: 'Los archivos juntos superan el tamaño que el solicitante puede recibir. Avísele.',
    upload_in_progress: 'Otra subida se adelantó. Inténtelo de nuevo.',
    link_not_found:
      'Este enlace ya no funciona. Pida uno nuevo. Los archivos que ya se subieron están guardados.',
  },
}

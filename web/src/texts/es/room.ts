import type { room as english } from '../en/room.ts'
import { counted } from './words.ts'

const kits = (count: number): string => counted(count, 'kit', 'kits')

export const room: typeof english = {
  title: 'Sala',
  openedBy: (who) => `${who} abrió esta sala para usted. Su navegador verifica cada kit.`,
  visible: 'Todas las personas de esta sala ven los comentarios y quién los escribió.',
  as: (who) => `Escribe como ${who}, la dirección para la que se creó este enlace.`,
  name: 'Su nombre',
  nameHint:
    'Se muestra junto a lo que escriba, como no verificado: quien tenga este enlace puede poner cualquier nombre.',
  none: 'Todavía no hay kits en esta sala.',
  kits,
  downloadAll: (count, size) => `Descargar ${kits(count)} en un solo zip, ${size}`,
  select: 'Seleccionar para descargar',
  verify: {
    all: 'Verificar todo',
    again: 'Verificar todo de nuevo',
    size: (size) => `Verificar todo, ${size}`,
    running: (done, all) => `Verificando el kit ${done + 1} de ${all}…`,
    passed: (count) => `Verificado en este navegador: ${kits(count)}`,
    passedText:
      'Sin cambios desde que se sellaron. Cada uno está firmado con una clave que publica este sitio; usted no la ha comparado con una obtenida por otra vía.',
    failed: (bad, all) => `FAIL: ${bad} de ${kits(all)} ${bad === 1 ? 'no verificado' : 'no verificados'}`,
    notYet: (count) => `Aún sin verificar: ${kits(count)}`,
    stopped: 'Detenido',
  },
  sentence: {
    sealed: (issuer, who, day) =>
      `Sellado por ${issuer}${who === undefined ? '' : ` para ${who}`} el ${day}.`,
    waiting: 'Aún no verificado.',
    running: 'Verificando…',
    verified: 'Sin cambios desde entonces: verificado en este navegador.',
    compared: (key) => `Clave comparada: sí, es ${key}.`,
    notCompared: 'Clave comparada: no, la publica este sitio.',
    failed: (why) => `FAIL: ${why}`,
    notProved: 'No demostrado: que el contenido sea veraz, completo o suficiente.',
    erased: (day) => `Sus archivos se eliminaron el ${day}.`,
  },
  items: (count) => counted(count, 'elemento', 'elementos'),
  columns: { item: 'Elemento', status: 'Estado al sellarse', files: 'Archivos', review: 'Su revisión' },
  noFiles: 'Sin archivos',
  open: (count) => `Mostrar ${counted(count, 'archivo', 'archivos')} y detalles`,
  close: 'Ocultar archivos y detalles',
  review: {
    kit: 'He revisado este kit',
    file: 'Revisado',
    of: (what) => `Revisado: ${what}`,
    by: (who, day) => `Marcado como revisado por ${who} el ${day}.`,
    own: 'La marca es una declaración del revisor. El servicio no la comprueba.',
  },
  comments: {
    title: (count) => (count === 0 ? 'Preguntas y comentarios' : `Preguntas y comentarios (${count})`),
    about: (what) => `Sobre ${what}`,
    wholeKit: 'Sobre todo el kit',
    text: 'Pregunta o comentario',
    ask: 'Preguntar',
    askAbout: (what) => `Preguntar sobre ${what}`,
    question: 'Enviar pregunta',
    comment: 'Comentar',
    reply: 'Responder',
    replyTo: (who) => `Responder a ${who}`,
    send: 'Enviar',
    cancel: 'Cancelar',
    resolve: 'Marcar como resuelta',
    reopen: 'Volver a abrir',
    erase: 'Borrar',
    eraseTitle: '¿Borrar este comentario?',
    eraseText:
      'El texto y el autor se borran para todos. El registro de auditoría conserva el ID y el SHA-256.',
    erased: 'Borrado',
    notVerified: 'no verificado',
    sides: { workspace: 'espacio de trabajo', reviewer: 'revisor' },
    states: { open: 'Espera respuesta', answered: 'Respondida', resolved: 'Resuelta' },
  },
}

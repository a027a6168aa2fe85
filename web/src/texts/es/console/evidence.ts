import type { evidence as english } from '../../en/console/evidence.ts'
import { counted, number } from '../words.ts'

const files = (count: number): string => counted(count, 'archivo', 'archivos')

export const evidence: typeof english = {
  new: {
    lead: 'Elija archivos. Se comprueban en su navegador y solo se suben al enviar.',
    label: 'Nombre',
    labelHint: 'Los revisores ven este nombre. Use el mismo para los kits que quiera comparar más adelante.',
    labelExample: 'Revisión de accesos, T3',
    profile: 'Perfil',
    profileHint: 'Un perfil es una lista de archivos requeridos.',
    attributes: {
      title: 'Serie, etiquetas e ID externo',
      series: 'Serie',
      seriesHint:
        'Para evidencias que se recopilan una y otra vez. Cada kit muestra qué cambió desde el anterior.',
      seriesExample: 'Revisión de accesos',
      tags: 'Etiquetas',
      tagsHint: 'Para encontrarlo después. Pulse Intro después de cada una.',
      externalId: 'ID externo',
      externalIdHint: 'Su propio ID, como un número de incidencia.',
    },
    provenance: {
      title: 'Procedencia',
      hint: 'Opcional. El kit la muestra como declarada por usted, no como verificada.',
      collector: 'Recopilado con',
      collectorHint: 'La herramienta o el cargo de la persona que recopiló los archivos.',
      collectorExample: 'Prowler 5.9',
      period: 'Período que abarca',
      from: 'Desde',
      to: 'Hasta',
      bothDates: 'Indique las dos fechas del período, o ninguna.',
      wrongPeriod: 'El período no puede terminar antes de empezar.',
    },
    dropTitle: 'Arrastre aquí archivos, carpetas o un archivo zip',
    dropHint: (limit) => `Hasta ${limit} en total. Aún no se sube nada.`,
    reading: 'Leyendo archivos…',
    dropMore: 'Puede arrastrar más archivos a cualquier lugar de esta página',
    chooseFiles: 'Elegir archivos…',
    chooseFolder: 'Elegir una carpeta…',
    nothing: 'No se encontraron archivos.',
    skipped: (count) =>
      count === 1
        ? 'Se omitió 1 archivo: ya hay uno con el mismo nombre en este envío.'
        : `Se omitieron ${files(count)}: ya hay archivos con el mismo nombre en este envío.`,
    unreadable: (why) => `No se puede leer (${why}). Pruebe con «Elegir una carpeta…» o con un archivo zip.`,
    filesTitle: (count, size) => `${files(count)}, ${size}`,
    fileList: 'Archivos elegidos',
    problems: (count, more = false) =>
      more ? `${number(count)} problemas o más` : counted(count, 'problema', 'problemas'),
    withProblems: (count) => `${files(count)} con problemas`,
    removeFile: (name) => `Quitar ${name}`,
    sendingFile: (name) => `Subiendo ${name}`,
    sent: 'subido',
    tooLarge: {
      title: 'Demasiado grande',
      text: (size, limit) =>
        `Estos archivos ocupan ${size}. El límite es ${limit}. Quite algunos archivos o repártalos en dos envíos.`,
    },
    check: {
      running: 'Comprobando los archivos en su navegador',
      goodTitle: 'No se encontraron problemas. Listo para enviar.',
      goodWithNotices: 'Listo para enviar. Vea los avisos de abajo.',
      badTitle: (problems) => `Resultado: ${problems}`,
      removeFiles: (count) =>
        count === 1
          ? 'Quitar el archivo con problemas'
          : `Quitar los ${number(count)} archivos con problemas`,
      bad: 'Corrija estos archivos y arrástrelos de nuevo: un archivo con el mismo nombre sustituye al anterior. No se ha subido nada.',
      failedTitle: 'No se pudo hacer la comprobación en su navegador',
      failed: (why) =>
        `Aun así puede enviar: el servicio comprueba los archivos después de la subida. (${why})`,
    },
    accept: {
      secrets: {
        title: '¿Enviar un posible secreto?',
        text: 'Todos los que reciban el kit pueden leerlo, y un kit no se puede retirar. El kit registra lo que usted reconoce aquí, y el dosier lo muestra.',
        label: (count) =>
          count === 1
            ? 'Lo he comprobado. Enviar con 1 posible secreto.'
            : `Los he comprobado. Enviar con ${number(count)} posibles secretos.`,
      },
      files: {
        title: '¿Enviar archivos dañados tal como están?',
        text: 'El kit registra lo que usted reconoce aquí, y el dosier lo muestra. Los archivos peligrosos no se pueden enviar.',
        label: (count) =>
          count === 1
            ? 'Entendido. Enviar el archivo tal como está.'
            : `Entendido. Enviar los ${count} archivos tal como están.`,
      },
      items: {
        title: '¿Enviar con elementos incompletos?',
        text: 'El perfil pide más. El kit registra lo que usted reconoce aquí, y el dosier lo muestra.',
        label: (count) =>
          `Entendido. Enviar con ${counted(count, 'elemento incompleto', 'elementos incompletos')}.`,
      },
    },
    send: 'Enviar',
    sending: 'Subiendo. Mantenga abierta esta página.',
    sentOf: (sent, all) => `${number(sent)} de ${counted(all, 'archivo subido', 'archivos subidos')}`,
    leave: {
      title: '¿Salir sin enviar?',
      text: (count) =>
        count === 1
          ? 'El archivo elegido aún no se ha enviado. Si sale, tendrá que elegirlo de nuevo.'
          : `Los ${number(count)} archivos elegidos aún no se han enviado. Si sale, tendrá que elegirlos de nuevo.`,
      stay: 'Quedarse',
      leave: 'Salir',
    },
    cancel: 'Cancelar',
    cancelled: 'Subida cancelada.',
    stoppedTitle: 'Subida incompleta',
    stopped: 'Los archivos ya subidos se conservan. «Reanudar» sube el resto.',
    retry: 'Reanudar',
    notReady: {
      files: 'Primero elija archivos.',
      label: 'Primero escriba un nombre.',
      size: 'Los archivos son demasiado grandes.',
    },
  },
}

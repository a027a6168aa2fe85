import type { verify as english } from '../en/verify.ts'
import { counted } from './words.ts'

export const verify: typeof english = {
  title: 'Verificar un kit',
  lead: 'La verificación se hace en su navegador, con las claves que este sitio publica para sus propios kits o con las claves que usted indique. No se sube nada.',
  dropTitle: 'Arrastre aquí un kit.zip, la carpeta de un kit descomprimido o un receipt.json',
  dropHint: 'Sus archivos no salen de este equipo.',
  chooseFile: 'Elegir un archivo…',
  chooseFolder: 'Elegir una carpeta…',
  oneAtATime: 'Hay más de un recibo. Elija un solo kit o un solo receipt.json.',
  unreadable: (why) => `No se puede leer (${why}). Pruebe con el kit.zip.`,
  oldBrowser:
    'Este navegador no admite firmas Ed25519, por lo que aquí falla cualquier kit. Use una versión actual de Chrome, Edge, Firefox o Safari, por HTTPS o en localhost.',
  keysTitle: (count) => `${counted(count, 'clave pública', 'claves públicas')} de este sitio`,
  keysMissing: 'No se puede verificar: no se pudieron cargar las claves públicas de este servicio.',
  working: (name) => `Verificando ${name}`,
  progress: (done, all) => `${done} de ${all}`,
  askIssuer: '¿Sabe que esta dirección es la del emisor? Entonces compruébelo allí:',
  stop: 'Detener',
  stopped: 'Detenido. No se ha verificado nada.',
  failed: (why) => `La verificación no terminó, por lo que no se ha verificado nada: ${why}`,
  named: {
    title: 'Verificar este kit',
    lead: 'Esta página corresponde a un solo kit. Arrastre su copia para compararla con lo que se emitió. No se sube nada.',
    about: 'Kit',
    kitId: 'ID del kit',
    loading: 'Cargando el recibo',
    known: 'Recibo público',
    hashes: 'Hashes',
    unknownTitle: 'No hay recibo público',
    unknown:
      'Este servicio no tiene este kit, o su espacio de trabajo lo mantiene privado. Aun así, puede verificar su copia.',
    invalid: 'El ID de kit de este enlace no es válido. Debe ser «kit_» seguido de 22 caracteres o más.',
    erased: (day, by) => `Evidencias borradas el ${day} ${by}`,
    erasedByRule: (rule) => `por la regla de conservación: ${rule}`,
    erasedByOrder: 'por orden de su propietario',
    erasedText:
      'El servicio ya no tiene los archivos de este kit. Si usted conserva una copia, aún se puede verificar. El acta de borrado está firmada por el emisor.',
    agree: (host) => `El recibo está firmado con una clave que publica este sitio, ${host}.`,
    dropTitle: 'Arrastre aquí su kit.zip o la carpeta del kit descomprimido',
  },
}

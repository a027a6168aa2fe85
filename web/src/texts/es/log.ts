import type { log as english } from '../en/log.ts'

export const log: typeof english = {
  title: 'Registro de transparencia',
  lead: 'Cada recibo y cada cambio de una clave de firma es una entrada de este registro. Las entradas nunca se modifican ni se eliminan, y cualquiera puede comprobarlo.',
  unavailable: 'No se pudo cargar el registro.',
  notSigned: 'El punto de control no está firmado con la clave de este registro. No confíe en él.',
  frozenTitle: 'El registro está congelado',
  frozen: (since) =>
    `No se ha añadido nada desde ${since}, porque antes hay que asegurarse de que el registro está completo. Lo emitido con anterioridad sigue siendo válido.`,
  checkpoint: 'Punto de control más reciente',
  size: 'Entradas',
  last: 'Última entrada',
  origin: 'Nombre',
  root: 'Hash raíz',
  key: 'Clave del registro',
  signature: 'Firma',
  signed: 'Válida, comprobada en este navegador',
  unsigned: 'No válida',
  witnesses: {
    title: 'Testigos',
    lead: 'Terceros independientes que comprueban que el registro solo crece y cofirman sus puntos de control. Obtenga sus claves de ellos, no de este sitio.',
    none: 'Ningún testigo cofirma este registro. Solo quienes lo supervisan notarían que fue modificado.',
    name: 'Testigo',
    key: 'Clave',
    seen: 'Cofirmado',
    notYet: 'Todavía no',
  },
  monitor: {
    title: 'Supervisarlo',
    text: 'Este comando comprueba lo que hay de nuevo y que nada se ha modificado ni eliminado. Ejecútelo cada pocos minutos en un equipo propio:',
    command: (issuer) => `kitseal monitor ${issuer}`,
    what: 'comando',
    guide: 'Poner en marcha un monitor en cinco minutos',
    files: 'Para otros programas, en los formatos de C2SP:',
  },
}

import type { reissue as english } from '../../en/console/reissue.ts'
import { counted, number } from '../words.ts'

export const reissue: typeof english = {
  banner: {
    title: (kits, date) =>
      `${counted(kits, 'kit se firmó', 'kits se firmaron')} con una clave que fue revocada el ${date}`,
    text: (heading) =>
      `Quienes los verifican ven «${heading}». Vuelva a emitirlos: obtendrá kits nuevos con las mismas evidencias, firmados con la clave actual. Envíe los kits nuevos a todos los que tengan los anteriores.`,
    compromised: (date) =>
      `La clave pudo estar en otras manos desde el ${date}. Los kits registrados antes siguen superando la verificación de quienes comprueban la hora con testigos o sellos de tiempo.`,
    action: (kits) => (kits === 1 ? 'Volver a emitir el kit' : `Volver a emitir los ${number(kits)} kits`),
    progress: (done) => `${counted(done, 'kit emitido de nuevo', 'kits emitidos de nuevo')}…`,
  },
  kit: {
    revoked: 'Quienes verifican este kit ven el mismo mensaje. Las evidencias siguen almacenadas.',
    reissue:
      'Vuelva a emitirlo: obtendrá un kit nuevo con las mismas evidencias, firmado con la clave actual. ',
    askOwner: 'Pida a un propietario que lo emita de nuevo.',
    replaced: 'El kit se emitió de nuevo. Envíe el kit nuevo a todos los que tengan este.',
    expired:
      'Las evidencias se eliminaron al terminar su plazo de conservación, por lo que el kit no se puede emitir de nuevo. Envíe las evidencias otra vez.',
    action: 'Volver a emitir el kit',
  },
  replaces: 'Sustituye al kit de',
  replacedBy: 'Sustituido por',
}

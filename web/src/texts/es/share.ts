import type { share as english } from '../en/share.ts'
import { counted } from './words.ts'

export const share: typeof english = {
  title: 'Kit compartido',
  sharedBy: (who) => `Compartido por ${who}.`,
  verifies: 'Su navegador lo verifica.',
  downloadKit: (size) => `Descargar el kit, ${size}`,
  aboutKit: 'Acerca de este kit',
  aboutFiles: 'Acerca de estos archivos',
  facts: {
    issuer: 'Emisor',
    supplier: 'Proveedor',
    requester: 'Solicitante',
    name: 'Nombre',
    issued: 'Emitido',
    expires: 'El enlace caduca',
    downloadsLeft: 'Visitas restantes, incluida esta',
    kitId: 'ID del kit',
  },
  unknownSupplier: 'no se indica',
  files: (count) => counted(count, 'archivo', 'archivos'),
  otherFiles: (count) =>
    `${counted(count, 'archivo más', 'archivos más')}: manifiesto, recibo, dosier, verificador…`,
  how: 'Cómo se comprobó',
  notYet: 'Aún no verificado',
  large: 'Para verificarlo se lee entero. El navegador necesita la misma cantidad de memoria libre.',
  verifyNow: (size) => `Verificar ${size}`,
  notVerified: 'No se pudo verificar',
  checkingFiles: (done, all) => `Verificando ${done} de ${counted(all, 'archivo', 'archivos')}…`,
  filesVerified: (count) => counted(count, 'archivo verificado', 'archivos verificados'),
  filesVerifiedText: (key) =>
    `Cada archivo está intacto y pertenece a un kit firmado con ${key}. Los demás archivos del kit no se comparten.`,
  erased: (day) => `Los archivos se eliminaron el ${day}`,
  erasedText:
    'El servicio ya no tiene los archivos de este kit. Si usted conserva una copia, aún se puede verificar.',
  exhausted: 'Si necesita los archivos otra vez, pida al remitente que aumente el límite.',
  keyRevoked: (day) => `Clave de firma revocada el ${day}`,
  keyRevokedText:
    'El emisor ya no respalda las firmas hechas con esta clave. Pida al remitente un kit emitido de nuevo.',
  yourself: 'Comprobarlo por cuenta propia',
  yourselfKit: (keys) => `Descargue el kit y ${keys}. Después verifíquelo sin este servicio:`,
  yourselfFiles: (keys) =>
    `Descargue un archivo, su prueba y ${keys}. Después verifíquelos sin este servicio:`,
  command: 'comando',
  password: {
    title: 'Se necesita contraseña',
    lead: 'El remitente protegió este acceso compartido con una contraseña.',
    label: 'Contraseña',
    open: 'Abrir',
  },
}

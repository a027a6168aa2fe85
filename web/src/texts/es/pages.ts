import type { pages as english } from '../en/pages.ts'
import { number } from './words.ts'

export const pages: typeof english = {
  frame: {
    name: 'kitseal',
    home: 'Página de inicio de kitseal',
    skip: 'Ir al contenido',
    navigation: 'Principal',
    verify: 'Verificar',
    docs: 'Docs',
    console: 'Consola',
    language: 'Idioma',
    documentTitle: (title) => (title === '' ? 'kitseal' : `${title} · kitseal`),
  },
  copy: {
    copyWhat: (what) => `Copiar ${what}`,
    copied: 'Copiado',
    failed: 'El navegador no permitió copiar. Seleccione el texto y cópielo manualmente.',
  },
  problem: {
    offline: 'No se puede acceder al servicio. Compruebe la conexión e inténtelo de nuevo.',
    unexpected: 'Respuesta inesperada del servicio. Recargue la página e inténtelo de nuevo.',
    retry: 'Reintentar',
    title: 'Se ha producido un error',
    crashed: 'Esta página ha fallado. Recárguela para continuar. Los archivos subidos no se pierden.',
    reload: 'Recargar',
  },
  colon: ': ',
  loading: 'Cargando',
  showAll: (count) => `Mostrar los ${number(count)}`,
  home: {
    title: '',
    heading: 'Kits que revelan si se manipulan sus evidencias',
    lead: 'Suba evidencias y obtenga un kit firmado. Cualquiera puede verificarlo: en un navegador, en la línea de comandos o a mano, con este servicio o sin él.',
    verifyAction: 'Verificar un kit',
    consoleAction: 'Abrir la consola',
    steps: [
      {
        title: 'Subir evidencias',
        text: 'Archivos, carpetas o un archivo zip. Se comprueba cada archivo. Los problemas se muestran juntos, cada uno con su solución.',
      },
      {
        title: 'Obtener un kit',
        text: 'Sus archivos con sus hashes, un manifiesto, un recibo firmado con Ed25519, un dosier para leer e imprimir y un verificador sin conexión.',
      },
      {
        title: 'Cualquiera puede verificarlo',
        text: 'Si cambia un byte, se añade o se quita un archivo, o la clave no es nuestra, la verificación falla y explica por qué.',
      },
    ],
    proves: 'Qué demuestra «Verificado»',
    provesList: [
      'Los archivos coinciden con el manifiesto, byte por byte.',
      'El manifiesto coincide con el recibo.',
      'El recibo indica una clave pública de este servicio.',
      'La firma del recibo es válida.',
      'Por tanto, el kit no ha cambiado desde que se emitió.',
    ],
    provesNot: 'Qué no demuestra «Verificado»',
    provesNotList: [
      'Que una organización cumpla las normas o sea segura.',
      'Que los controles sean eficaces.',
      'Que un comprador, auditor, asegurador, banco o regulador haya aceptado las evidencias.',
      'Que las evidencias sean veraces o suficientes. El proveedor es responsable de su contenido.',
    ],
    keys: {
      title: 'Claves de firma de este servicio',
      lead: 'El ID de clave es la huella de una clave. Antes de confiar en ella, compárela con la que el emisor le dio por otra vía.',
      kid: 'ID de clave',
      since: 'Desde',
      status: 'Estado',
      issuer: 'Emisor',
      statuses: {
        active: 'Activa',
        retired: (until) => `Retirada el ${until}. Sus recibos siguen siendo válidos.`,
        revoked: (heading) =>
          `${heading}. Los kits firmados con ella ya no superan la verificación. Pida al proveedor kits emitidos de nuevo.`,
      },
      unavailable: 'No se pudieron cargar las claves.',
      none: 'Este servicio aún no tiene clave de firma.',
      file: 'Conjunto de claves (jwks.json)',
    },
    offline: {
      title: 'Verificar en la línea de comandos',
      text: 'Las mismas comprobaciones, con las claves de este servicio:',
      command: (origin) => `kitseal verify kit.zip --issuer ${origin}`,
      more: 'Cada kit contiene además START-HERE.html, que lo verifica sin conexión en un navegador, y VERIFY.md, que explica cómo verificarlo con sha256sum y openssl.',
      what: 'comando',
    },
    links: {
      title: 'Para desarrolladores',
      docs: 'Documentación',
      openapi: 'Descripción OpenAPI (openapi.json)',
      log: 'Registro de transparencia',
    },
  },
  notFound: {
    title: 'Página no encontrada',
    text: 'No hay ninguna página en esta dirección.',
    action: 'Ir a la página de inicio',
  },
}

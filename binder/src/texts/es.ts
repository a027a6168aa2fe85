import type { BinderTexts } from './en.ts'

export const es: BinderTexts = {
  files: { one: '{count} archivo', other: '{count} archivos' },
  fewBytes: { one: '{count} byte', other: '{count} bytes' },
  bytes: '{size} ({count} bytes)',
  more: 'y {count} más',
  title: 'Dosier de evidencias: {name}',
  header: 'Dosier de evidencias',
  subject: 'Kit {kitId}.',
  cover: 'Portada',
  kicker: 'DOSIER DE EVIDENCIAS',
  introduction:
    'Este dosier es el resumen legible de un kit sellado: qué contiene, quién lo emitió y cuándo, y cómo verificarlo. La prueba está en el propio kit. Cualquiera puede verificarlo sin conexión y sin contactar con el emisor.',
  contents: 'Índice',
  page: 'página {page}',
  facts: {
    kit: 'Kit',
    job: 'Trabajo',
    issued: 'Emitido',
    issuer: 'Emisor',
    key: 'Huella de la clave',
    caller: 'Autor de la llamada',
    supplierNamed: 'Proveedor (según el kit)',
    supplier: 'Proveedor',
    requester: 'Solicitante (según el kit)',
    workspace: 'Espacio de trabajo',
    name: 'Nombre',
    profile: 'Perfil',
    replaces: 'Sustituye al kit',
    evidence: 'Evidencias',
    format: 'Formato',
  },
  meaning: {
    title: 'Qué demuestra y qué no',
    proves: 'Un kit que supera la verificación demuestra',
    proved: [
      'Los archivos coinciden con el manifiesto: cada archivo tiene el hash SHA-256 y el tamaño indicados, y no se añadió ninguno.',
      'El manifiesto coincide con el recibo.',
      'El ID de clave del recibo corresponde a una clave pública en la que usted decidió confiar.',
      'La firma del recibo se verifica con esa clave.',
      'El kit no se ha modificado desde que se emitió.',
    ],
    provesNot: 'No demuestra',
    notProved: [
      'Que una empresa cumpla las normas o sea segura.',
      'Que los controles funcionen con eficacia.',
      'Que un comprador, auditor, asegurador, banco, regulador o proveedor de servicios de pago haya aceptado el paquete.',
      'Que las evidencias sean jurídicamente suficientes, o que sea cierto lo que dicen.',
    ],
    limits: 'Los límites de este servicio, completos',
    boundary:
      'Este servicio registra las evidencias aportadas y permite que cualquiera compruebe que un kit es el que se emitió, por quién y cuándo. Una verificación correcta demuestra que los archivos coinciden con el manifiesto, que el manifiesto coincide con el recibo, que el ID de clave del recibo corresponde a una clave pública, que la firma del recibo se verifica y que el kit no se ha modificado desde su emisión. No demuestra el cumplimiento ni el estado de seguridad de una empresa, que los controles funcionen con eficacia, que un comprador, auditor, asegurador, banco, regulador o proveedor de servicios de pago haya aceptado el paquete, ni que las evidencias sean jurídicamente suficientes. El servicio no certifica, no audita, no da aprobación jurídica, no asegura ni verifica de forma independiente las afirmaciones aportadas. El cliente sigue siendo responsable de las evidencias enviadas.',
  },
  verify: {
    title: 'Cómo verificar',
    lead: 'Todos los métodos dan el mismo resultado, PASS o FAIL. Necesita el kit: el archivo kit.zip o la carpeta en la que se descomprime.',
    browser: 'En un navegador',
    browserText:
      'Abra START-HERE.html del kit y arrastre el kit a la página. Funciona sin conexión, y nada sale de su equipo. El emisor puede verificar este kit con sus propias claves. Compruebe que esta es la dirección que usted conoce:',
    command: 'En la línea de comandos',
    commandText:
      'Sustituya ISSUER por la dirección del emisor, tal como la conoce. El código de salida 0 significa PASS; 1, FAIL; 2, que no se pudo leer el kit; 3, que el remitente no está confirmado.',
    byHand: 'A mano',
    byHandText:
      'VERIFY.md, en el kit, indica cada paso como un comando, solo con herramientas estándar: sha256sum para los archivos y openssl para la firma. El primer paso comprueba todos los archivos:',
    key: 'Confirmar la clave del emisor',
    keyText:
      'La verificación muestra que el titular de una clave emitió este kit. Para confirmar que la clave es del emisor, compare su huella una vez con una que haya recibido directamente del emisor, o con el conjunto de claves que este publica en /.well-known/jwks.json. La clave del kit y la huella de abajo no lo demuestran.',
    qrCode: 'Código QR de {address}',
  },
  inventory: {
    title: 'Inventario',
    folders: {
      one: '{files} en {count} carpeta',
      other: '{files} en {count} carpetas',
    },
    lead: '{count}, {size}. El hash SHA-256 completo está debajo de cada nombre, en tonos alternos para facilitar la lectura. manifest.json, en el kit, lista los mismos archivos y los que añadió el servicio.',
    shortened: 'Los nombres largos se abrevian aquí. manifest.json los tiene completos.',
    columns: { number: 'N.º', name: 'Nombre', type: 'Tipo', size: 'Tamaño' },
    topFolder: '(carpeta superior)',
    continued: '{folder} (continuación)',
    missing:
      'Un recuadro con dígitos representa un carácter que no está en las fuentes de este dosier. Los dígitos son su código Unicode. manifest.json tiene todos los nombres completos.',
  },
  provenance: {
    title: 'Procedencia de las evidencias',
    lead: 'Solo está verificado lo que el servicio vio por sí mismo. Lo que declara el proveedor o un archivo quedó registrado, y nadie lo comprobó. reports/provenance.json, en el kit, lo contiene todo.',
    words: { verified: 'verificado', stated: 'declarado' },
  },
  checklist: {
    title: 'Lista de elementos',
    lead: 'Los elementos que se pidieron y los archivos que alguien puso o confirmó en ellos. El servicio no juzga nada.',
    item: 'Elemento',
    files: 'Archivos',
    none: 'Sin archivos',
  },
  findings: {
    title: 'Hallazgos',
    lead: {
      one: 'El servicio observó {count} hallazgo en los archivos. No impidió que se emitiera el kit. reports/intake_report.json, en el kit, lo indica.',
      other:
        'El servicio observó {count} hallazgos en los archivos. Ninguno impidió que se emitiera el kit. reports/intake_report.json, en el kit, los lista todos.',
    },
    acknowledged: 'Reconocidos por el proveedor',
    notices: 'Avisos',
    allFiles: 'Todos los archivos',
  },
}

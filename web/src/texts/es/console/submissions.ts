import type { submissions as english } from '../../en/console/submissions.ts'
import { counted, number } from '../words.ts'

const files = (count: number): string => counted(count, 'archivo', 'archivos')
const sent = (count: number): string => counted(count, 'envío', 'envíos')

export const submissions: typeof english = {
  list: {
    lead: 'Evidencias enviadas por este espacio de trabajo. Esta lista se actualiza sola.',
    new: 'Nuevo envío',
    search: 'Buscar',
    searchPlaceholder: 'Nombre, archivo, etiqueta o ID',
    status: 'Estado',
    anyStatus: 'Cualquier estado',
    statuses: {
      PENDING: 'Pendiente',
      RUNNING: 'En comprobación',
      PASS: 'Sellado',
      FAIL: 'Requiere cambios',
      EXPIRED: 'Caducado',
    },
    sort: 'Ordenar por',
    sorts: {
      '-created_at': 'Más recientes primero',
      created_at: 'Más antiguos primero',
      label: 'Nombre, de la A a la Z',
      '-label': 'Nombre, de la Z a la A',
      '-size_bytes': 'Más grandes primero',
      size_bytes: 'Más pequeños primero',
    },
    moreFilters: 'Más filtros',
    fewerFilters: 'Menos filtros',
    clearFilters: 'Quitar filtros',
    filters: {
      path: 'Nombre de archivo',
      pathExample: 'factura',
      tag: 'Etiqueta',
      series: 'Serie',
      external_id: 'ID externo',
      created_after: 'Creado desde',
      created_before: 'Creado antes de',
    },
    withTag: (tag) => `Mostrar envíos con la etiqueta ${tag}`,
    inSeries: (series) => `Serie: ${series}`,
    reissued: 'Emitido de nuevo',
    searchFurther: 'Buscar en envíos anteriores',
    shown: (count) => counted(count, 'envío mostrado', 'envíos mostrados'),
    columns: {
      select: 'Seleccionar',
      label: 'Nombre',
      status: 'Estado',
      files: 'Evidencias',
      sender: 'Remitente',
      created: 'Creado',
    },
    noSender: 'Proveedor, por enlace',
    selectAll: 'Seleccionar todos los mostrados',
    select: (label) => `Seleccionar ${label}`,
    bulk: {
      selected: (count) => counted(count, 'seleccionado', 'seleccionados'),
      download: 'Descargar kits',
      tag: 'Añadir etiqueta',
      remove: 'Eliminar',
      clear: 'Quitar selección',
      tagTitle: (count) => `Añadir una etiqueta a ${sent(count)}`,
      tagLabel: 'Etiqueta',
      tagHint: 'Hasta 50 caracteres, sin comas.',
      removeTitle: (count) => `¿Eliminar ${sent(count)}?`,
      removeText:
        'Los borradores se eliminan. Las evidencias de los kits se eliminan en el plazo de una hora; sus manifiestos y recibos permanecen. Esto no se puede deshacer.',
      failed: (count, of) =>
        `${counted(count, `de ${sent(of)} no se pudo cambiar`, `de ${sent(of)} no se pudieron cambiar`)}:`,
    },
    none: {
      title: 'Aún no hay envíos',
      text: 'Suba evidencias y obtenga un kit que cualquiera puede verificar.',
    },
    noMatch: {
      title: 'Sin coincidencias',
      text: 'Las palabras coinciden desde el principio: «fac» encuentra «factura». Pruebe con menos palabras o filtros.',
    },
  },
  timeline: {
    title: 'Cronología',
    received: (count) => counted(count, 'archivo subido', 'archivos subidos'),
    actions: {
      'submission.created': 'Creado',
      'submission.changed': 'Etiquetas o metadatos cambiados',
      'submission.resubmitted': 'Archivos reutilizados en un nuevo envío',
      'submission.reissued': 'Kit emitido de nuevo',
      'submission.sealed': 'Enviado, sin más subidas',
      'submission.started': 'Comprobación iniciada',
      'submission.passed': 'Sellado, kit emitido',
      'submission.failed': 'Requiere cambios',
      'submission.held': 'Retención legal impuesta',
      'submission.released': 'Retención legal levantada',
      'submission.erased': 'Evidencias eliminadas a petición',
      'submission.deleted': 'Eliminado',
      'submission.expired': 'Borrador caducado',
    },
    by: (actor, name) => {
      if (actor === 'service') return 'por el servicio'
      if (actor === 'operator') return 'por el operador'
      if (actor === 'link') return 'con un enlace de acceso compartido o de solicitud'
      if (actor === 'anonymous') return 'con un enlace público'
      if (actor === 'key') return name === null ? 'con una clave de API' : `con la clave de API «${name}»`
      return `por ${name ?? 'un miembro'}`
    },
  },
  submission: {
    id: 'ID del envío',
    missing: {
      title: 'Envío no encontrado',
      text: 'No está en este espacio de trabajo. Compruebe el enlace o cambie al espacio de trabajo al que pertenece.',
    },
    earlier: 'un envío anterior',
    newer: 'un envío nuevo',
    resubmittedFrom: 'Reutiliza archivos de',
    resubmittedAs: 'Enviado de nuevo como',
    waiting: {
      queued: {
        title: 'En cola',
        text: 'La comprobación empezará pronto. Esta página se actualiza sola.',
      },
      running: {
        title: 'En comprobación',
        text: 'Se comprueba cada archivo; después, el kit se sella y se verifica. Esta página se actualiza sola.',
      },
    },
    draft: {
      unfinished: {
        title: 'Subidas sin terminar',
        text: 'Para continuar una subida, elija otra vez el mismo archivo. Elimine lo que no necesite y después envíe.',
        progress: (done, all) => `${done} de ${all} subidos`,
        remove: 'Eliminar',
      },
      title: 'Aún sin enviar',
      text: 'Elija archivos abajo y después envíe.',
      withFiles:
        'Los archivos de abajo ya están subidos. Añada los que falten o los corregidos y después envíe. El perfil se comprueba después de la subida.',
      there: (count) => counted(count, 'archivo ya subido', 'archivos ya subidos'),
      delete: {
        action: 'Eliminar borrador',
        title: '¿Eliminar este borrador?',
        text: 'Los archivos subidos se eliminan. Esto no se puede deshacer.',
      },
    },
    fail: {
      word: 'Requiere cambios',
      sentence: (blockers) => `Resultado: ${blockers}. No se emitió ningún kit.`,
      report: 'fail_report.json',
      fixTitle: 'Archivos que conservar',
      fixText:
        'Seleccione los archivos que quiere conservar. Se copian a un envío nuevo, donde puede añadir los corregidos.',
      good: 'sin bloqueos',
      bad: 'tiene bloqueos',
      notListed: 'sin bloqueos en la lista',
      fix: 'Corregir y enviar de nuevo',
      keeps: (kept, all) => `Conserva ${number(kept)} de ${files(all)}. Después añadirá los corregidos.`,
    },
    kit: {
      unpacked: (uploaded, inKit) =>
        `${counted(uploaded, 'archivo subido', 'archivos subidos')}, ${files(inKit)} en el kit: los archivos ZIP se descomprimen.`,
      expiredWord: 'Caducado',
      sentence: 'El kit se emitió. Cualquiera puede verificarlo, con este servicio o sin él.',
      expired:
        'Las evidencias se eliminaron. El manifiesto y el recibo permanecen. Las copias del kit se pueden seguir verificando.',
      downloadKit: 'Descargar kit.zip',
      verify: 'Verificar en este navegador',
      verifyText: 'Descarga el kit y lo verifica aquí con las claves publicadas.',
      notFetched: (status) => `No se pudo descargar el kit (HTTP ${status}). Inténtelo de nuevo.`,
      parts: 'Partes del kit',
      tabs: { evidence: 'Evidencias', binder: 'Dosier', deliverables: 'Descargas', details: 'Detalles' },
      allFiles: 'Todos los archivos del kit',
      issued: 'Emitido',
      facts: {
        kit: 'ID del kit',
        supplier: 'Proveedor (indicado en el kit)',
        supplierByLink: 'Proveedor',
        requester: 'Solicitante (indicado en el kit)',
        issued: 'Emitido',
        key: 'ID de clave',
        manifest: 'SHA-256 del manifiesto',
        root: 'Hash raíz',
        receipt: 'SHA-256 del recibo',
        zip: 'SHA-256 de kit.zip',
        size: 'Tamaño',
        sizeValue: (count, size) => `${size}; ${files(count)}, incluidos los que añade el servicio`,
        page: 'Página de verificación',
      },
      log: {
        place: 'En el registro',
        position: (index, origin, size) => `Entrada ${number(index + 1)} de ${number(size)} en ${origin}`,
        proof: 'Descargar la prueba de registro más reciente',
        witnesses: 'Testigos',
        cosigned: (name, at) => `${name}, ${at}`,
        none: 'Ningún testigo lo ha confirmado todavía',
      },
      binderHint: 'El dosier es un PDF para leer e imprimir.',
      binderAlone: 'Abrir en otra pestaña',
      deliverables: {
        'kit.zip': 'El kit completo: evidencias, documentos y verificador',
        'manifest.json': 'Lista de todos los archivos con sus hashes',
        'receipt.json': 'Recibo firmado',
        'receipt.canonical.json': 'Los bytes exactos que se firmaron',
        'receipt.sig': 'Firma Ed25519, 64 bytes',
        'jwks.json':
          'Copia de las claves públicas, por comodidad. Obtenga del emisor las claves de confianza.',
        'binder.pdf': 'Dosier, para leer e imprimir',
        'VERIFY.md': 'Cómo verificar el kit',
        'reports/intake_report.json': 'Lo que se subió y el resultado de las comprobaciones',
        'reports/classification_report.json': 'El tipo de cada archivo',
        'reports/provenance.json': 'Procedencia de las evidencias, verificada y declarada',
        'reports/reissue.json': 'El kit al que sustituye este, y por qué',
        'reports/program.json': 'Los elementos del período, sus estados y sus archivos',
        'reports/series.json': 'El kit anterior de su serie y las diferencias',
      },
    },
  },
  inventory: {
    path: 'Archivo',
    sha256: 'SHA-256',
    size: 'Tamaño',
    hashOf: (name) => `SHA-256 de ${name}`,
    kinds: {
      evidence: 'Evidencias',
      binder: 'Dosier',
      report: 'Informes',
      guide: 'Guía de verificación',
      verifier: 'Verificador',
      bag: 'Archivos BagIt',
      envelope: 'Envoltorio (manifiesto, recibo, firma, claves)',
    },
  },
}

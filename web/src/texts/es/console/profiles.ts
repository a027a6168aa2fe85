import type { profiles as english } from '../../en/console/profiles.ts'
import { counted } from '../words.ts'

const OR = new Intl.ListFormat('es', { type: 'disjunction' })

export const profiles: typeof english = {
  checklist: {
    title: (met, required) =>
      `Lista: ${met} de ${counted(required, 'elemento requerido', 'elementos requeridos')}`,
    states: {
      met: 'Hecho',
      suggested: 'Por confirmar',
      missing: 'Falta',
      optional: 'Opcional',
      open: 'Pendiente',
    },
    suggestion: (name) => `Sugerido por su nombre: ${name}`,
    confirm: 'Confirmar',
    confirmAs: (name, item) => `que ${name} es para ${item}`,
    example: (name) => `Por ejemplo, ${name}`,
    wanted: (types, days) => {
      const kinds = OR.format(types)
      if (days === undefined) return `${kinds}.`
      const age = `de hace ${counted(days, 'día', 'días')} como máximo`
      return `${kinds === '' ? `Archivos ${age}` : `${kinds}, ${age}`}. Incluya la fecha en el nombre: 2026-09-30.`
    },
    choose: 'Elegir archivos',
  },
  profiles: {
    lead: 'Un perfil es una lista de lo que deben contener las evidencias para un fin determinado.',
    new: 'Nuevo perfil',
    copy: 'Copiar',
    edit: 'Editar',
    remove: 'Eliminar',
    removeTitle: (title) => `¿Eliminar ${title}?`,
    removeText: 'Los envíos nuevos ya no podrán usarlo. Los que existen lo conservan.',
    columns: { title: 'Perfil', items: 'Elementos', source: 'De', actions: 'Acciones' },
    sources: { service: 'kitseal', workspace: 'Este espacio de trabajo' },
    items: (count) => counted(count, 'elemento', 'elementos'),
    preview: 'Vista previa',
    save: 'Guardar',
    name: 'Nombre para la API',
    nameHint: 'Minúsculas, dígitos y guiones. No se puede cambiar después.',
    titleField: 'Título',
    description: 'Descripción',
    item: (index) => `Elemento ${index + 1}`,
    itemTitle: 'Qué es',
    itemDescription: 'Qué aportar',
    itemExample: 'Ejemplo de nombre de archivo',
    itemControls: 'Controles',
    itemTypes: 'Tipos de archivo',
    anyType: 'Cualquier tipo',
    itemAge: 'Antigüedad máxima',
    anyAge: 'Cualquiera',
    days: ' días',
    itemPaths: 'Nombres de archivo que cuentan',
    itemPathsHint:
      'Opcional. Un * representa cualquier texto, como en users-*.csv. Los archivos arrastrados al elemento siempre cuentan.',
    itemCount: 'Número de archivos',
    policy: {
      title: 'Reglas',
      examinedOnly: 'Aceptar solo archivos que el servicio pueda examinar',
      examinedOnlyHint: 'Otros archivos hacen fallar el envío en lugar de aceptarse tal como están.',
      strict: 'Hallazgos que siempre hacen fallar el envío',
      strictHint: 'De lo contrario, el proveedor puede reconocerlos o solo se mencionan.',
      strictNone: 'Ninguno aparte de las reglas para todas las evidencias',
    },
    itemId: 'ID (nombre de carpeta)',
    itemRequired: 'Requerido',
    addItem: 'Añadir elemento',
    removeItem: 'Quitar elemento',
  },
  fileTypes: {
    pdf: 'PDF',
    docx: 'documento de Word',
    xlsx: 'libro de Excel',
    pptx: 'presentación de PowerPoint',
    csv: 'tabla CSV',
    txt: 'texto sin formato',
    log: 'archivo de registro',
    md: 'Markdown',
    json: 'JSON',
    xml: 'XML',
    yaml: 'YAML',
    html: 'página HTML',
    png: 'imagen PNG',
    jpeg: 'imagen JPEG',
    eml: 'mensaje de correo',
    msg: 'mensaje de Outlook',
    odt: 'texto OpenDocument',
    ods: 'hoja de cálculo OpenDocument',
    zip: 'archivo ZIP',
    sarif: 'resultados de análisis SARIF',
  },
  series: {
    add: 'Añadir a una serie',
    of: (name) => `Serie: ${name}`,
    addLabel: 'Serie',
    addHint: 'El kit no cambia. El próximo kit de la serie lo indicará como el anterior.',
  },
}

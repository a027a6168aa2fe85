import type { preview as english } from '../en/preview.ts'
import { counted } from './words.ts'

export const preview: typeof english = {
  open: (name) => `Vista previa de ${name}`,
  contentOf: (name) => `Contenido de ${name}`,
  download: 'Descargar',
  downloadOf: (name) => `Descargar ${name}`,
  proof: 'Prueba de archivo',
  proofOf: (name) => `Descargar la prueba de archivo de ${name}`,
  fileSays: (summary) => `El archivo dice: ${summary}`,
  previous: 'Anterior',
  next: 'Siguiente',
  close: 'Cerrar',
  empty: 'Este archivo está vacío.',
  none: 'No hay vista previa para este tipo de archivo. Descárguelo para abrirlo.',
  noImage: 'Este navegador no puede mostrar esta imagen. Descárguela para abrirla.',
  large: 'Este archivo es demasiado grande para la vista previa. Descárguelo para abrirlo.',
  pdf: {
    page: (page, pages) => `Página ${page} de ${pages}`,
    previous: 'Página anterior',
    next: 'Página siguiente',
    hint: 'En esta vista previa pueden faltar fuentes e imágenes. Descargue el archivo para verlo completo.',
    noImages:
      'Algunas imágenes de este archivo no se muestran en la vista previa, por lo que puede haber páginas que parezcan vacías.',
    noText: 'Parte del texto no se muestra en esta vista previa.',
    seeFile: 'Descargue el archivo para verlo todo.',
    damaged:
      'Este PDF está dañado, por lo que no hay vista previa. Descárguelo para probar con otro programa.',
    password: 'Este PDF requiere una contraseña, por lo que no hay vista previa. Descárguelo para abrirlo.',
    brokenPage: 'Esta página no se pudo mostrar. Descargue el archivo para verla.',
  },
  office: {
    sheet: 'Hoja',
    emptySheet: 'Esta hoja está vacía.',
    firstColumns: (count) =>
      count === 1
        ? 'Solo se muestra la primera columna.'
        : `Solo se muestran las primeras ${counted(count, 'columna', 'columnas')}.`,
    sheetHint: 'Solo los valores. No se muestran gráficos, imágenes ni formato.',
    documentHint: 'Solo texto y tablas. No se muestran imágenes, encabezados, notas al pie ni formato.',
    emptyDocument: 'Este documento no tiene texto.',
    damaged:
      'Este archivo no se puede leer, por lo que no hay vista previa. Descárguelo para probar con otro programa.',
    slow: 'Leer este archivo lleva demasiado tiempo, por lo que no hay vista previa. Descárguelo para abrirlo.',
  },
  cut: 'Solo se muestra el principio. Descargue el archivo para ver el resto.',
  firstRows: (count) =>
    `${count === 1 ? 'La primera fila' : `Las primeras ${counted(count, 'fila', 'filas')}`}. Descargue el archivo para ver el resto.`,
  failed: (why) => `No se pudo cargar la vista previa: ${why}`,
}

/** How a language writes numbers, times and types of files. Not by Intl, whose results depend on the version of Node.js. */
interface Formats {
  readonly thousands: string
  readonly decimal: string
  /** The symbol of a byte. B if it is not given. */
  readonly byte?: string
  /** The first number that has a separator. 1000 if it is not given. */
  readonly from?: number
  /** Between the parts of a list. A comma and a space if it is not given. */
  readonly comma?: string
  readonly time: string
  readonly months: string
  readonly types: Readonly<Record<Type, string>>
}

const TYPES = [
  'pdf',
  'zip',
  'binary',
  'mail',
  'png',
  'jpeg',
  'tiff',
  'csv',
  'tsv',
  'text',
  'word',
  'excel',
  'powerpoint',
  'odt',
  'ods',
] as const
export type Type = (typeof TYPES)[number]

/** The names in the order of TYPES. */
function types(names: string): Formats['types'] {
  const list = names.split(', ')
  return Object.fromEntries(TYPES.map((type, index) => [type, list[index] ?? type])) as Record<Type, string>
}

const FORMATS: Readonly<Record<string, Formats>> = {
  en: {
    thousands: ',',
    decimal: '.',
    time: '{day} {month} {year}, {clock} UTC',
    months: 'January February March April May June July August September October November December',
    types: types(
      'PDF document, ZIP archive, Binary, E-mail, PNG image, JPEG image, TIFF image, CSV table, TSV table, Text, Word document, Excel workbook, PowerPoint slides, OpenDocument text, OpenDocument table',
    ),
  },
  de: {
    thousands: '.',
    decimal: ',',
    time: '{day}. {month} {year}, {clock} UTC',
    months: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
    types: types(
      'PDF-Dokument, ZIP-Archiv, Binärdatei, E-Mail, PNG-Bild, JPEG-Bild, TIFF-Bild, CSV-Tabelle, TSV-Tabelle, Text, Word-Dokument, Excel-Mappe, PowerPoint-Folien, OpenDocument-Text, OpenDocument-Tabelle',
    ),
  },
  fr: {
    thousands: ' ',
    decimal: ',',
    byte: 'o',
    time: '{day} {month} {year}, {clock} UTC',
    months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    types: types(
      'Document PDF, Archive ZIP, Binaire, E-mail, Image PNG, Image JPEG, Image TIFF, Tableau CSV, Tableau TSV, Texte, Document Word, Classeur Excel, Diapositives PowerPoint, Texte OpenDocument, Tableau OpenDocument',
    ),
  },
  es: {
    thousands: '.',
    decimal: ',',
    from: 10_000,
    time: '{day} de {month} de {year}, {clock} UTC',
    months: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
    types: types(
      'Documento PDF, Archivo ZIP, Binario, Correo, Imagen PNG, Imagen JPEG, Imagen TIFF, Tabla CSV, Tabla TSV, Texto, Documento de Word, Libro de Excel, PowerPoint, Texto OpenDocument, Tabla OpenDocument',
    ),
  },
  'pt-BR': {
    thousands: '.',
    decimal: ',',
    time: '{day} de {month} de {year}, {clock} UTC',
    months: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    types: types(
      'Documento PDF, Arquivo ZIP, Binário, E-mail, Imagem PNG, Imagem JPEG, Imagem TIFF, Tabela CSV, Tabela TSV, Texto, Documento do Word, Pasta do Excel, PowerPoint, Texto OpenDocument, Tabela OpenDocument',
    ),
  },
  ja: {
    thousands: ',',
    comma: '、',
    decimal: '.',
    time: '{year}年{month}{day}日 {clock} UTC',
    months: '1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月',
    types: types(
      'PDF文書, ZIPアーカイブ, バイナリ, 電子メール, PNG画像, JPEG画像, TIFF画像, CSVの表, TSVの表, テキスト, Word文書, Excelブック, PowerPoint, OpenDocumentテキスト, OpenDocument表計算',
    ),
  },
}

export const formatsOf = (language: string): Formats => FORMATS[language] ?? (FORMATS['en'] as Formats)

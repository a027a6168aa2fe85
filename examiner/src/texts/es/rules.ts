import type { Rules } from '../evidence-texts.ts'

const NOTHING = 'No es necesario hacer nada.'
const AS_IS = 'No es necesario hacer nada si debe ser así.'
const RESAVE = 'Ábralo, guárdelo de nuevo y suba el archivo nuevo.'
const SPLIT = 'Divídalo en varios envíos.'

export const rules: Rules = {
  empty_submission: { message: 'El envío no tiene archivos.', remedy: 'Suba al menos un archivo.' },
  empty_file: {
    message: 'El archivo está vacío, y un archivo de este tipo no puede estarlo.',
    remedy: 'Suba el archivo con su contenido o no lo incluya.',
  },
  empty_text: {
    message: 'El archivo está vacío.',
    remedy:
      'No es necesario hacer nada si debe estar vacío, como la salida de un analizador que no encontró nada.',
  },
  empty_archive: {
    message: 'El archivo comprimido no contiene archivos.',
    remedy: 'Suba al menos un archivo.',
  },
  unsupported_type: {
    message: 'Los archivos de este tipo se aceptan, pero no se examinan.',
    remedy: `${NOTHING} Si es posible que los revisores no puedan abrirlo, añada una exportación en PDF o texto.`,
  },
  partly_examined: {
    message: 'El archivo no se examinó por completo.',
    remedy: `${NOTHING} Divida el archivo si debe examinarse entero.`,
  },
  not_examined_in_time: {
    message: 'Examinar el archivo requiere más trabajo del permitido.',
    remedy: 'No incluya el archivo o envíe su contenido en otra forma.',
  },
  type_mismatch: {
    message: 'El contenido no corresponde a la extensión del nombre.',
    remedy: 'Compruebe que es el archivo correcto. Si puede, cambie la extensión según el contenido.',
  },
  control_characters: {
    message: 'El texto contiene NUL u otros caracteres de control.',
    remedy: `${NOTHING} Algunos programas quizá no lo muestren todo.`,
  },
  executable_content: {
    message: 'El archivo es un programa, contiene uno o tiene la extensión de uno.',
    remedy: 'Quite los programas. Para demostrar que uno existe, suba su hash en un archivo de texto.',
  },
  script_content: {
    message: 'El archivo es un script o código fuente.',
    remedy: `${NOTHING} Los revisores no deben ejecutarlo.`,
  },
  macros: {
    message: 'El archivo de Office contiene macros.',
    remedy: 'Guárdelo sin macros (DOCX, XLSX, PPTX, ODT u ODS) o como PDF.',
  },
  encrypted_archive: {
    message: 'Este archivo, incluido en un archivo comprimido, está cifrado.',
    remedy: 'Comprima los archivos de nuevo sin contraseña.',
  },
  encrypted_pdf: { message: 'El PDF requiere una contraseña.', remedy: 'Guárdelo sin contraseña.' },
  encrypted_office: {
    message: 'El archivo de Office está protegido con contraseña.',
    remedy: 'Guárdelo sin contraseña.',
  },
  unreadable_archive: {
    message:
      'El archivo comprimido está dañado o es ambiguo: distintos programas podrían leer contenidos distintos.',
    remedy: 'Comprima los archivos de nuevo con una versión actual de una herramienta común.',
  },
  irregular_archive: {
    message:
      'El archivo comprimido no está bien formado, pero los programas comunes extraen de él los mismos archivos.',
    remedy:
      'Comprima los archivos de nuevo. Lo que los programas omiten no se examina y no forma parte del kit.',
  },
  archive_method: {
    message: 'El archivo comprimido usa un método de compresión poco compatible.',
    remedy:
      'Comprima los archivos de nuevo con deflate, el predeterminado en la mayoría de las herramientas.',
  },
  name_traversal: {
    message: 'El nombre contiene «..» y apunta fuera de su carpeta.',
    remedy: 'Comprima los archivos desde dentro de su carpeta.',
  },
  name_absolute: {
    message: 'El nombre es una ruta absoluta.',
    remedy: 'Comprima los archivos con rutas relativas.',
  },
  name_backslash: {
    message:
      'El nombre contiene una barra inversa, que solo en Windows separa carpetas. En el kit se trata como separador.',
    remedy:
      'Comprima los archivos de nuevo con «/» entre carpetas. El Explorador de Windows, 7-Zip y PowerShell 7 lo hacen; versiones anteriores de Compress-Archive y .NET, no.',
  },
  name_not_unicode: {
    message: 'Se desconoce la codificación del nombre.',
    remedy:
      'Comprima los archivos de nuevo con una herramienta que escriba los nombres en UTF-8, o use solo caracteres ASCII.',
  },
  name_decoded: {
    message:
      'El nombre en el archivo comprimido no está marcado como UTF-8. Se descodificó, y otros programas pueden mostrar otro.',
    remedy:
      'Compruebe que el nombre es correcto. Las versiones actuales de las herramientas comunes escriben nombres en UTF-8.',
  },
  name_changed: {
    message:
      'El nombre tiene un punto o un espacio al final de una parte. En el kit se omite, como hace Windows.',
    remedy: NOTHING,
  },
  name_unportable: {
    message: 'El nombre tiene caracteres que Windows no admite.',
    remedy: `${NOTHING} En Windows, los revisores quizá necesiten un programa que los sustituya.`,
  },
  name_forbidden: {
    message: 'El nombre no es válido en todos los sistemas operativos.',
    remedy:
      'Cámbielo: sin caracteres de control, sin nombres reservados de Windows, sin partes formadas solo por puntos y espacios, con 255 bytes como máximo por parte y 1024 en total.',
  },
  name_direction: {
    message:
      'El nombre contiene caracteres invisibles que cambian la dirección del texto y pueden disfrazarlo.',
    remedy: 'Escriba el nombre de nuevo sin ellos.',
  },
  name_collision: {
    message: 'Otro archivo tiene el mismo nombre, o uno que algunos sistemas operativos tratan como igual.',
    remedy: 'Cambie el nombre de uno de los dos.',
  },
  link: {
    message: 'La entrada es un enlace, no un archivo.',
    remedy: 'Incluya en su lugar el archivo al que apunta.',
  },
  special_file: { message: 'La entrada no es un archivo ni una carpeta.', remedy: 'No la incluya.' },
  too_many_entries: { message: 'El envío contiene demasiados archivos.', remedy: SPLIT },
  too_large_unpacked: { message: 'El envío es demasiado grande al descomprimirlo.', remedy: SPLIT },
  archive_ratio: {
    message: 'Al descomprimirse, el archivo ocupa muchísimo más que su tamaño, como una bomba zip.',
    remedy: 'Suba los archivos descomprimidos o no los incluya.',
  },
  nested_too_deep: {
    message: 'Hay demasiados niveles de archivos comprimidos o documentos anidados.',
    remedy: 'Descomprima los interiores.',
  },
  xml_entities: {
    message: 'El XML declara sus propias entidades, que no todos los programas expanden igual.',
    remedy: 'Expórtelo sin declaraciones de entidades.',
  },
  malformed_pdf: { message: 'El PDF está dañado o incompleto.', remedy: RESAVE },
  malformed_office: { message: 'El archivo de Office está dañado.', remedy: RESAVE },
  malformed_gzip: {
    message: 'El archivo gzip está dañado, por lo que su contenido no se examinó.',
    remedy: 'Comprímalo de nuevo o súbalo descomprimido.',
  },
  malformed_image: { message: 'La imagen está dañada o incompleta.', remedy: 'Exporte la imagen de nuevo.' },
  active_content: {
    message: 'El archivo contiene scripts, enlaces u objetos que actúan al abrirlo.',
    remedy: `${NOTHING} Los revisores no deben abrirlo en un navegador ni permitirle ejecutar nada.`,
  },
  appended_content: {
    message: 'Hay otro archivo añadido al final de este, y algunos programas abren ese en su lugar.',
    remedy: 'Guarde el archivo de nuevo sin él y suba el otro por separado.',
  },
  private_key: {
    message: 'El archivo contiene una clave privada.',
    remedy: 'Quítela. Si alguna vez se envió a alguien, sustituya la clave.',
  },
  possible_secret: {
    message: 'El archivo puede contener un secreto.',
    remedy:
      'Compruébelo. Si es un secreto real, quítelo del archivo y revóquelo si se envió a alguien. De lo contrario, reconózcalo como aceptable.',
  },
  kit_verified: { message: 'Es un kit, y se verificó.', remedy: NOTHING },
  kit_unconfirmed: {
    message: 'Es un kit. Sus archivos están intactos, pero su emisor no se conoce aquí.',
    remedy: `${NOTHING} Para que se verifique, fije las claves de su emisor.`,
  },
  kit_altered: {
    message: 'Es un kit alterado desde su emisión.',
    remedy: 'Pida el original a su emisor.',
  },
  kit_forged: {
    message: 'Es un kit que no está firmado por el emisor que indica.',
    remedy: 'Pregunte al emisor, en una dirección que ya conozca, si emitió este kit.',
  },
  kit_key_revoked: {
    message: 'Es un kit cuya clave de firma fue revocada.',
    remedy: 'Pida a su proveedor un kit emitido de nuevo.',
  },
  test_virus: {
    message: 'El archivo contiene la cadena de prueba antivirus EICAR.',
    remedy: 'No lo incluya.',
  },
  virus_found: {
    message: 'El antivirus encontró software malicioso.',
    remedy: 'No incluya el archivo y haga revisar el equipo del que procede.',
  },
  scan_failed: {
    message: 'El antivirus no pudo analizar el archivo.',
    remedy: 'Envíe de nuevo más tarde. Si sigue fallando, contacte con el operador del servicio.',
  },
  checksum_mismatch: {
    message: 'El archivo no coincide con su suma de comprobación en las evidencias.',
    remedy: 'Suba el archivo correcto o cree de nuevo las sumas de comprobación.',
  },
  checksum_file_missing: {
    message: 'Una lista de sumas de comprobación de las evidencias nombra un archivo que falta.',
    remedy: 'Suba el archivo o cree de nuevo las sumas de comprobación.',
  },
  checksum_list_malformed: {
    message: 'No se puede leer la lista de sumas de comprobación.',
    remedy: `${AS_IS} De lo contrario, créela de nuevo con \`sha256sum\`.`,
  },
  profile_item_missing: {
    message: 'Falta un elemento que el perfil requiere.',
    remedy:
      'Ponga los archivos en una carpeta con el ID del elemento o confirme un archivo cuyo nombre coincida.',
  },
  profile_item_too_old: {
    message: 'Las evidencias de un elemento son más antiguas de lo que permite el perfil.',
    remedy:
      'Suba una exportación más reciente e indique cuándo se recopiló (procedencia), o ponga la fecha en el nombre del archivo, como AAAA-MM-DD.',
  },
  profile_item_undated: {
    message:
      'El perfil limita la antigüedad de un elemento, pero ningún archivo correspondiente tiene fecha en su procedencia ni en su nombre.',
    remedy:
      'Indique cuándo se recopilaron las evidencias (procedencia) o añada la fecha al nombre del archivo, como AAAA-MM-DD.',
  },
  provenance_unmatched: {
    message: 'Se declaró la procedencia de un archivo que no está entre las evidencias.',
    remedy: 'Indique el archivo por su ruta en el kit, sin data/.',
  },
  more_findings: {
    message: 'Hay más hallazgos de los que se muestran.',
    remedy: `${NOTHING} Divida el envío para verlos todos.`,
  },
  more_blockers: {
    message: 'Hay más bloqueos de los que se muestran.',
    remedy: 'Corrija primero estos y envíe de nuevo.',
  },
}

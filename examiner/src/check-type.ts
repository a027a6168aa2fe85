import { type Reason, type Why } from '@kitseal/kit/internal'
import { endingOf } from './detect/file-endings.ts'
import { executableName, programIn, scriptIn } from './detect/programs.ts'
import { type ContentFormat, type FileType, fileType, typesOfEnding } from './file-types.ts'
import type { ContentFacts } from './read/content-pass.ts'
import { type Finding, type RuleCode, detailOf } from './rules.ts'
import type { FilePlace, Structure } from './structures/structure.ts'
import { fileTypeFromBuffer } from 'file-type'
import { copyOf } from './platform/sources.ts'

interface TypeResult {
  readonly type: FileType
  /** How the type was determined, for the report. */
  readonly detectedBy: string
  readonly findings: readonly Finding[]
}

/** Determines the type of a file, and says where content and name disagree. */
export async function checkType(
  { name: path }: Pick<FilePlace, 'name'>,
  facts: ContentFacts,
  inside: Structure['type'],
  mayDescribe: () => boolean,
): Promise<TypeResult> {
  const { head, format } = facts
  const isText = format.content === 'text'
  const program = programIn(head)
  if (program !== undefined)
    return result(fileType('other'), 'signature', { code: 'executable_content', detail: detailOf(program) })
  const key = isText ? undefined : binaryPrivateKey(head)
  if (key !== undefined) return result(fileType('other'), 'signature', { code: 'private_key', detail: key })
  const runs = executableName(path, isText)
  if (runs !== undefined) return result(fileType(isText ? 'txt' : 'other'), 'ending', runs)
  const ending = endingOf(path)
  const named = typesOfEnding(ending)
  if (isText) return checkTextType(facts, named, ending)
  const type = inside === undefined ? typeOf(format) : fileType(inside)
  return type === undefined ? unknownType(facts, named, ending, mayDescribe) : knownType(type, named, ending)
}

const typeOf = (format: ContentFormat): FileType | undefined =>
  'id' in format ? (format as FileType) : undefined

function checkTextType(
  { head, format }: ContentFacts,
  named: readonly FileType[],
  ending: string | undefined,
): TypeResult {
  const own = typeOf(format)
  if (own !== undefined) return knownType(own, named, ending)
  const script = scriptIn(head)
  const code: readonly Finding[] = script === undefined ? [] : [{ code: 'script_content', detail: script }]
  const type = named.find(({ content }) => content === 'text')
  if (type?.isCode === true && script === undefined)
    return result(type, 'content and ending', {
      code: 'script_content',
      detail: detailOf('detail.is', { what: type.title }),
    })
  if (type !== undefined) return result(type, 'content and ending', ...code)
  if (named.length > 0)
    return result(fileType('txt'), 'content', mismatch(ending, detailOf('thing.text')), ...code)
  return result(fileType('txt'), 'content', ...code)
}

function knownType(type: FileType, named: readonly FileType[], ending: string | undefined): TypeResult {
  const notExamined: readonly Finding[] =
    type.content === 'binary' && type.checkStructure === undefined
      ? [{ code: 'unsupported_type', detail: detailOf('detail.is', { what: withArticle(type.title) }) }]
      : []
  const isNamed = named.some(({ id }) => id === type.id)
  if (isNamed) return result(type, 'content and ending', ...notExamined)
  // The extension says which kind of container it is, where the content does not.
  const container = named.find(({ content }) => content === type.content)
  if (container !== undefined && GENERIC.has(type.id)) return result(container, 'content and ending')
  const other = named.length === 0 ? [] : [mismatch(ending, withArticle(type.title))]
  return result(type, 'content', ...other, ...notExamined)
}

const GENERIC = new Set(['compound', 'ooxml', 'odf'])

/** What an examined type is called if the content is nothing like it. */
const DAMAGED: Readonly<Record<string, RuleCode>> = {
  pdf: 'malformed_pdf',
  png: 'malformed_image',
  jpeg: 'malformed_image',
  tiff: 'malformed_image',
  gif: 'malformed_image',
  webp: 'malformed_image',
  docx: 'malformed_office',
  xlsx: 'malformed_office',
  pptx: 'malformed_office',
  odt: 'malformed_office',
  ods: 'malformed_office',
  zip: 'unreadable_archive',
}

async function unknownType(
  { head }: ContentFacts,
  named: readonly FileType[],
  ending: string | undefined,
  mayDescribe: () => boolean,
): Promise<TypeResult> {
  const found = mayDescribe() ? await describeUnknown(head) : undefined
  const known = found === undefined ? undefined : typesOfEnding(found.ending)[0]
  const binary = named.find(({ content }) => content === 'binary')
  if (binary !== undefined && DAMAGED[binary.id] === undefined && (known === undefined || known === binary))
    return result(binary, 'ending', {
      code: 'unsupported_type',
      detail: detailOf('detail.byName', { type: withArticle(binary.title) }),
    })
  const [first] = named
  if (first !== undefined && found === undefined) {
    const code = DAMAGED[first.id]
    if (code !== undefined)
      return result(first, 'ending', {
        code,
        detail: detailOf('detail.startsUnlike', { type: withArticle(first.title) }),
      })
    return result(fileType('other'), 'content', mismatch(ending, detailOf('thing.binary')))
  }
  const title = known?.content === 'binary' ? withArticle(known.title) : found?.title
  const type = known?.content === 'binary' ? known : fileType('other')
  const other = first === undefined ? [] : [mismatch(ending, title ?? detailOf('thing.binary'))]
  const detail = title === undefined ? detailOf('detail.unknownType') : detailOf('detail.is', { what: title })
  return result(type, 'signature', ...other, { code: 'unsupported_type', detail })
}

function mismatch(ending: string | undefined, content: Why): Finding {
  return {
    code: 'type_mismatch',
    detail: detailOf('detail.contentIs', { extension: ending ?? '', content }),
  }
}

function result(type: FileType, detectedBy: string, ...findings: readonly Finding[]): TypeResult {
  return { type, detectedBy, findings }
}

/** "an xz file", but "MP3 audio". */
function withArticle(title: string): Reason {
  const startsWithVowel = /^(?:[AEIOaeio]|[FHLMNSX][A-Z\d]|xz)/.test(title) && !title.startsWith('One')
  const isPlural = /(?:^|\s)(?:data|audio|music|arrays|shapes|translations)(?:$|\s)/.test(title)
  const article = isPlural ? 'none' : startsWithVowel ? 'an' : 'a'
  const kind = KINDS.find((one) => title.endsWith(` ${one}`))
  return kind === undefined
    ? detailOf('thing.other', { article, name: title })
    : detailOf(`thing.${kind}`, { article, name: title.slice(0, -kind.length - 1) })
}

const KINDS = [
  'image',
  'archive',
  'video',
  'audio',
  'table',
  'database',
  'document',
  'workbook',
  'presentation',
  'file',
] as const

interface DescribedContent {
  readonly ending: string
  readonly title: string
}

/** Describes content by its first bytes, as far as the library knows it. */
async function describeUnknown(head: Uint8Array): Promise<DescribedContent | undefined> {
  try {
    // A bounded copy: the library follows lengths that the content states, and can read no further than this.
    const found = await fileTypeFromBuffer(copyOf(head.subarray(0, 4100)))
    if (found === undefined) return undefined
    return { ending: found.ext, title: `${found.ext.toUpperCase()} (${found.mime})` }
  } catch {
    return undefined
  }
}

const any = undefined
const PBES2 = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0d]

/** After the length of the outer sequence. */
const DER_KEYS: readonly (readonly [what: Reason, bytes: readonly (number | undefined)[]])[] = [
  [detailOf('detail.privateKey', { format: 'PKCS#8' }), [0x02, 0x01, 0x00, 0x30, any, 0x06]],
  [detailOf('detail.privateKey', { format: 'PKCS#1' }), [0x02, 0x01, 0x00, 0x02, 0x82]],
  [detailOf('detail.privateKey', { format: 'PKCS#1' }), [0x02, 0x01, 0x00, 0x02, 0x81]],
  [detailOf('detail.privateKey', { format: 'SEC1' }), [0x02, 0x01, 0x01, 0x04, 0x20]],
  [detailOf('detail.privateKey', { format: 'SEC1' }), [0x02, 0x01, 0x01, 0x04, 0x30]],
  [detailOf('detail.encryptedKey', { format: 'PKCS#8' }), [0x30, any, ...PBES2]],
  [detailOf('detail.keyStore'), [0x02, 0x01, 0x03, 0x30]],
]

const OPENPGP_ALGORITHMS = new Set([1, 17, 18, 19, 22])

/** Names the kind of private key that binary content is: in DER, PKCS#12, or an OpenPGP secret key packet. */
function binaryPrivateKey(head: Uint8Array): Reason | undefined {
  if (head[0] === 0x95 && head[3] === 4 && OPENPGP_ALGORITHMS.has(head[8] ?? 0))
    return detailOf('detail.privateKey', { format: 'OpenPGP' })
  if (head[0] !== 0x30) return undefined
  const first = head[1] ?? 0
  // A length in one byte, or the number of bytes of the length.
  const at = first < 0x80 ? 2 : 2 + (first & 0x7f)
  if (at > 6) return undefined
  return DER_KEYS.find(([, bytes]) =>
    bytes.every((byte, index) => byte === undefined || head[at + index] === byte),
  )?.[0]
}

import { describeUnknown } from './detect/describe-unknown.ts'
import { endingOf } from './detect/file-endings.ts'
import { executableName, programIn, scriptIn } from './detect/programs.ts'
import { type ContentFormat, FILE_TYPES, type FileType, fileType } from './file-types.ts'
import type { ContentFacts } from './read/content-pass.ts'
import type { Finding } from './rules.ts'
import type { Structure } from './structures/structure.ts'

export interface TypeResult {
  readonly type: FileType | undefined
  /** How the type was determined, for the report. */
  readonly detectedBy: string
  readonly findings: readonly Finding[]
}

/** Determines the type of a file, and checks that content and name agree. */
export async function checkType(
  path: string,
  facts: ContentFacts,
  inside: Structure['type'],
): Promise<TypeResult> {
  const { head, format, namedType } = facts
  const ending = endingOf(path)
  const program = programIn(head)
  if (program !== undefined)
    return rejected('signature', { code: 'executable_content', detail: `it is ${program}` })
  const runs = executableName(path)
  if (runs !== undefined) return rejected('ending', runs)
  if (format.content === 'text') return checkTextType(facts, ending)
  if (inside === 'rejected') {
    const isOther = namedType !== undefined && format.content === 'zip' && namedType.content !== 'zip'
    return isOther
      ? mismatch(ending, 'a ZIP archive')
      : { type: undefined, detectedBy: 'structure', findings: [] }
  }
  const type = inside === undefined ? typeOfContent(format) : fileType(inside)
  return type === undefined ? unknownType(facts, ending) : knownType(type, namedType, ending)
}

function typeOfContent({ content }: ContentFormat): FileType | undefined {
  return FILE_TYPES.find(({ id }) => id === content)
}

function checkTextType({ head, namedType }: ContentFacts, ending: string | undefined): TypeResult {
  const script = scriptIn(head)
  if (script !== undefined) return rejected('first line', { code: 'script_content', detail: script })
  if (namedType?.content === 'text')
    return { type: namedType, detectedBy: 'content and ending', findings: [] }
  if (namedType !== undefined) return mismatch(ending, 'text')
  if (ending === undefined) return { type: fileType('txt'), detectedBy: 'content', findings: [] }
  const start = new TextDecoder().decode(head.subarray(0, 200)).trimStart()
  if (start.startsWith('{\\rtf'))
    return unsupported('content', 'RTF (application/rtf); save it as DOCX or PDF')
  const [title, better] = likelyText(start)
  return unsupported('content', `text with the extension .${ending}; if it is ${title}, name it .${better}`)
}

function likelyText(start: string): readonly [title: string, ending: string] {
  if (/^(?:\{\s*["}]|\[\s*[[{"\]])/.test(start)) return ['JSON', 'json']
  return /^<(?:\?xml|!--|[a-z])/i.test(start) ? ['XML', 'xml'] : ['plain text', 'txt']
}

function knownType(type: FileType, namedType: FileType | undefined, ending: string | undefined): TypeResult {
  if (namedType?.id === type.id) return { type, detectedBy: 'content and ending', findings: [] }
  if (ending === undefined) return { type, detectedBy: 'content', findings: [] }
  return mismatch(ending, `a ${type.title}`)
}

async function unknownType(
  { head, namedType }: ContentFacts,
  ending: string | undefined,
): Promise<TypeResult> {
  const title = await describeUnknown(head)
  if (namedType !== undefined) return mismatch(ending, title ?? 'neither that nor text')
  return unsupported(
    'signature',
    title ?? (ending === undefined ? 'of an unknown type' : `a .${ending} file`),
  )
}

function mismatch(ending: string | undefined, content: string): TypeResult {
  const detail = `the extension is .${ending ?? ''}, but the content is ${content}`
  return rejected('content', { code: 'type_mismatch', detail })
}

function unsupported(detectedBy: string, title: string): TypeResult {
  return rejected(detectedBy, { code: 'unsupported_type', detail: `it is ${title}` })
}

function rejected(detectedBy: string, finding: Finding): TypeResult {
  return { type: undefined, detectedBy, findings: [finding] }
}

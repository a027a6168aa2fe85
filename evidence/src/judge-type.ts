import type { ZipEntry } from '@kitseal/kit'
import {
  type Content,
  endingOf,
  type FileType,
  fileType,
  shellEndingOf,
  type TypeId,
  typeOfEnding,
} from './file-types.ts'
import type { Seen } from './look.ts'
import { isProgramEnding, isScriptEnding, programIn, scriptIn } from './programs.ts'
import type { Finding } from './rules.ts'
import { nameOther } from './tell-content.ts'

export interface TypeJudgement {
  readonly type: FileType | undefined
  /** How it was told, for the report. */
  readonly toldBy: string
  readonly findings: readonly Finding[]
}

/** Content that says by itself what type it is; an archive needs to be looked into first. */
const TYPE_OF_CONTENT: Partial<Readonly<Record<Content, TypeId>>> = {
  pdf: 'pdf',
  png: 'png',
  jpeg: 'jpeg',
  tiff: 'tiff',
  zip: 'zip',
}

/** What a look into an archive or a compound file says of its type; `refused` where it was found wanting already. */
export type InsideType = TypeId | 'refused'

/** Holds content and name against each other. */
export async function judgeType(path: string, seen: Seen, inside?: InsideType): Promise<TypeJudgement> {
  const ending = endingOf(path)
  const expected = typeOfEnding(ending)
  const program = programIn(seen.head)
  if (program !== undefined)
    return refused('signature', { code: 'executable_content', seen: `it is ${program}` })
  const runs = endingFinding(path)
  if (runs !== undefined) return refused('ending', runs)
  if (seen.content === 'text') return judgeText(seen, expected, ending)
  if (inside === 'refused') {
    const isOther = expected !== undefined && seen.content === 'zip' && expected.content !== 'zip'
    return isOther
      ? mismatch(ending, 'a ZIP archive')
      : { type: undefined, toldBy: 'structure', findings: [] }
  }
  const type = inside ?? TYPE_OF_CONTENT[seen.content]
  if (type !== undefined) return judgeTold(fileType(type), expected, ending)
  return judgeOther(seen, expected, ending)
}

/** What is wrong with a file by what the directory of its archive says, where nothing is unpacked. */
export function unopenedFindings({
  name,
  sizeBytes,
}: Pick<ZipEntry, 'name' | 'sizeBytes'>): readonly Finding[] {
  if (sizeBytes === 0) return [{ code: 'empty_file' }]
  const finding = endingFinding(name)
  return finding === undefined ? [] : [finding]
}

/** What a name alone says: that a system would run the file. */
function endingFinding(path: string): Finding | undefined {
  if (/\.\{[\da-f-]{36}\}$/i.test(path)) {
    return { code: 'executable_content', seen: 'its name ends in a class, which Windows runs it with' }
  }
  const ending = shellEndingOf(path)
  const seen = `its name ends in .${ending}`
  if (isProgramEnding(ending)) return { code: 'executable_content', seen }
  return isScriptEnding(ending) ? { code: 'script_content', seen } : undefined
}

function judgeText(seen: Seen, expected: FileType | undefined, ending: string | undefined): TypeJudgement {
  const script = scriptIn(seen.head)
  if (script !== undefined) return refused('first line', { code: 'script_content', seen: script })
  if (expected?.content === 'text') return { type: expected, toldBy: 'content and ending', findings: [] }
  if (expected !== undefined) return mismatch(ending, 'text')
  if (ending === undefined) return { type: fileType('txt'), toldBy: 'content', findings: [] }
  if (startOf(seen.head).startsWith('{\\rtf')) {
    return refused('content', {
      code: 'unsupported_type',
      seen: 'it is RTF (application/rtf); save it as DOCX or PDF',
    })
  }
  const [title, better] = likelyText(seen.head)
  return refused('content', {
    code: 'unsupported_type',
    seen: `it is text, and its name ends in .${ending}; if ${title} is what it is, name it .${better}`,
  })
}

/** What a text of an unknown ending may well be called. */
function likelyText(head: Uint8Array): readonly [title: string, ending: string] {
  const first = startOf(head)
  if (/^(?:\{\s*["}]|\[\s*[[{"\]])/.test(first)) return ['JSON', 'json']
  return /^<(?:\?xml|!--|[a-z])/i.test(first) ? ['XML', 'xml'] : ['plain text', 'txt']
}

function startOf(head: Uint8Array): string {
  return new TextDecoder().decode(head.subarray(0, 200)).trimStart()
}

function judgeTold(
  type: FileType,
  expected: FileType | undefined,
  ending: string | undefined,
): TypeJudgement {
  if (expected?.id === type.id) return { type, toldBy: 'content and ending', findings: [] }
  if (ending === undefined) return { type, toldBy: 'content', findings: [] }
  return mismatch(ending, `a ${type.title}`)
}

async function judgeOther(
  seen: Seen,
  expected: FileType | undefined,
  ending: string | undefined,
): Promise<TypeJudgement> {
  const name = await nameOther(seen.head)
  if (expected !== undefined) return mismatch(ending, name ?? 'neither that nor text')
  return refused('signature', {
    code: 'unsupported_type',
    seen: `it is ${name ?? (ending === undefined ? 'of no known type' : `a .${ending} file`)}`,
  })
}

function mismatch(ending: string | undefined, found: string): TypeJudgement {
  return refused('content', {
    code: 'type_mismatch',
    seen: `its name ends in .${ending ?? ''}, and its content is ${found}`,
  })
}

function refused(toldBy: string, finding: Finding): TypeJudgement {
  return { type: undefined, toldBy, findings: [finding] }
}

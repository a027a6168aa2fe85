import type { RandomAccess } from '@kitseal/kit'
import type { Examination, InsideReport } from './examination.ts'
import type { Content, FileType } from './file-types.ts'
import { type InsideType, judgeType } from './judge-type.ts'
import type { Seen } from './look.ts'
import { lookIntoArchive } from './look-into-archive.ts'
import type { Finding } from './rules.ts'
import { appendedArchive } from './structures/appended.ts'
import { examineCompoundFile } from './structures/compound-file.ts'
import { examineJpeg, examinePng } from './structures/images.ts'
import { examinePdf } from './structures/pdf.ts'
import type { StructureCheck } from './structures/structure.ts'
import { examineTiff } from './structures/tiff.ts'
import { buffered } from './surroundings.ts'

export interface Judgement {
  readonly type: FileType | undefined
  readonly toldBy: string
  readonly notes: readonly string[]
  readonly inside?: InsideReport | undefined
}

export interface FileToJudge {
  /** The name that its ending is taken from. */
  readonly name: string
  readonly shownPath: string
  /** How many archives and documents it is inside of, the uploaded one not counted; -1 for an uploaded file itself. */
  readonly depth: number
  /** How many documents it is inside of. */
  readonly documents: number
}

const STRUCTURES: Partial<Readonly<Record<Content, StructureCheck>>> = {
  pdf: examinePdf,
  png: examinePng,
  jpeg: examineJpeg,
  tiff: examineTiff,
  compound: examineCompoundFile,
}

/** Whether judging it takes reading it by position. */
export function needsPosition(seen: Seen): boolean {
  return seen.content === 'zip' || STRUCTURES[seen.content] !== undefined
}

/** Puts together what was seen in passing and what its structure says. Reports what is wrong, and returns what it is. */
export async function judgeFile(
  exam: Examination,
  file: FileToJudge,
  seen: Seen,
  source: RandomAccess,
): Promise<Judgement> {
  if (seen.sizeBytes === 0) {
    exam.report(file.shownPath, { code: 'empty_file' })
    return { type: undefined, toldBy: 'size', notes: [] }
  }
  const structure = await examineStructure(exam, file, seen, buffered(source))
  const { type, toldBy, findings } = await judgeType(file.name, seen, structure.type)
  exam.report(file.shownPath, ...keepTelling([...seen.findings, ...structure.findings, ...findings]))
  return { type, toldBy, notes: [...seen.notes, ...structure.notes], inside: structure.inside }
}

interface StructureResult {
  readonly type?: InsideType | undefined
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
  readonly inside?: InsideReport | undefined
}

async function examineStructure(
  exam: Examination,
  file: FileToJudge,
  seen: Seen,
  source: RandomAccess,
): Promise<StructureResult> {
  if (seen.content === 'zip') return lookIntoArchive(exam, file, source)
  const check = STRUCTURES[seen.content]
  if (check === undefined) return { findings: [], notes: [] }
  const { findings, notes } = await check(source, seen, exam.surroundings.host.crc32)
  if (seen.content === 'compound') return { findings, notes, type: 'refused' }
  const appended = await appendedArchive(source)
  return { findings: appended === undefined ? findings : [...findings, appended], notes }
}

/**
 * Each rule once. Where a file is not of the type that its name says, what is wrong with it as that type tells nobody
 * anything; nor does that it is of another type, where it is one that runs.
 */
function keepTelling(findings: readonly Finding[]): readonly Finding[] {
  const codes = findings.map(({ code }) => code)
  const isRefused = codes.some((code) => REFUSALS.has(code))
  const runs = codes.some((code) => RUNS.has(code))
  return findings.filter(
    ({ code }, index) =>
      codes.indexOf(code) === index &&
      !(isRefused && code.startsWith('malformed_')) &&
      !(runs && code === 'type_mismatch'),
  )
}

const REFUSALS = new Set<Finding['code']>(['type_mismatch', 'executable_content', 'script_content'])
const RUNS = new Set<Finding['code']>(['executable_content', 'script_content'])

import { ZipProblem } from '@kitseal/kit'
import { entryContent, findingOf, locate } from './archive.ts'
import { isChecksumList } from './checksum-list.ts'
import type { ExaminedFile, Examination } from './examination.ts'
import { type Judgement, judgeFile, needsPosition } from './judge-file.ts'
import { Look, type Seen } from './look.ts'
import { nameNotes } from './names.ts'
import type { Plan, PlannedEntry } from './plan-files.ts'
import { memorySource, pieces } from './surroundings.ts'

/** A file that was passed over, and whose judgement waits until it can be read by position. */
export interface WalkedFile {
  readonly file: Omit<ExaminedFile, 'type' | 'toldBy' | 'inside'>
  readonly name: string
  readonly seen: Seen
  readonly judgement: Judgement | undefined
}

/** The object of a file that lies in the pack, until the pack has a name. */
export const IN_PACK = ''

/**
 * One pass over all that was supplied. Yields the bytes that have to be stored: the content of deflated entries, end to
 * end. What is stored as it is already, in an upload, is only looked at.
 */
export async function* walkFiles(
  exam: Examination,
  plans: readonly Plan[],
  walked: WalkedFile[],
  packedBefore: number,
): AsyncGenerator<Uint8Array> {
  let offset = packedBefore
  for (const plan of plans) {
    if (plan.is === 'refused') continue
    if (plan.is === 'loose') {
      walked.push(await walkLoose(exam, plan))
      continue
    }
    for (const planned of plan.files) {
      const from = offset
      for await (const bytes of walkEntry(exam, plan, planned, from, walked)) {
        offset += bytes.length
        yield bytes
      }
    }
  }
}

async function walkLoose(exam: Examination, plan: Extract<Plan, { is: 'loose' }>): Promise<WalkedFile> {
  const { supplied, path } = plan
  const { name, source, object } = supplied
  const measured = supplied.sha256 === undefined || supplied.crc32 === undefined
  const look = startLook(exam, name, source.sizeBytes, measured)
  for await (const bytes of pieces(source)) look.push(bytes)
  const seen = await endLook(exam, look)
  const file = {
    path,
    shownPath: name,
    from: name,
    sha256: supplied.sha256 ?? seen.sha256 ?? '',
    crc32: supplied.crc32 ?? seen.crc32 ?? 0,
    sizeBytes: source.sizeBytes,
    object,
    offset: 0,
    notes: nameNotes(name),
    list: listIn(exam, path, seen),
  }
  const judgement = await judgeFile(exam, { name, shownPath: name, depth: -1, documents: 0 }, seen, source)
  return { file, name, seen: forgetContent(seen), judgement }
}

async function* walkEntry(
  exam: Examination,
  { supplied, archive }: Extract<Plan, { is: 'archive' }>,
  { index, entry, path, shownPath, notes }: PlannedEntry,
  packOffset: number,
  walked: WalkedFile[],
): AsyncGenerator<Uint8Array> {
  const dataAt = await locate(archive, index)
  if (typeof dataAt !== 'number') {
    exam.report(shownPath, dataAt)
    return
  }
  const isStored = entry.method === 0
  const look = startLook(exam, entry.name, entry.sizeBytes, true)
  try {
    for await (const bytes of entryContent(archive, entry, dataAt, exam.surroundings)) {
      look.push(bytes)
      if (!isStored) yield bytes
    }
  } catch (error) {
    exam.report(shownPath, findingOf(error))
    return
  }
  const seen = await endLook(exam, look)
  if (seen.crc32 !== entry.crc32) {
    exam.report(shownPath, findingOf(new ZipProblem('the CRC-32 is wrong')))
    return
  }
  const file = {
    path,
    shownPath,
    from: supplied.name,
    sha256: seen.sha256 ?? '',
    crc32: seen.crc32,
    sizeBytes: entry.sizeBytes,
    object: isStored ? supplied.object : IN_PACK,
    offset: isStored ? dataAt : packOffset,
    notes,
    list: listIn(exam, path, seen),
  }
  const judgement = await judgeNow(exam, entry.name, shownPath, seen)
  walked.push({ file, name: entry.name, seen: forgetContent(seen), judgement })
}

/** Small files are judged while they are in memory. */
async function judgeNow(
  exam: Examination,
  name: string,
  shownPath: string,
  seen: Seen,
): Promise<Judgement | undefined> {
  if (seen.whole === undefined && needsPosition(seen)) return undefined
  return judgeFile(
    exam,
    { name, shownPath, depth: 0, documents: 0 },
    seen,
    memorySource(seen.whole ?? seen.head),
  )
}

function startLook(exam: Examination, path: string, sizeBytes: number, measured: boolean): Look {
  const { budget, surroundings } = exam
  return new Look({ path, sizeBytes, measured, parsedBytes: budget.parsedBytes }, surroundings.host)
}

async function endLook(exam: Examination, look: Look): Promise<Seen> {
  const seen = await look.end()
  exam.budget.parsedBytes -= seen.parsedBytes
  return seen
}

const NOTHING = new Uint8Array(0)

function forgetContent(seen: Seen): Seen {
  return seen.whole === undefined ? seen : { ...seen, whole: undefined, head: NOTHING }
}

/** Lists of checksums are read again when all files are known. */
function listIn(exam: Examination, path: string, seen: Seen): string | undefined {
  if (seen.whole === undefined || !isChecksumList(path)) return undefined
  if (!exam.budget.admitList(seen.whole.length)) return undefined
  return new TextDecoder().decode(seen.whole)
}

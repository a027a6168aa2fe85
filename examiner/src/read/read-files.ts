import { isChecksumList } from '../checksums/check-checksums.ts'
import { programIn } from '../detect/programs.ts'
import type { ExamineContext } from '../examine-context.ts'
import type { ExaminedFile } from '../examined-file.ts'
import { nameNotes } from '../file-names.ts'
import type { Plan, PlannedEntry, SuppliedFile } from '../plan/plan-files.ts'
import type { StoredContent } from '../platform/platform.ts'
import { chunks, inPieces } from '../platform/sources.ts'
import { type ContentFacts, ContentPass, type ContentToRead } from './content-pass.ts'
import { type ZipEntry, ZipProblem } from '@kitseal/kit/internal'
import { locateContent, type OpenArchive, readContent, zipFinding } from '../archives/open-archive.ts'
import { type Finding, detailOf } from '../rules.ts'

/** A file that was read once, before its structure and type are checked. */
export interface ReadFile extends Omit<ExaminedFile, 'type' | 'detectedBy' | 'inside' | 'object'> {
  /** The name that its extension is taken from. */
  readonly name: string
  readonly isUploadedItself: boolean
  /** Undefined if its content is in the pack. */
  readonly object: string | undefined
  readonly facts: ContentFacts
}

type Checksums = Exclude<ContentToRead['checksums'], 'none'>
type OnRead = (file: ReadFile) => Promise<void>

/**
 * Reads everything that was supplied once. Deflated entries are unpacked into one stored object, the pack; other content
 * stays in the upload.
 */
export async function readFiles(
  ctx: ExamineContext,
  plans: readonly Plan[],
  checksums: Checksums,
  onRead: OnRead,
): Promise<StoredContent | undefined> {
  const unpacked = readAll(ctx, plans, checksums, onRead)
  if (plans.some(hasDeflated)) return ctx.platform.store(inPieces(unpacked, BUFFER_BYTES))
  for await (const _ of unpacked) throw new Error('unexpected content to pack')
  return undefined
}

/** Ten thousand small files do not become ten thousand writes. */
const BUFFER_BYTES = 256 * 1024

function hasDeflated(plan: Plan): boolean {
  return plan.is === 'archive' && plan.files.some(({ entry }) => entry.method !== 0)
}

/** Yields the content of deflated entries. */
async function* readAll(
  ctx: ExamineContext,
  plans: readonly Plan[],
  checksums: Checksums,
  onRead: OnRead,
): AsyncGenerator<Uint8Array> {
  let offset = 0
  for (const plan of plans) {
    if (plan.is === 'rejected') continue
    if (plan.is === 'loose') {
      await onRead(await readLoose(ctx, plan, checksums))
      continue
    }
    await checkLeftOut(ctx, plan)
    for (const planned of plan.files) {
      for await (const bytes of readArchived(ctx, plan, planned, offset, checksums, onRead)) {
        offset += bytes.length
        yield bytes
      }
    }
  }
}

/** A program is not what a system creates, whatever its name is. */
async function checkLeftOut(
  ctx: ExamineContext,
  { archive, leftOut }: Extract<Plan, { is: 'archive' }>,
): Promise<void> {
  for (const { index, path } of leftOut) {
    const options = { checksums: 'crc32' } as const
    const facts = await drained(readEntry(ctx, archive, index, options))
    const program = 'code' in facts ? undefined : programIn(facts.head)
    if (program !== undefined) ctx.report(path, { code: 'executable_content', detail: detailOf(program) })
  }
}

async function readLoose(
  ctx: ExamineContext,
  plan: Extract<Plan, { is: 'loose' }>,
  checksums: Checksums,
): Promise<ReadFile> {
  const { supplied, path } = plan
  const { name, source, object } = supplied
  const isHashed = supplied.sha256 !== undefined && supplied.crc32 !== undefined
  const file = {
    name,
    sizeBytes: source.sizeBytes,
    checksums: isHashed ? 'none' : checksums,
    takeRecognising: ctx.budget.takeRecognising,
  } as const
  const pass = new ContentPass(file, ctx.platform.host)
  for await (const bytes of chunks(source)) pass.push(bytes)
  const facts = await pass.end()
  return {
    path,
    displayPath: name,
    from: name,
    name,
    isUploadedItself: true,
    sha256: supplied.sha256 ?? facts.sha256 ?? '',
    crc32: supplied.crc32 ?? facts.crc32 ?? 0,
    sizeBytes: source.sizeBytes,
    object,
    offset: 0,
    notes: nameNotes(name),
    checksumList: checksumListIn(ctx, path, facts),
    facts,
  }
}

async function* readArchived(
  ctx: ExamineContext,
  { supplied, archive }: Extract<Plan, { is: 'archive' }>,
  { index, entry, path, displayPath, notes }: PlannedEntry,
  packOffset: number,
  checksums: Checksums,
  onRead: OnRead,
): AsyncGenerator<Uint8Array> {
  const isStored = entry.method === 0
  const { takeRecognising } = ctx.budget
  const { readAhead } = supplied
  const options = { checksums, takeRecognising, readAhead }
  const content = readEntry(ctx, archive, index, options)
  const facts = isStored ? await drained(content) : yield* content
  if ('code' in facts) {
    ctx.report(displayPath, facts)
    return
  }
  await onRead({
    path,
    displayPath,
    from: supplied.name,
    name: entry.name,
    isUploadedItself: false,
    sha256: facts.sha256 ?? '',
    crc32: entry.crc32,
    sizeBytes: entry.sizeBytes,
    object: isStored ? supplied.object : undefined,
    offset: isStored ? facts.dataAt : packOffset,
    notes,
    checksumList: checksumListIn(ctx, path, facts),
    facts,
  })
}

/** Keeps a checksum list until all files are known. */
function checksumListIn(
  { budget }: ExamineContext,
  path: string,
  { whole }: ContentFacts,
): string | undefined {
  if (whole === undefined || !isChecksumList(path) || !budget.takeChecksumList(whole.length)) return undefined
  return new TextDecoder().decode(whole)
}

interface ReadEntry extends ContentFacts {
  /** The offset of its data in the archive. */
  readonly dataAt: number
}

interface EntryOptions
  extends Pick<ContentToRead, 'checksums' | 'takeRecognising'>, Pick<SuppliedFile, 'readAhead'> {}

/** Reads an entry of an archive once and yields its content. Returns a finding if the entry itself is damaged. */
export async function* readEntry(
  { platform }: ExamineContext,
  archive: OpenArchive,
  index: number,
  { readAhead, ...options }: EntryOptions,
): AsyncGenerator<Uint8Array, ReadEntry | Finding> {
  const entry = archive.entries[index] as ZipEntry
  const dataAt = await locateContent(archive, index)
  if (typeof dataAt !== 'number') return dataAt
  const { name, sizeBytes } = entry
  let facts = await readAhead?.(name)
  if (facts === undefined || (options.checksums === 'sha256 and crc32' && facts.sha256 === undefined)) {
    const pass = new ContentPass({ name, sizeBytes, ...options }, platform.host)
    try {
      for await (const bytes of readContent(archive, entry, dataAt, platform)) {
        pass.push(bytes)
        yield bytes
      }
    } catch (error) {
      return zipFinding(error)
    }
    facts = await pass.end()
  }
  return facts.crc32 === entry.crc32
    ? { ...facts, dataAt }
    : zipFinding(new ZipProblem(detailOf('detail.badCrc')))
}

/** Reads an entry whose content is not needed. */
async function drained<Result>(content: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = await content.next()
    if (done === true) return value
  }
}

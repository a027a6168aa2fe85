import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../objects/filesystem-objects.ts'
import { TransferRefused } from './transfer-refused.ts'

/** What a backup says of itself: `backup.json`, written last. */
export interface BackupIndex {
  readonly format: typeof BACKUP_FORMAT
  readonly created_at: string
  /** The form of the records: the migrations that had run. */
  readonly migrations: readonly string[]
  /** The folder with the records of this run. */
  readonly records: string
  readonly tables: Readonly<Record<string, FileOfLines>>
  readonly objects: FileOfLines
  /** Objects that records name and that were missing or damaged: they are not in it. Older backups don't tell. */
  readonly lacks?: readonly string[]
  readonly key_files: number
}

export interface FileOfLines {
  readonly lines: number
  readonly sha256: string
}

export const BACKUP_FORMAT = 'kitseal-backup-1'
const INDEX = 'backup.json'

export async function writeIndex(folder: string, index: BackupIndex): Promise<void> {
  const draft = join(folder, `.${INDEX}`)
  await syncFolder(join(folder, index.records))
  await writeFile(draft, `${JSON.stringify(index, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(draft, join(folder, INDEX))
  await syncFolder(folder)
}

export async function readIndex(folder: string): Promise<BackupIndex> {
  const text = await readFile(join(folder, INDEX), 'utf8').catch(() => undefined)
  if (text === undefined)
    throw new TransferRefused(
      `${folder} holds no backup: there is no ${INDEX}, which is written when one is complete.`,
    )
  const index = parsed(text)
  if (index?.format !== BACKUP_FORMAT || !/^records-[\w-]+$/.test(index.records))
    throw new TransferRefused(
      `${join(folder, INDEX)} is not the index of a backup that this release can read.`,
    )
  return index
}

function parsed(text: string): BackupIndex | undefined {
  try {
    return JSON.parse(text) as BackupIndex
  } catch {
    return undefined
  }
}

/** Lines in, one file out, with its hash. */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<FileOfLines> {
  const hash = createHash('sha256')
  let count = 0
  await using file = await open(path, 'w', 0o600)
  for await (const line of lines) {
    const text = `${line}\n`
    hash.update(text)
    await file.appendFile(text)
    count += 1
  }
  await file.sync()
  return { lines: count, sha256: hash.digest('hex') }
}

const CHUNK_BYTES = 1_048_576

/** What `writeLines` wrote: only a line feed ends a line. JSON may hold the other characters that end one elsewhere. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const text of createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES })) {
    const lines = `${rest}${String(text)}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Whether a file is what the index says; it is read once more when it is used. */
export async function holds(path: string, { lines, sha256 }: FileOfLines): Promise<boolean> {
  const hash = createHash('sha256')
  let count = 0
  try {
    for await (const line of readLines(path)) {
      hash.update(`${line}\n`)
      count += 1
    }
  } catch {
    return false
  }
  return count === lines && hash.digest('hex') === sha256
}

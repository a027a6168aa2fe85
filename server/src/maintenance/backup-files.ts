import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../objects/filesystem-objects.ts'
import { TransferRefused } from './transfer-error.ts'

/** The index of a backup, `backup.json`. It is written last. */
export interface BackupIndex {
  readonly format: typeof BACKUP_FORMAT
  readonly created_at: string
  /** The migrations of the database, which define the format of the records. */
  readonly migrations: readonly string[]
  /** Folder of the records of this run. */
  readonly records: string
  readonly tables: Readonly<Record<string, FileOfLines>>
  readonly objects: FileOfLines
  /** Referenced objects that were missing or damaged and are not in the backup. */
  readonly lacks: readonly string[]
  readonly key_files: number
  /** Key ID of the log, which identifies the service. Absent without a log. */
  readonly log?: string
}

export interface FileOfLines {
  readonly lines: number
  readonly sha256: string
}

export const BACKUP_FORMAT = 'kitseal-backup-1'
const INDEX = 'backup.json'
const CHUNK_BYTES = 1_048_576

export async function writeIndex(folder: string, index: BackupIndex): Promise<void> {
  const draft = join(folder, `.${INDEX}`)
  await syncFolder(join(folder, index.records))
  await writeFile(draft, `${JSON.stringify(index, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(draft, join(folder, INDEX))
  await syncFolder(folder)
}

export async function readIndex(folder: string): Promise<BackupIndex> {
  const index = await readIndexIfAny(folder)
  if (index === undefined)
    throw new TransferRefused(`${folder} does not contain a complete backup: ${INDEX} is missing.`)
  return index
}

/** Undefined if the folder has no complete backup yet. */
export async function readIndexIfAny(folder: string): Promise<BackupIndex | undefined> {
  const text = await readFile(join(folder, INDEX), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const index = parsed(text)
  if (index?.format !== BACKUP_FORMAT || !/^records-[\w-]+$/.test(index.records))
    throw new TransferRefused(
      `${join(folder, INDEX)} is not the index of a backup, or is of an unsupported version.`,
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

/** Writes lines to a file; returns their count and hash. */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<FileOfLines> {
  const hash = createHash('sha256')
  let [count, text] = [0, '']
  await using file = await open(path, 'w', 0o600)
  const flush = async (): Promise<void> => {
    hash.update(text)
    await file.appendFile(text)
    text = ''
  }
  for await (const line of lines) {
    text += `${line}\n`
    count += 1
    if (text.length >= CHUNK_BYTES) await flush()
  }
  await flush()
  await file.sync()
  return { lines: count, sha256: hash.digest('hex') }
}

/** Reads the lines of `writeLines`. Only LF ends a line: JSON may contain other line separators. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const text of createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES })) {
    const lines = `${rest}${String(text)}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Whether a file has the line count and hash of the index. */
export async function isIntact(path: string, { lines, sha256 }: FileOfLines): Promise<boolean> {
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

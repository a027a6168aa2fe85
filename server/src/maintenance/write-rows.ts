import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { FileOfLines, FileOfRows, Files } from './backup-files.ts'
import { digestOf, keyOf, rowsOf, type Key } from './records.ts'
import type { Table } from './tables.ts'

/** A file ends when it has as many lines or characters. */
const MOST_LINES = 4000
const MOST_CHARACTERS = 4_000_000

/** The files of the records, named by their hash. */
export interface RecordFiles {
  /** Writes lines, unless a file has them already. */
  write(text: string): Promise<string>
  has(sha256: string): boolean
}

export async function openRecordFiles(files: Files): Promise<RecordFiles> {
  const names = new Set<string>()
  for await (const { sha256 } of files.list()) names.add(sha256)
  return {
    has: (sha256) => names.has(sha256),
    write: async (text) => {
      const bytes = Buffer.from(text)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      if (!names.has(sha256)) await files.put(bytes)
      names.add(sha256)
      return sha256
    },
  }
}

export interface RowsToWrite {
  readonly db: Kysely<Database>
  readonly table: Table
  readonly files: RecordFiles
  /** Of the previous backup. */
  readonly former: readonly FileOfRows[]
  readonly seed: number
}

/**
 * Writes a table to files of consecutive rows. Rows are compared range by range with the former files: a file whose rows have
 * the same digest is kept without reading them. The ranges follow each other whatever the former files say, so no row can be
 * left out.
 */
export async function* writeRows({
  db,
  table,
  files,
  former,
  seed,
}: RowsToWrite): AsyncGenerator<FileOfRows> {
  let after: Key | undefined
  let rows = { text: '', lines: 0 }
  const flush = async (upto: Key, start: Key | undefined): Promise<FileOfRows> => {
    const { lines, text } = rows
    rows = { text: '', lines: 0 }
    const digest = await digestOf(db, table, { after: start, upto }, seed)
    const file = { lines, sha256: await files.write(text), upto: [...upto] }
    return digest === undefined ? file : { ...file, digest }
  }
  let start: Key | undefined
  for (const [place, file] of [...former.entries(), [former.length, undefined] as const]) {
    // Rows are added to the last file until it is full.
    const isEnd = file === undefined || (place === former.length - 1 && file.lines < MOST_LINES)
    const range = { after, upto: isEnd ? undefined : file.upto }
    if (rows.lines === 0 && file?.digest !== undefined && files.has(file.sha256))
      if ((await digestOf(db, table, range, seed)) === file.digest) {
        yield file
        start = after = file.upto
        if (isEnd) return
        continue
      }
    for await (const page of rowsOf(db, table, range))
      for (const row of page) {
        rows = { text: `${rows.text}${JSON.stringify(row)}\n`, lines: rows.lines + 1 }
        after = keyOf(table, row)
        if (!isFull(rows, 1)) continue
        yield await flush(after, start)
        start = after
      }
    // What is left of a file that has become small is joined with the next one.
    if (after !== undefined && rows.lines > 0 && (isEnd || isFull(rows, 0.5))) {
      yield await flush(after, start)
      start = after
    }
    if (isEnd) return
  }
}

const isFull = ({ text, lines }: { readonly text: string; readonly lines: number }, share: number): boolean =>
  lines >= MOST_LINES * share || text.length >= MOST_CHARACTERS * share

/** Writes the names of objects to files, one for each start of a name. */
export async function* writeNames(
  files: RecordFiles,
  groups: AsyncIterable<readonly string[]>,
): AsyncGenerator<FileOfLines> {
  for await (const names of groups)
    if (names.length > 0) yield { lines: names.length, sha256: await files.write(`${names.join('\n')}\n`) }
}

import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '@kitseal/kit/internal/node'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { isObjectName, type ObjectStore } from '../objects/object-store.ts'
import { filesystemObjects } from '../objects/filesystem-objects.ts'
import { TransferRefused } from './transfer-error.ts'

const BACKUP_FORMAT = 'kitseal-backup-2'
/** Of earlier releases, which restore it. */
const FORMER_FORMAT = 'kitseal-backup-1'

const Lines = {
  lines: Type.Integer({ minimum: 0 }),
  /** Of the file with the lines, and its name. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
}
const FileOfLines = Type.Object(Lines, { additionalProperties: false })
const FileOfRows = Type.Object(
  {
    ...Lines,
    /** Key of the last row. */
    upto: Type.Array(Type.Union([Type.String(), Type.Number()])),
    /** Of the rows, as the database computes it. Absent if it cannot. */
    digest: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
const Table = Type.Object(
  { lines: Type.Integer({ minimum: 0 }), files: Type.Array(FileOfRows) },
  { additionalProperties: false },
)

/** The index of a backup, `backup.json`. It is written last. */
const BackupIndex = Type.Object(
  {
    format: Type.Literal(BACKUP_FORMAT),
    created_at: Type.String(),
    /** Of the database, which defines the format of the records. */
    schema_version: Type.Integer({ minimum: 1 }),
    tables: Type.Record(Type.String(), Table),
    /** Names of all objects, in order. */
    objects: Type.Object(
      { lines: Type.Integer({ minimum: 0 }), files: Type.Array(FileOfLines) },
      { additionalProperties: false },
    ),
    /** Referenced objects that were missing or damaged and are not in the backup. */
    lacks: Type.Array(Type.String()),
    key_files: Type.Integer({ minimum: 0 }),
    /** Of the digests. */
    seed: Type.Integer(),
    /** Key ID of the log, which identifies the service. Absent without a log. */
    log: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type BackupIndex = Static<typeof BackupIndex>
export type FileOfLines = Static<typeof FileOfLines>
export type FileOfRows = Static<typeof FileOfRows>

const INDEX = 'backup.json'
/** Folder of the files with records. */
export const RECORDS = 'records'

export const recordsIn = (folder: string): Files => filesIn(join(folder, RECORDS))

/** All files with records. */
export const filesOf = ({
  tables,
  objects,
}: Pick<BackupIndex, 'tables' | 'objects'>): readonly FileOfLines[] => [
  ...Object.values(tables).flatMap(({ files }) => files),
  ...objects.files,
]

export const rowsIn = ({ tables }: Pick<BackupIndex, 'tables'>): number =>
  Object.values(tables).reduce((sum, { lines }) => sum + lines, 0)

export async function* objectNamesOf(
  folder: string,
  { objects }: Pick<BackupIndex, 'objects'>,
): AsyncGenerator<string> {
  for (const { sha256 } of objects.files) yield* await linesOf(recordsIn(folder), sha256)
}

export async function writeIndex(folder: string, index: Omit<BackupIndex, 'format'>): Promise<BackupIndex> {
  const draft = join(folder, `.${INDEX}`)
  const complete = { format: BACKUP_FORMAT, ...index } as const
  await writeFile(draft, `${JSON.stringify(complete)}\n`, { mode: 0o600, flush: true })
  await rename(draft, join(folder, INDEX))
  await syncFolder(folder)
  return complete
}

export async function readIndex(folder: string): Promise<BackupIndex> {
  const found = await readIndexIfAny(folder)
  if (found === undefined)
    throw new TransferRefused(`${folder} does not contain a complete backup: ${INDEX} is missing.`)
  if (found.is === 'former')
    throw new TransferRefused(
      `${folder} contains a backup of an older release. Restore it with that release, then start this one.`,
    )
  return found.index
}

type FoundIndex =
  | { readonly is: 'current'; readonly index: BackupIndex }
  /** Only which service it is of. */
  | { readonly is: 'former'; readonly index: Pick<BackupIndex, 'log'> }

/** Undefined if the folder has no complete backup yet. */
export async function readIndexIfAny(folder: string): Promise<FoundIndex | undefined> {
  const text = await readFile(join(folder, INDEX), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const value = parsed(text) as { readonly format?: unknown; readonly log?: unknown } | null | undefined
  if (Compile(BackupIndex).Check(value)) return { is: 'current', index: value as BackupIndex }
  if (value?.format === FORMER_FORMAT)
    return { is: 'former', index: typeof value?.log === 'string' ? { log: value.log } : {} }
  throw new TransferRefused(
    `${join(folder, INDEX)} is not the index of a backup, or is of an unsupported version.`,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Objects in a folder of the backup. The list has their names only, because a backup has many. */
export function filesIn(folder: string): Files {
  return { ...filesystemObjects(folder), list: () => namesIn(folder) }
}

export type Files = Omit<ObjectStore, 'list'> & {
  list(): AsyncIterable<{ readonly sha256: string }>
}

async function* namesIn(folder: string): AsyncGenerator<{ readonly sha256: string }> {
  const folders = (await readIfAny(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name))
  for (const name of folders.toSorted())
    for (const sha256 of (await readIfAny(join(folder, name))).filter(isObjectName).toSorted())
      yield { sha256 }
}

async function readIfAny(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  })
}

/** Reads the lines of a file. Only LF ends a line: JSON may contain other line separators. */
export async function linesOf(files: Pick<Files, 'read'>, sha256: string): Promise<readonly string[]> {
  const text = Buffer.concat(await gather(files.read(sha256))).toString()
  return text.split('\n').slice(0, -1)
}

export async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

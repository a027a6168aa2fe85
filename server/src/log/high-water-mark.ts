import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isInside, makeFolder, syncFolder } from '@kitseal/kit/internal/node'
import { ignoreMissing, loadS3, throwStoreError } from '../objects/s3-client.ts'
import { reportDurable } from '../runtime/durable.ts'
import { once } from '../runtime/promises.ts'
import type { LogTable } from '../database/schema.ts'
import type { Config } from '../settings/config.ts'
import type { S3Location } from '../settings/parse.ts'

/** A size of the log and its root hash, in base64. */
export interface LogHead {
  readonly size: number
  readonly root: string
}

export function headLine({ size, root }: LogHead): string {
  return `${size} ${root}`
}

/** The heads with the largest size: more than one if two histories were recorded. */
export function highestOf(heads: readonly LogHead[]): readonly LogHead[] {
  const size = Math.max(...heads.map((head) => head.size))
  return [...new Map(heads.map((head) => [headLine(head), head])).values()].filter(
    (head) => head.size === size,
  )
}

/**
 * The high-water mark: what was signed, kept outside the database and its backups. It is never lowered. Services with the
 * same log key see each other's entries.
 */
export interface LogMark {
  /** At least the largest size that was recorded, and everything recorded lately. */
  read(): Promise<readonly LogHead[]>
  /** Durable once it resolves. */
  record(head: LogHead): Promise<void>
  /** For operators. */
  readonly location: string
}

/** Names in a folder or a bucket. */
interface Names {
  readonly location: string
  list(): Promise<readonly string[]>
  /** Durable once it resolves. */
  add(name: string): Promise<void>
  remove(name: string): Promise<void>
}

/**
 * One name per entry, so that no writer can lower the mark. Entries below the former highest one are removed: a reader that
 * lists the names meanwhile sees that one or the new one.
 */
function namedMark({ location, list, add, remove }: Names): LogMark {
  let listed: readonly LogHead[] = []
  return {
    location,
    read: async () => (listed = (await list()).map(headOf).filter((head) => head !== undefined)),
    async record(head) {
      await add(entryName(head))
      const [highest] = highestOf(listed)
      for (const known of listed)
        if (known.size < (highest?.size ?? 0) && headLine(known) !== headLine(head))
          await remove(entryName(known))
    },
  }
}

const entryName = ({ size, root }: LogHead): string =>
  `${size}-${Buffer.from(root, 'base64').toString('hex')}`

/** Undefined if the name is not one of an entry. */
function headOf(name: string): LogHead | undefined {
  const [, size, root] = /^(0|[1-9]\d{0,15})-([0-9a-f]{64})$/.exec(name) ?? []
  return size === undefined || root === undefined
    ? undefined
    : { size: Number(size), root: Buffer.from(root, 'hex').toString('base64') }
}

/** An empty file for each entry. */
export function fileMark(folder: string, name: string): LogMark {
  const location = join(folder, name)
  const make = once(async () => {
    await makeFolder(location)
    await syncFolder(folder)
  })
  return namedMark({
    location,
    list: () =>
      readdir(location).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      }),
    async add(entry) {
      await make()
      // Another process may have written the entry without having synced it yet.
      await writeFile(join(location, entry), '', { flag: 'a', mode: 0o600 })
      await syncFolder(location)
      reportDurable('file')
    },
    remove: (entry) => rm(join(location, entry), { force: true }),
  })
}

/** An object for each entry. */
export function s3Mark(location: S3Location, name: string): LogMark & { close(): Promise<void> } {
  const { bucket: Bucket } = location
  const Prefix = `${location.prefix}log-mark/${name}/`
  const load = once(async () => (await loadS3(location)).client)
  const list = async (): Promise<readonly string[]> => {
    const names: string[] = []
    for await (const page of (await load()).paginateListObjectsV2({ Bucket, Prefix }))
      for (const { Key = '' } of page.Contents ?? []) names.push(Key.slice(Prefix.length))
    return names
  }
  const mark = namedMark({
    location: `s3://${Bucket}/${Prefix}`,
    list: () => list().catch(throwStoreError),
    async add(entry) {
      const object = { Bucket, Key: `${Prefix}${entry}`, Body: `${entry}\n` }
      await (await load()).putObject(object).catch(throwStoreError)
    },
    async remove(entry) {
      await (await load()).deleteObject({ Bucket, Key: `${Prefix}${entry}` }).catch(ignoreMissing)
    },
  })
  return { ...mark, close: async () => (await load()).destroy() }
}

/** The mark of a log, by its key. */
export interface LogMarks {
  of(log: Pick<LogTable, 'kid'>): Promise<LogMark>
  /** False if a node of the same log may have a mark of its own, so that a missing one says nothing. */
  readonly isOnlyMark: boolean
}

export interface OpenedMarks extends LogMarks, AsyncDisposable {
  /** Whether the mark is part of the data folder, and so of every copy of it. */
  isInData(): Promise<boolean>
}

/** The mark in the folder of the settings; by default in the bucket, or else in the user's state folder. */
export function openMarks(
  config: Pick<Config, 'logMark' | 'objects' | 'dataFolder' | 'databaseUrl'>,
): OpenedMarks {
  const { logMark, objects, dataFolder } = config
  const inBucket = objects.is === 's3' && logMark.is === 'default' ? objects : undefined
  const findFolder = once(() => usableFolder(config))
  const marks = new Map<string, Promise<LogMark & { close?(): Promise<void> }>>()
  const open = async (kid: string): Promise<LogMark> => {
    const name = Buffer.from(kid, 'base64url').toString('hex')
    return inBucket === undefined ? fileMark(await findFolder(), name) : s3Mark(inBucket, name)
  }
  return {
    // Nodes with a shared database may each have their own folder.
    isOnlyMark: inBucket !== undefined || config.databaseUrl === undefined,
    of: ({ kid }) => {
      const mark = marks.get(kid) ?? open(kid)
      marks.set(kid, mark)
      return mark
    },
    isInData: async () => inBucket === undefined && isInside(dataFolder, await findFolder()),
    [Symbol.asyncDispose]: async () => {
      for (const mark of marks.values()) await (await mark).close?.()
    },
  }
}

async function usableFolder({
  logMark: { is, folder },
  dataFolder,
}: Pick<Config, 'logMark' | 'dataFolder'>): Promise<string> {
  if (folder !== undefined && (is === 'given' || (await canMake(folder)))) return folder
  return join(dataFolder, 'log-marks')
}

const canMake = (folder: string): Promise<boolean> =>
  makeFolder(folder).then(
    () => true,
    () => false,
  )

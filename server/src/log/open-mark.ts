import { isInside, makeFolder, syncFolder } from '@kitseal/kit/internal/node'
import { join } from 'node:path'
import type { Config } from '../settings/config.ts'
import { type LogMark, entryName, headOf, headLine, highestOf, type LogHead } from './log-mark.ts'
import type { LogMarks } from './mark-guard.ts'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { reportDurable } from '../runtime/durable.ts'
import type { S3Location } from '../settings/parse.ts'
import { ignoreMissing, loadS3, type S3, storeError } from '../objects/s3-client.ts'

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
  const opened: (LogMark & { close?(): Promise<void> })[] = []
  let folder: Promise<string> | undefined
  const findFolder = (): Promise<string> => (folder ??= usableFolder(config))

  async function openMark(kid: string): Promise<LogMark> {
    const name = Buffer.from(kid, 'base64url').toString('hex')
    const found = inBucket === undefined ? fileMark(await findFolder(), name) : s3Mark(inBucket, name)
    opened.push(found)
    return found
  }
  const marks = new Map<string, Promise<LogMark>>()

  return {
    // Nodes with a shared database may each have their own folder.
    isOnlyMark: inBucket !== undefined || config.databaseUrl === undefined,
    of: ({ kid }) => {
      const mark = marks.get(kid) ?? openMark(kid)
      marks.set(kid, mark)
      return mark
    },
    isInData: async () => inBucket === undefined && isInside(dataFolder, await findFolder()),
    [Symbol.asyncDispose]: async () => {
      for (const mark of opened) await mark.close?.()
    },
  }
}

async function usableFolder({
  logMark,
  dataFolder,
}: Pick<Config, 'logMark' | 'dataFolder'>): Promise<string> {
  if (logMark.folder !== undefined && (logMark.is === 'given' || (await canCreate(logMark.folder))))
    return logMark.folder
  return join(dataFolder, 'log-marks')
}

/**
 * One empty file per entry, named by it, so that no writer can lower the mark. Entries below the former highest one are removed:
 * a reader that lists the folder meanwhile sees that one or the new one.
 */
export function fileMark(folder: string, name: string): LogMark {
  const location = join(folder, name)
  let isMade = false
  let listed: readonly LogHead[] = []

  async function read(): Promise<readonly LogHead[]> {
    const names = await readdir(location).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    return (listed = names.map(headOf).filter((head) => head !== undefined))
  }

  return {
    location,
    read,
    async record(head) {
      if (!isMade) {
        await makeFolder(location)
        await syncFolder(folder)
        isMade = true
      }
      // Another process may have written the entry without having synced it yet.
      await writeFile(join(location, entryName(head)), '', { flag: 'a', mode: 0o600 })
      await syncFolder(location)
      reportDurable('file')
      const [highest] = highestOf(listed)
      for (const known of listed)
        if (known.size < (highest?.size ?? 0) && headLine(known) !== headLine(head))
          await rm(join(location, entryName(known)), { force: true })
    },
  }
}

async function canCreate(folder: string): Promise<boolean> {
  try {
    await makeFolder(folder)
    return true
  } catch {
    return false
  }
}

/** One object per entry, named by it, so that no writer can lower the mark. Smaller entries are removed. */
export function s3Mark(location: S3Location, name: string): LogMark & { close(): Promise<void> } {
  const { bucket: Bucket } = location
  const Prefix = `${location.prefix}log-mark/${name}/`
  let loading: Promise<S3> | undefined
  const s3 = (): Promise<S3> => (loading ??= loadS3(location))

  let listed: readonly LogHead[] = []

  async function read(): Promise<readonly LogHead[]> {
    const { client } = await s3()
    const heads: (LogHead | undefined)[] = []
    try {
      for await (const page of client.paginateListObjectsV2({ Bucket, Prefix }))
        for (const { Key = '' } of page.Contents ?? []) heads.push(headOf(Key.slice(Prefix.length)))
    } catch (error) {
      throw storeError(error)
    }
    return (listed = heads.filter((head) => head !== undefined))
  }

  async function record(head: LogHead): Promise<void> {
    const { client } = await s3()
    const [Key, Body] = [`${Prefix}${entryName(head)}`, `${headLine(head)}\n`]
    await client.putObject({ Bucket, Key, Body }).catch((error: unknown) => {
      throw storeError(error)
    })
    for (const known of listed)
      if (known.size < head.size)
        await client.deleteObject({ Bucket, Key: `${Prefix}${entryName(known)}` }).catch(ignoreMissing)
  }

  return {
    location: `s3://${Bucket}/${Prefix}`,
    read,
    record,
    close: async () => (await loading)?.client.destroy(),
  }
}

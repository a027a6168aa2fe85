import { isInside } from '@kitseal/kit/internal/node'
import { join } from 'node:path'
import type { Config } from '../settings/config.ts'
import { canCreate, fileMark } from './file-mark.ts'
import type { LogMark } from './log-mark.ts'
import type { LogMarks } from './mark-guard.ts'
import { s3Mark } from './s3-mark.ts'

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

  async function open(kid: string): Promise<LogMark> {
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
      const mark = marks.get(kid) ?? open(kid)
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

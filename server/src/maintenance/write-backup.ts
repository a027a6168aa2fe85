// docs/decisions/0274
import { chmod, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@kitseal/kit/node'
import { type Clock, systemClock, timestamp } from '../runtime/clock.ts'
import type { Config } from '../settings/config.ts'
import { lockSqlite } from '../database/sqlite-copy.ts'
import { noteTask } from '../database/task-notes.ts'
import { filesystemObjects } from '../objects/filesystem-objects.ts'
import { readLog } from '../log/log-key.ts'
import { openObjects } from '../objects/open-objects.ts'
import { reached } from '../runtime/steps.ts'
import {
  BACKUP_FORMAT,
  type BackupIndex,
  type FileOfLines,
  readIndexIfAny,
  readLines,
  writeIndex,
  writeLines,
} from './backup-files.ts'
import { type CopiedObjects, copyObjects } from './copy-objects.ts'
import type { OnProgress } from './progress.ts'
import { erasedSince, openRecords, pruneCopies } from './prune-backup.ts'
import { objectNamesIn, readKeyFiles, writeKeyFiles } from './record-source.ts'
import { migrationsOf, rowsOf } from './records.ts'
import { takeSnapshot } from './snapshot.ts'
import { TABLES } from './tables.ts'
import { TransferRefused } from './transfer-error.ts'

export interface BackupOptions {
  readonly folder: string
  readonly clock?: Clock
  readonly onProgress?: OnProgress
  /** Called when the records are written, before objects are copied. */
  readonly onRecords?: () => Promise<void>
}

export interface BackupReport extends CopiedObjects {
  readonly index: BackupIndex
  readonly rows: number
  /** Objects that were erased from the service while the backup was written. */
  readonly erased: readonly string[]
  /** Copies of earlier backups that were deleted, because the service no longer has them. */
  readonly removed: number
}

/**
 * Writes a snapshot of the records, then the objects that are not in the backup yet, then the keys, then the index: an
 * interrupted backup leaves the previous one intact. Last, it deletes copies of what was erased from the service.
 */
export async function writeBackup(config: Config, options: BackupOptions): Promise<BackupReport> {
  const { folder, clock = systemClock, onProgress = () => {} } = options
  await makeFolder(folder)
  await checkNotDataFolder(config, folder)
  await chmod(folder, 0o700)
  using lock = new DisposableStack()
  lock.use(await lockFolder(folder))
  const created_at = timestamp(clock.now())
  const records = `records-${created_at.replaceAll(/[^0-9TZ]/g, '')}`
  const { log, ...written } = await writeRecords(config, folder, records, onProgress)
  await options.onRecords?.()
  const objects = openObjects(config.objects)
  try {
    const copies = filesystemObjects(join(folder, 'objects'))
    await copies.sweepTemp()
    const names = () => readLines(join(folder, records, OBJECTS))
    const total = written.objects.lines
    const { bad: lacks, ...copied } = await copyObjects(names(), objects, copies, {
      onProgress: ({ done, bytes }) => onProgress({ step: 'Copying objects', done, total, bytes }),
    })
    const keys = await readKeyFiles(join(config.dataFolder, 'keys'))
    await writeKeyFiles(join(folder, 'keys'), keys)
    const index = {
      format: BACKUP_FORMAT,
      created_at,
      records,
      ...written,
      lacks,
      key_files: keys.size,
      ...(log === undefined ? {} : { log }),
    } as const
    await writeIndex(folder, index)
    reached('backup indexed')
    await deleteOlderRecords(folder, records)
    const removed = await pruneCopies(copies, names(), onProgress)
    const erased = await erasedSince(config, lacks)
    const bad = lacks.filter((sha256) => !erased.includes(sha256))
    await noteBackup(config, clock, { missing: bad.length })
    const rows = Object.values(written.tables).reduce((sum, { lines }) => sum + lines, 0)
    return { index, rows, ...copied, bad, erased, removed }
  } finally {
    await objects.close()
  }
}

/** Where the service finds when the last backup was written. */
export const BACKUP_NOTE = 'backup'

export interface BackupNote {
  /** Objects that the service should have, and that the backup does not have. */
  readonly missing: number
}

async function noteBackup(config: Config, clock: Clock, note: BackupNote): Promise<void> {
  await using db = await openRecords(config)
  await noteTask(db, clock, BACKUP_NOTE, note)
}

async function checkNotDataFolder({ objects, dataFolder }: Config, folder: string): Promise<void> {
  const [target, copies, data, originals] = await Promise.all([
    resolveLinks(folder),
    resolveLinks(join(folder, 'objects')),
    resolveLinks(dataFolder),
    objects.is === 'folder' ? resolveLinks(objects.path) : undefined,
  ])
  if (target === data || copies === originals)
    throw new TransferRefused(
      `${folder} is the data folder of the service. Choose another folder. Nothing was changed.`,
    )
}

const resolveLinks = (path: string): Promise<string> => realpath(path).catch(() => path)

/** Concurrent backups would delete each other's records. The lock ends with the process. */
async function lockFolder(folder: string): Promise<Disposable> {
  const file = join(folder, '.lock')
  await writeFile(file, '', { mode: 0o600, flag: 'a' })
  const lock = lockSqlite(file)
  if (lock === undefined)
    throw new TransferRefused(`Another backup into ${folder} is running. Nothing was changed.`)
  return lock
}

/** File with the names of all objects. */
export const OBJECTS = 'objects.txt'
export const tableFile = (name: string): string => `${name}.ndjson`

type Written = Pick<BackupIndex, 'tables' | 'objects' | 'migrations'>

async function writeRecords(
  config: Config,
  folder: string,
  records: string,
  onProgress: OnProgress,
): Promise<Written & { readonly log: string | undefined }> {
  await using snapshot = await takeSnapshot(config, folder)
  const log = (await readLog(snapshot.db))?.kid
  await checkSameService(folder, log)
  await makeFolder(join(folder, records))
  const tables: Record<string, FileOfLines> = {}
  let done = 0
  const counted = (): void => onProgress({ step: 'Writing records', done: (done += 1) })
  for (const table of TABLES)
    tables[table.name] = await writeLines(
      join(folder, records, tableFile(table.name)),
      jsonLines(rowsOf(snapshot.db, table), counted),
    )
  const objects = await writeLines(join(folder, records, OBJECTS), objectNamesIn(snapshot.db))
  return { tables, objects, migrations: await migrationsOf(snapshot.db), log }
}

/** The objects of another service would be deleted as erased. */
async function checkSameService(folder: string, log: string | undefined): Promise<void> {
  const previous = await readIndexIfAny(folder)
  if (previous?.log !== undefined && previous.log !== log)
    throw new TransferRefused(
      `${folder} contains the backup of another service. Choose another folder. Nothing was changed.`,
    )
}

async function* jsonLines(
  pages: AsyncIterable<readonly object[]>,
  onRow: () => void,
): AsyncGenerator<string> {
  for await (const page of pages)
    for (const row of page) {
      onRow()
      yield JSON.stringify(row)
    }
}

async function deleteOlderRecords(folder: string, records: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith('records-') && name !== records)
      await rm(join(folder, name), { recursive: true, force: true })
}

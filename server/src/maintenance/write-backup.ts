import { randomInt } from 'node:crypto'
import { chmod, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@kitseal/kit/internal/node'
import { type Clock, systemClock, timestamp } from '../runtime/clock.ts'
import type { Config } from '../settings/config.ts'
import { lockSqlite } from '../database/sqlite-copy.ts'
import { noteTask } from '../database/task-notes.ts'
import { readLog } from '../log/log-key.ts'
import { openObjects } from '../objects/open-objects.ts'
import {
  type BackupIndex,
  type FileOfLines,
  type FileOfRows,
  filesIn,
  filesOf,
  gather,
  objectNamesOf,
  readIndexIfAny,
  recordsIn,
  rowsIn,
  writeIndex,
} from './backup-files.ts'
import { type CopiedObjects, copyObjects } from './copy-objects.ts'
import type { OnProgress } from './progress.ts'
import { erasedSince, openRecords, pruneCopies } from './prune-backup.ts'
import { groupsOfNames, readKeyFiles, writeKeyFiles } from './record-source.ts'
import { schemaVersion } from '../database/create-schema.ts'
import { takeSnapshot } from './snapshot.ts'
import { TABLES } from './tables.ts'
import { TransferRefused } from './transfer-error.ts'
import { openRecordFiles, writeNames, writeRows } from './write-rows.ts'

export interface BackupOptions {
  readonly folder: string
  readonly clock?: Clock
  readonly onProgress?: OnProgress
  /** Called when the records are written, before objects are copied. */
  readonly onRecords?: () => Promise<void>
}

export interface BackupReport extends Omit<CopiedObjects, 'others'> {
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
  const records = recordsIn(folder)
  await records.sweepTemp()
  const { log, ...written } = await writeRecords(config, folder, onProgress)
  await options.onRecords?.()
  const objects = openObjects(config.objects)
  try {
    const copies = filesIn(join(folder, 'objects'))
    await copies.sweepTemp()
    const {
      bad: lacks,
      others,
      ...copied
    } = await copyObjects(objectNamesOf(folder, written), objects, copies, {
      onProgress: ({ done, bytes }) =>
        onProgress({ step: 'Copying objects', done, total: written.objects.lines, bytes }),
    })
    const keys = await readKeyFiles(join(config.dataFolder, 'keys'))
    await writeKeyFiles(join(folder, 'keys'), keys)
    const index = await writeIndex(folder, {
      created_at,
      ...written,
      lacks: [...lacks],
      key_files: keys.size,
      ...(log === undefined ? {} : { log }),
    })
    await pruneRecords(folder, index)
    await pruneCopies(copies, others, onProgress)
    const erased = await erasedSince(config, lacks)
    const gone = new Set(erased)
    const bad = lacks.filter((sha256) => !gone.has(sha256))
    await noteBackup(config, clock, { missing: bad.length })
    return { index, rows: rowsIn(index), ...copied, bad, erased, removed: others.length }
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

type Written = Pick<BackupIndex, 'tables' | 'objects' | 'schema_version' | 'seed'>

async function writeRecords(
  config: Config,
  folder: string,
  onProgress: OnProgress,
): Promise<Written & { readonly log: string | undefined }> {
  await using snapshot = await takeSnapshot(config, folder)
  const { db } = snapshot
  const log = (await readLog(db))?.kid
  const schema_version = (await schemaVersion(db)) ?? 0
  const previous = await comparableIndex(folder, log, schema_version)
  const seed = previous?.seed ?? randomInt(MAX_SEED)
  const files = await openRecordFiles(recordsIn(folder))
  const tables: Record<string, BackupIndex['tables'][string]> = {}
  let done = 0
  for (const table of TABLES) {
    const former = previous?.tables[table.name]?.files ?? []
    const written: FileOfRows[] = []
    for await (const file of writeRows({ db, table, files, former, seed })) {
      written.push(file)
      onProgress({ step: 'Writing records', done: (done += file.lines) })
    }
    tables[table.name] = withLines(written)
  }
  const objects = withLines(await gather(writeNames(files, groupsOfNames(db))))
  return { tables, objects, schema_version, seed, log }
}

const MAX_SEED = 2 ** 47

const withLines = <File extends FileOfLines>(files: File[]) => ({
  lines: files.reduce((sum, { lines }) => sum + lines, 0),
  files,
})

/** The previous backup of the same service, if its records have the same format. */
async function comparableIndex(
  folder: string,
  log: string | undefined,
  schemaVersionNow: number,
): Promise<BackupIndex | undefined> {
  const previous = await readIndexIfAny(folder)
  // The objects of another service would be deleted as erased.
  if (previous?.index.log !== undefined && previous.index.log !== log)
    throw new TransferRefused(
      `${folder} contains the backup of another service. Choose another folder. Nothing was changed.`,
    )
  if (previous?.is !== 'current' || previous.index.schema_version !== schemaVersionNow) return undefined
  return previous.index
}

/** Deletes files that the index does not name: rows that have changed or were erased, and what an interrupted backup left. */
async function pruneRecords(folder: string, index: BackupIndex): Promise<void> {
  const records = recordsIn(folder)
  const used = new Set(filesOf(index).map(({ sha256 }) => sha256))
  const names = (await gather(records.list())).map(({ sha256 }) => sha256)
  await pruneCopies(
    records,
    names.filter((sha256) => !used.has(sha256)),
  )
}

// docs/decisions/0274
import { chmod, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@kitseal/kit/node'
import { type Clock, systemClock, timestamp } from '../clock.ts'
import type { Config } from '../config.ts'
import { lockSqlite } from '../database/sqlite-copy.ts'
import { filesystemObjects } from '../objects/filesystem-objects.ts'
import { openObjects } from '../objects/open-objects.ts'
import {
  BACKUP_FORMAT,
  type BackupIndex,
  type FileOfLines,
  readLines,
  writeIndex,
  writeLines,
} from './backup-files.ts'
import { type CopiedObjects, copyObjects } from './copy-objects.ts'
import { objectNamesIn, readKeyFiles, writeKeyFiles } from './record-source.ts'
import { migrationsOf, rowsOf } from './records.ts'
import { takeSnapshot } from './snapshot.ts'
import { TABLES } from './tables.ts'
import { TransferRefused } from './transfer-refused.ts'

export interface BackupOptions {
  readonly folder: string
  readonly clock?: Clock
  readonly tell?: (text: string) => void
}

export interface BackupReport extends CopiedObjects {
  readonly index: BackupIndex
  readonly rows: number
}

/**
 * Writes the records as they are at one moment, then every object that they name and that is not there yet, then the
 * keys. The index comes last: a backup that was cut off is no backup, and the one before it still is.
 */
export async function writeBackup(config: Config, options: BackupOptions): Promise<BackupReport> {
  const { folder, clock = systemClock, tell = () => {} } = options
  await makeFolder(folder)
  await refuseItself(config, folder)
  await chmod(folder, 0o700)
  using held = new DisposableStack()
  held.use(await lockFolder(folder))
  const created_at = timestamp(clock.now())
  const records = `records-${created_at.replaceAll(/[^0-9TZ]/g, '')}`
  tell('records')
  const written = await writeRecords(config, folder, records)
  const objects = openObjects(config.objects)
  try {
    const copies = filesystemObjects(join(folder, 'objects'))
    await copies.sweepTemp()
    const names = readLines(join(folder, records, OBJECTS))
    const copied = await copyObjects(names, objects, copies, (done) =>
      tell(`objects ${done}/${written.objects.lines}`),
    )
    const keys = await readKeyFiles(join(config.dataFolder, 'keys'))
    await writeKeyFiles(join(folder, 'keys'), keys)
    const lacks = copied.bad
    const index = {
      format: BACKUP_FORMAT,
      created_at,
      records,
      ...written,
      lacks,
      key_files: keys.size,
    } as const
    await writeIndex(folder, index)
    await removeOlder(folder, records)
    const rows = Object.values(written.tables).reduce((sum, { lines }) => sum + lines, 0)
    return { index, rows, ...copied }
  } finally {
    await objects.close()
  }
}

/** What is beside what it is a copy of, under the same names, is no copy. */
async function refuseItself({ objects, dataFolder }: Config, folder: string): Promise<void> {
  const [place, copies, data, originals] = await Promise.all([
    behindLinks(folder),
    behindLinks(join(folder, 'objects')),
    behindLinks(dataFolder),
    objects.is === 'folder' ? behindLinks(objects.path) : undefined,
  ])
  if (place === data || copies === originals)
    throw new TransferRefused(
      `${folder} is where the service keeps its data: name another folder. Nothing was changed.`,
    )
}

const behindLinks = (path: string): Promise<string> => realpath(path).catch(() => path)

/** Two at once would remove each other's records. The lock ends with the process, however that ends. */
async function lockFolder(folder: string): Promise<Disposable> {
  const file = join(folder, '.lock')
  await writeFile(file, '', { mode: 0o600, flag: 'a' })
  const lock = lockSqlite(file)
  if (lock === undefined)
    throw new TransferRefused(
      `${folder} is in use: another backup into it is under way. Nothing was changed.`,
    )
  return lock
}

/** Names of objects, one on each line, beside the tables. */
export const OBJECTS = 'objects.txt'
export const tableFile = (name: string): string => `${name}.ndjson`

type Written = Pick<BackupIndex, 'tables' | 'objects' | 'migrations'>

async function writeRecords(config: Config, folder: string, records: string): Promise<Written> {
  await using snapshot = await takeSnapshot(config, folder)
  await makeFolder(join(folder, records))
  const tables: Record<string, FileOfLines> = {}
  for (const table of TABLES)
    tables[table.name] = await writeLines(
      join(folder, records, tableFile(table.name)),
      jsonLines(rowsOf(snapshot.db, table)),
    )
  const objects = await writeLines(join(folder, records, OBJECTS), objectNamesIn(snapshot.db))
  return { tables, objects, migrations: await migrationsOf(snapshot.db) }
}

async function* jsonLines(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  for await (const page of pages) for (const row of page) yield JSON.stringify(row)
}

async function removeOlder(folder: string, records: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith('records-') && name !== records)
      await rm(join(folder, name), { recursive: true, force: true })
}

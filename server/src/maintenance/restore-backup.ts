import { join } from 'node:path'
import type { Config } from '../settings/config.ts'
import { filesystemObjects } from '../objects/filesystem-objects.ts'
import {
  type BackupIndex,
  filesOf,
  linesOf,
  objectNamesOf,
  readIndex,
  RECORDS,
  recordsIn,
  rowsIn,
} from './backup-files.ts'
import { isIntact } from './copy-objects.ts'
import { type Filled, fillStore } from './fill-store.ts'
import type { OnProgress } from './progress.ts'
import { readKeyFiles, type RecordSource } from './record-source.ts'
import type { Row } from './records.ts'
import { TABLES } from './tables.ts'
import { TransferRefused } from './transfer-error.ts'

/** Restores a backup into an empty store. Checks the hash of every file and every object. */
export async function restoreBackup(
  config: Config,
  folder: string,
  onProgress: OnProgress = () => {},
): Promise<Filled> {
  const index = await readIndex(folder)
  await checkFiles(folder, index)
  return fillStore(config, await backupSource(folder, index), index.schema_version, onProgress)
}

async function checkFiles(folder: string, index: BackupIndex): Promise<void> {
  const absent = TABLES.find(({ name }) => index.tables[name] === undefined)
  if (absent !== undefined)
    throw new TransferRefused(`The backup is damaged: it does not have ${absent.name}. Nothing was changed.`)
  const files = recordsIn(folder)
  for (const { sha256 } of filesOf(index))
    if (!(await isIntact(files, sha256)))
      throw new TransferRefused(
        `The backup is damaged: ${join(folder, RECORDS, sha256.slice(0, 2), sha256)} is missing or does not match its name, which is its hash. Nothing was changed.`,
      )
}

const PAGE = 100

async function backupSource(folder: string, index: BackupIndex): Promise<RecordSource> {
  const records = recordsIn(folder)
  return {
    rows: async function* ({ name }) {
      for (const { sha256 } of index.tables[name]?.files ?? []) {
        const lines = await linesOf(records, sha256)
        for (let at = 0; at < lines.length; at += PAGE)
          yield lines.slice(at, at + PAGE).map((line) => JSON.parse(line) as Row)
      }
    },
    objectNames: () => objectNamesOf(folder, index),
    objects: filesystemObjects(join(folder, 'objects')),
    lacks: new Set(index.lacks),
    totals: { objects: () => ({ total: index.objects.lines }), rows: { total: rowsIn(index) } },
    keyFiles: await readKeyFiles(join(folder, 'keys')),
    frozenReason: `the database was restored from a backup of ${index.created_at}`,
  }
}

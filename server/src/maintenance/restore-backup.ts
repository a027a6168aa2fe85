import { join } from 'node:path'
import type { Config } from '../settings/config.ts'
import { filesystemObjects } from '../objects/filesystem-objects.ts'
import { type BackupIndex, isIntact, readIndex, readLines } from './backup-files.ts'
import { type Filled, fillStore } from './fill-store.ts'
import type { OnProgress } from './progress.ts'
import { readKeyFiles, type RecordSource } from './record-source.ts'
import type { Row } from './records.ts'
import { TABLES } from './tables.ts'
import { TransferRefused } from './transfer-error.ts'
import { OBJECTS, tableFile } from './write-backup.ts'

/** Restores a backup into an empty store. Checks the hash of every file and every object. */
export async function restoreBackup(
  config: Config,
  folder: string,
  onProgress: OnProgress = () => {},
): Promise<Filled> {
  const index = await readIndex(folder)
  await checkFiles(folder, index)
  return fillStore(config, await backupSource(folder, index), index.migrations, onProgress)
}

async function checkFiles(folder: string, index: BackupIndex): Promise<void> {
  const files = [
    ...TABLES.map(({ name }) => [tableFile(name), index.tables[name]] as const),
    [OBJECTS, index.objects] as const,
  ]
  for (const [name, expected] of files) {
    const path = join(folder, index.records, name)
    if (expected === undefined || !(await isIntact(path, expected)))
      throw new TransferRefused(
        `The backup is damaged: ${path} does not match its hash. Nothing was changed.`,
      )
  }
}

const PAGE = 100

async function backupSource(folder: string, index: BackupIndex): Promise<RecordSource> {
  const records = join(folder, index.records)
  return {
    rows: async function* ({ name }) {
      let page: Row[] = []
      for await (const line of readLines(join(records, tableFile(name)))) {
        page.push(JSON.parse(line) as Row)
        if (page.length < PAGE) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    },
    objectNames: () => readLines(join(records, OBJECTS)),
    objects: filesystemObjects(join(folder, 'objects')),
    lacks: new Set(index.lacks),
    totals: {
      objects: () => ({ total: index.objects.lines }),
      rows: { total: Object.values(index.tables).reduce((sum, { lines }) => sum + lines, 0) },
    },
    keyFiles: await readKeyFiles(join(folder, 'keys')),
    frozenReason: `the database was restored from a backup of ${index.created_at}`,
  }
}

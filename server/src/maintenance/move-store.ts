import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { lockSqlite } from '../database/sqlite-copy.ts'
import { openObjects } from '../objects/open-objects.ts'
import { sqliteFile } from '../database/sqlite.ts'
import { type Filled, fillStore, refuseProblems } from './fill-store.ts'
import { readKeyFiles, storeSource } from './record-source.ts'
import { migrationsOf } from './records.ts'
import { copiedSnapshot } from './snapshot.ts'
import { TransferRefused } from './transfer-refused.ts'
import { verifyKits } from './verify-kits.ts'

/**
 * Moves everything from the embedded store of one machine to a shared one. The source stays as it is; while the move
 * goes on nobody can open it. A move that was cut off is begun again, and finds the objects that it has copied.
 */
export async function moveStore(
  from: Config,
  to: Config,
  tell: (text: string) => void = () => {},
): Promise<Filled> {
  const file = sqliteFile(from)
  if (from.databaseUrl !== undefined || !existsSync(file))
    throw new TransferRefused(
      `A move starts from the embedded store, and there is none in ${from.dataFolder}.`,
    )
  using locked = lockSqlite(file)
  if (locked === undefined)
    throw new TransferRefused(
      `The service is running on ${from.dataFolder}: stop it first. Nothing was changed.`,
    )
  await using snapshot = await copiedSnapshot(join(from.dataFolder, '.move.sqlite'), (path) =>
    locked.copy(path),
  )
  const objects = openObjects(from.objects)
  const here = await verifyKits(snapshot.db, objects, (count) => tell(`kits verified before ${count}`))
  refuseProblems(here.problems)
  const keys = await readKeyFiles(join(from.dataFolder, 'keys'))
  const filled = await fillStore(
    to,
    storeSource(snapshot.db, objects, keys),
    await migrationsOf(snapshot.db),
    tell,
  )
  await objects.close()
  return filled
}

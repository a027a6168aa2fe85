import { catalogOf } from '../../server/test/test-kits.ts'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '@kitseal/server'
import { expireKits } from '../../server/src/maintenance/expire-kits.ts'
import { writeBackup } from '../../server/src/maintenance/backup.ts'
import { referencedNames } from '../../server/src/maintenance/referenced-objects.ts'
import { openStore } from '../../server/src/open-store.ts'
import { cloneKits } from '../../server/test/clone-kits.ts'
import { smallForm } from '../account/small-form.ts'
import { reportFact, reportFigure } from '../report.ts'
import { type Grown, timeOf } from './grown.ts'

/** Longer than the year over which the copies are spread. */
const RETENTION_DAYS = 500
const EXPIRING = 20
/** The kits of one day, if the copies are those of some months. */
const NEW_KITS = 2000

let sent = 0

/** Until the kit is issued, which is after the checkpoint with its leaf is signed. */
export async function submitSmall({ client }: Pick<Grown, 'client'>): Promise<void> {
  const id = await client.submission()
  const form = smallForm((sent += 1))
  await client.send(`/v1/submissions/${id}/evidence`, form.body, { 'content-type': form.type })
  await client.ended(id)
}

/** The tasks of the service and its operator: retention, and the backup of nothing new and of one day. */
export async function measureUpkeep(small: Grown, large: Grown): Promise<void> {
  const retention = { few: await retentionOf(small), many: await retentionOf(large) }
  reportFigure({
    what: `retention pass that erases ${EXPIRING} kits, with ${large.count.toLocaleString('en')} kits`,
    against: `the same with ${small.count.toLocaleString('en')}`,
    ours: `${retention.many.toFixed(0)} ms`,
    theirs: `${retention.few.toFixed(0)} ms`,
    ratio: retention.many / retention.few,
    goal: { most: 1.2 },
  })
  for (const each of [small, large]) {
    const backup = await backupsOf(each)
    reportFact(
      `backup with ${each.count.toLocaleString('en')} kits: the first, nothing new, ${NEW_KITS.toLocaleString('en')} new kits`,
      [backup.first, backup.nothing, backup.day].map((time) => `${(time / 1000).toFixed(1)} s`).join(', '),
    )
  }
}

function configOf({ settings }: Pick<Grown, 'settings'>) {
  const config = readConfig(settings)
  if (!config.ok) throw new Error(config.problems.join(' '))
  return config.value
}

const fail = (fields: object, message: string): never => {
  throw new Error(`${message}: ${JSON.stringify(fields)}`)
}

/** Kits that were submitted before, made old. */
async function retentionOf(grown: Grown): Promise<number> {
  for (let kit = 0; kit < EXPIRING; kit++) await submitSmall(grown)
  {
    await using sql = await grown.open(false)
    await sql.all(`update plans set retention_days = ${RETENTION_DAYS} where plan = 'default'`)
    await sql.all(`update jobs set updated_at = '2020-01-01T00:00:00.000Z' where job_id in
      (select job_id from jobs where status = 'ISSUED' and workspace_id = '${grown.template.workspace}'
        order by updated_at desc limit ${EXPIRING})`)
  }
  await using store = await openStore(configOf(grown))
  return await timeOf(async () => {
    const expired = await expireKits({ ...store, kits: catalogOf(store), log: { error: fail } })
    if (expired !== EXPIRING) throw new Error(`${expired} kits were erased`)
  })
}

async function backupsOf(grown: Grown) {
  const [config, folder] = [configOf(grown), join(grown.data, 'backup')]
  await copyNothing(grown, folder)
  const backup = () => timeOf(() => writeBackup(config, { folder, env: process.env }))
  const [first, nothing] = [await backup(), await backup()]
  {
    await using sql = await grown.open(false)
    await cloneKits(sql, grown.template, { count: NEW_KITS, isLean: true, after: grown.count })
  }
  await copyNothing(grown, folder)
  return { first, nothing, day: await backup() }
}

/** The copies of kits have no objects, so an empty file stands for each in the backup. */
async function copyNothing(grown: Grown, folder: string): Promise<void> {
  await using store = await openStore(configOf(grown))
  for await (const name of referencedNames(store.db)) {
    const at = join(folder, 'objects', name.slice(0, 2))
    await mkdir(at, { recursive: true })
    await (await open(join(at, name), 'a')).close()
  }
}

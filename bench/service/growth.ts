import { mkdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { bulkPostgres, bulkSqlite, cloneKits, type BulkSql } from '../../server/test/clone-kits.ts'
import { newDatabase, postgresServer } from '../../test/kit/postgres.ts'
import { median, reportFact, reportFigure } from '../report.ts'
import { issueKits } from './issue-kits.ts'
import { startKitseal } from './processes.ts'

export type GrowingDatabase = BulkSql['is']

export interface GrowthOrder {
  readonly database: GrowingDatabase
  readonly folder: string
  readonly few: number
  readonly many: number
}

/** The copies have no objects, which the scrub would report. */
export const QUIET = { KITSEAL_SCRUB_BYTES_PER_SECOND: 'off', KITSEAL_LOG_LEVEL: 'error' } as const
const ROUNDS = 3
const JOBS_PER_ROUND = 200
/** Measured with 1,000,000: rows and indexes of a job without its long texts, and what sorting the indexes takes. */
const BYTES_PER_JOB: Readonly<Record<GrowingDatabase, number>> = { SQLite: 4000, PostgreSQL: 5000 }

/** The cost of a job, from POST to ISSUED, with few and with many jobs in the database. */
export async function measureGrowth({ database, folder, few, many }: GrowthOrder): Promise<void> {
  const what = `cost of a job on ${database}, from POST to ISSUED, with ${many.toLocaleString('en')} jobs stored`
  const lacking = await lackingDisk(folder, BYTES_PER_JOB[database] * many)
  if (lacking !== undefined) return reportFact(what, `skipped: ${lacking}`)
  await using server = database === 'PostgreSQL' ? await durablePostgres() : undefined
  const [small, large] = [
    await seeded(join(folder, `${database}-few`), few, server?.url),
    await seeded(join(folder, `${database}-many`), many, server?.url),
  ]
  await using ofFew = await startKitseal(small.data, { ...small.settings, ...QUIET })
  await using ofMany = await startKitseal(large.data, { ...large.settings, ...QUIET })
  await cost(ofFew)
  await cost(ofMany)
  const rounds: { readonly few: Cost; readonly many: Cost }[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ few: await cost(ofFew), many: await cost(ofMany) })
  const middle = (of: 'few' | 'many', member: keyof Cost): number =>
    median(rounds.map((round) => round[of][member]))
  reportFigure({
    what,
    against: `the same with ${few.toLocaleString('en')}`,
    ours: `${middle('many', 'wallMs').toFixed(2)} ms`,
    theirs: `${middle('few', 'wallMs').toFixed(2)} ms`,
    ratio: middle('many', 'wallMs') / middle('few', 'wallMs'),
    goal: { most: 1.2 },
  })
  const busy = { many: middle('many', 'processorMs'), few: middle('few', 'processorMs') }
  reportFact(
    `processor time of the service for a job on ${database}`,
    `${busy.many.toFixed(1)} ms beside ${many.toLocaleString('en')} jobs, ${busy.few.toFixed(1)} ms beside ${few.toLocaleString('en')}: ${(busy.many / busy.few).toFixed(2)} times`,
  )
}

export const durablePostgres = () =>
  postgresServer({
    fsync: 'on',
    full_page_writes: 'on',
    shared_buffers: '1GB',
    max_wal_size: '16GB',
    wal_level: 'minimal',
    max_wal_senders: '0',
  })

export async function lackingDisk(folder: string, bytes: number): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(folder)
  const [free, need] = [(bavail * bsize) / 1e9, bytes / 1e9]
  return free < need ? `needs ${need.toFixed(0)} GB of disk, ${free.toFixed(0)} GB are free` : undefined
}

interface Cost {
  readonly wallMs: number
  readonly processorMs: number
}

async function cost(service: Awaited<ReturnType<typeof startKitseal>>): Promise<Cost> {
  const [wall, processor] = [performance.now(), service.processorSeconds()]
  await issueKits(service.base, JOBS_PER_ROUND)
  return {
    wallMs: (performance.now() - wall) / JOBS_PER_ROUND,
    processorMs: ((service.processorSeconds() - processor) * 1000) / JOBS_PER_ROUND,
  }
}

/** The service creates its store and two kits, of which one is copied while it is stopped. */
async function seeded(data: string, count: number, serverUrl: string | undefined) {
  await mkdir(data, { recursive: true })
  const url = serverUrl === undefined ? undefined : await newDatabase(serverUrl)
  const settings: Readonly<Record<string, string>> = url === undefined ? {} : { KITSEAL_DATABASE_URL: url }
  const service = await startKitseal(data, settings)
  const [, last] = await issueKits(service.base, 2)
  await service[Symbol.asyncDispose]()
  if (last === undefined) throw new Error('no kit was issued')
  const kit = String((last.job as Readonly<Record<string, unknown>>)['kit_id'])
  await using sql =
    url === undefined ? await bulkSqlite(join(data, 'kitseal.sqlite')) : await bulkPostgres(url)
  await cloneKits(sql, { job: last.jobId, kit }, { count, isLean: true })
  return { data, settings }
}

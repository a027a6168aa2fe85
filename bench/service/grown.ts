import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bulkPostgres, bulkSqlite, cloneKits } from '../../server/test/clone-kits.ts'
import { newDatabase } from '../../test/kit/postgres.ts'
import { clientOf } from '../upload/workspace.ts'
import { QUIET } from './growth.ts'
import { startKitseal } from './processes.ts'
import { issueTwo } from './sizes.ts'

const SERIES = 'Access review'

/** A service with one workspace and many kits, all in one series. */
export type Grown = Awaited<ReturnType<typeof grown>>

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

export async function grown(data: string, count: number, serverUrl: string | undefined) {
  await mkdir(data, { recursive: true })
  const url = serverUrl === undefined ? undefined : await newDatabase(serverUrl)
  const settings: Readonly<Record<string, string>> = url === undefined ? {} : { KITSEAL_DATABASE_URL: url }
  const { key, ...template } = await issueTwo(data, settings)
  const open = (isRebuilding: boolean) =>
    url === undefined
      ? bulkSqlite(join(data, 'kitseal.sqlite'), isRebuilding)
      : bulkPostgres(url, isRebuilding)
  {
    await using sql = await open(true)
    await cloneKits(sql, template, { count, isLean: true })
  }
  const service = await startKitseal(data, { ...settings, ...QUIET })
  const client = clientOf(service.base, key)
  const items = [{ item_id: 'users', title: 'List of users', due_days: 14 }]
  const starts_on = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const program = await client.post('/v1/programs', {
    name: 'Review',
    cadence: 'quarterly',
    starts_on,
    items,
  })
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  const room = await client.post('/v1/rooms', { title: 'Audit', series: SERIES, expires_at })
  return {
    count,
    data,
    settings: { KITSEAL_DATA: data, ...settings },
    template,
    client,
    base: service.base,
    open,
    program: String(program['program_id']),
    room: String(room['room_id']),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

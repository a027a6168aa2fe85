import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { newDatabase, postgresServer } from '../test/kit/postgres.ts'
import { type ServiceProcess, serviceProcess } from '../test/kit/service-process.ts'
import { reportFact } from './report.ts'
import { workspaceIn } from './upload/workspace.ts'

/**
 * `npm run bench:scale`: small submissions on PostgreSQL, with every commit synced. One API node accepts them first,
 * then 1, 2 and 4 worker processes issue their kits.
 */
const SUBMISSIONS = 200
const CLIENTS = 16
const WORKERS = [1, 2, 4] as const
/** After these, every worker has loaded its modules. */
const WARM = 40

interface Measured {
  readonly workers: number
  readonly takenPerSecond: number
  readonly issuedPerSecond: number
  readonly statements: { readonly intake: number; readonly work: number }
}

console.log(`Node ${process.version}, ${availableParallelism()} cores, everything on this machine.\n`)
const results: Measured[] = []
for (const workers of WORKERS) results.push(await measure(workers))
for (const { workers, takenPerSecond, issuedPerSecond, statements } of results) {
  const name = `${workers} worker process${workers === 1 ? '' : 'es'} on PostgreSQL`
  reportFact(`${name}: small submissions issued`, `${issuedPerSecond.toFixed(1)} per second`)
  reportFact(`${name}: taken in meanwhile before`, `${takenPerSecond.toFixed(1)} per second`)
  const { intake, work } = statements
  reportFact(
    `${name}: statements for each submission`,
    `${(intake + work).toFixed(1)} (${intake.toFixed(1)} to take it in, ${work.toFixed(1)} to work it off)`,
  )
}

async function measure(workers: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
  await using server = await postgresServer({
    fsync: 'on',
    full_page_writes: 'on',
    shared_preload_libraries: 'pg_stat_statements',
  })
  const url = await newDatabase(server.url)
  const settings = {
    KITSEAL_DATABASE_URL: url,
    KITSEAL_DATA: folder,
    KITSEAL_ISSUER: 'https://kits.example',
    KITSEAL_OPEN_INTAKE: 'on',
    KITSEAL_LOG_LEVEL: 'error',
  }
  const nodes: ServiceProcess[] = []
  const start = async (role: string): Promise<ServiceProcess> => {
    const node = await serviceProcess({ ...settings, KITSEAL_ROLE: role })
    nodes.push(node)
    return node
  }
  const client = new pg.Client({ connectionString: url })
  try {
    const api = await start('api')
    await client.connect()
    await client.query('create extension pg_stat_statements')
    const { key } = await workspaceIn('', settings)
    await submit(api.base, key, WARM)
    const taken = await counted(client, () => submit(api.base, key, SUBMISSIONS))
    const worked = await counted(client, async () => {
      await Promise.all(Array.from({ length: workers }, () => start('worker')))
      return rateOfIssuing(client)
    })
    return {
      workers,
      takenPerSecond: SUBMISSIONS / taken.result,
      issuedPerSecond: worked.result,
      statements: {
        intake: taken.statements / SUBMISSIONS,
        work: worked.statements / (SUBMISSIONS + WARM),
      },
    }
  } finally {
    await client.end()
    for (const node of nodes) await node.end('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
}

/** Creates submissions with one small file each, concurrently; returns seconds. */
async function submit(base: string, key: string, count: number): Promise<number> {
  const headers = { 'x-api-key': key }
  const send = async (path: string, init: RequestInit): Promise<Record<string, unknown>> => {
    const answer = await fetch(base + path, { method: 'POST', ...init })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
  let next = 0
  const one = async (): Promise<void> => {
    for (let mine = next++; mine < count; mine = next++) {
      const json = { ...headers, 'content-type': 'application/json' }
      const created = await send('/v1/submissions', { headers: json, body: '{"label":"bench"}' })
      const body = new FormData()
      body.append('file', new File([`name,role\nann,admin ${mine}\n`], 'access.csv'))
      await send(`/v1/submissions/${String(created['submission_id'])}/evidence`, { headers, body })
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: CLIENTS }, one))
  return (performance.now() - started) / 1000
}

/** Measures from the first issued kits, when all workers are busy, to the last one. */
async function rateOfIssuing(client: pg.Client): Promise<number> {
  const left = async (): Promise<number> => {
    const { rows } = await client.query(
      `select count(*)::int as left from jobs where status in ('SUBMITTED', 'PASS')`,
    )
    return (rows[0] as { readonly left: number }).left
  }
  let first: { readonly at: number; readonly left: number } | undefined
  for (;;) {
    const now = await left()
    if (first === undefined && now <= SUBMISSIONS) first = { at: performance.now(), left: now }
    if (now === 0 && first !== undefined) return first.left / ((performance.now() - first.at) / 1000)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The database server's own statement count, without the queries of this program. */
async function counted<T>(
  client: pg.Client,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly statements: number }> {
  await client.query('select pg_stat_statements_reset()')
  const result = await work()
  const { rows } = await client.query(
    `select coalesce(sum(calls), 0)::int as calls from pg_stat_statements s join pg_database d on d.oid = s.dbid
      where d.datname = current_database() and query not like '%as left from jobs%' and query not like '%pg_stat%'`,
  )
  return { result, statements: (rows[0] as { readonly calls: number }).calls }
}

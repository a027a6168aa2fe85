// `npm run bench:submit [-- PART…] [--quick]`: what a submission costs, one and many, on SQLite and PostgreSQL. BENCH_RELEASE names a
// built checkout of another release, which then runs in turn with this one.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newDatabase, postgresServer } from '../test/kit/postgres.ts'
import { writeLogs } from './evidence.ts'
import type { LoadOrder } from './load.ts'
import {
  admin,
  type Client,
  clientOf,
  compared,
  goal,
  KITSEAL,
  measureParts,
  ms,
  newClient,
  quantile,
  ROOT,
  type Row,
  run,
  type Settings,
  shell,
  sized,
  start,
  type Started,
  startService,
  timeOf,
} from './measure.ts'

const DATABASES = ['SQLite', 'PostgreSQL'] as const
type Database = (typeof DATABASES)[number]
const release = process.env['BENCH_RELEASE']
/** The first seconds of a service are not representative. */
const WARM = sized(1000)
/** The service asks for one poll a second; more often measures the polls. */
const LOAD = { clients: 32, submissions: sized(4000), pollMs: 100 }
const ALONE = { submissions: sized(200), pollMs: 40 }
/** What a kit adds to two small files on disk. */
const KIT_BYTES = 55_000
const EVIDENCE_BYTES = 10_000
const ASKED = { connections: 16, milliseconds: 700, rounds: sized(15) }

await measureParts({ many, one, rate, requests, memory, start: starts, files })

interface Running extends AsyncDisposable {
  readonly service: Started
  readonly client: Client
}

/** A warm service with a workspace, on the one database or the other. */
async function startOn(
  database: Database,
  folder: string,
  { more = {}, root = ROOT, warm = WARM }: { more?: Settings; root?: string; warm?: number } = {},
): Promise<Running> {
  const server =
    database === 'SQLite' ? undefined : await postgresServer({ fsync: 'on', full_page_writes: 'on' })
  const url = server === undefined ? {} : { KITSEAL_DATABASE_URL: await newDatabase(server.url) }
  const settings = { KITSEAL_DATA: folder, KITSEAL_LOG_MARK: `${folder}-mark`, ...url }
  const service = await startService({ ...settings, ...more }, root)
  const client = newClient(service.base, settings, root)
  let next = 0
  const submit = async (): Promise<void> => {
    while (next < warm) await client.submit(next++, 10)
  }
  await Promise.all(Array.from({ length: 4 }, submit))
  return {
    service,
    client,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
    },
  }
}

/** As fast as one service takes them, from many clients at once. */
async function many(folder: string): Promise<readonly Row[]> {
  const perSecond = async (database: Database, root: string): Promise<number> => {
    await using at = await startOn(database, join(folder, `many-${database}-${root.length}`), { root })
    let next = WARM
    const submit = async (): Promise<void> => {
      while (next < WARM + LOAD.submissions) await at.client.submit(next++, LOAD.pollMs)
    }
    const took = await timeOf(() => Promise.all(Array.from({ length: LOAD.clients }, submit)))
    return LOAD.submissions / (took / 1000)
  }
  const rows: Row[] = []
  for (const database of DATABASES) {
    const theirs = release === undefined ? undefined : await perSecond(database, release)
    const ours = await perSecond(database, ROOT)
    const what = `small submissions from ${LOAD.clients} clients, ${database}`
    const beside =
      theirs === undefined
        ? {}
        : { peer: `release at ${release}`, theirs: `${theirs.toFixed(0)}/s`, ratio: ours / theirs, least: 1 }
    rows.push({ what, ours: `${ours.toFixed(0)}/s`, ...beside })
  }
  return rows
}

/** One after the other: processor time, then again for what it asks of the database, because counting takes time. */
async function one(folder: string): Promise<readonly Row[]> {
  const bare = join(ROOT, 'bench/bare-server.ts')
  await using server = await start([process.execPath, bare, join(folder, 'bare'), String(KIT_BYTES)])
  const theirs = await eachOf(server, clientOf(server.base, 'none'))
  const rows: Row[] = []
  for (const database of DATABASES) {
    await using at = await startOn(database, join(folder, database))
    const ours = await eachOf(at.service, at.client)
    rows.push({
      what: `processor time of a small submission, ${database}`,
      ours: ms(ours.processorMs),
      peer: 'bare server, same bytes, one commit',
      theirs: ms(theirs.processorMs),
      ratio: ours.processorMs / theirs.processorMs,
      ...goal(undefined, database === 'SQLite' ? 9 : 12),
    })
    rows.push(...(await countsOn(database, folder, ours.writtenBytes)))
  }
  return rows
}

async function eachOf(service: Started, client: Client) {
  for (let at = 0; at < WARM / 5; at++) await client.submit(at, 5)
  const [processor, written] = [service.processorMs(), service.writtenBytes()]
  for (let at = 0; at < ALONE.submissions; at++) await client.submit(WARM + at, ALONE.pollMs)
  return {
    processorMs: (service.processorMs() - processor) / ALONE.submissions,
    writtenBytes: (service.writtenBytes() - written) / ALONE.submissions,
  }
}

async function countsOn(database: Database, folder: string, writtenBytes: number): Promise<readonly Row[]> {
  const counts = join(folder, `counts-${database}`)
  mkdirSync(counts)
  const probe = new URL('count-statements.ts', import.meta.url).href
  const more = { NODE_OPTIONS: `--import=${probe}`, BENCH_COUNTS: counts }
  await using at = await startOn(database, join(folder, `counted-${database}`), { more, warm: WARM / 10 })
  const read = async () => {
    await new Promise((resolve) => setTimeout(resolve, 200))
    const threads = readdirSync(counts)
      .filter((name) => name.endsWith('.json'))
      .map(
        (name) =>
          JSON.parse(readFileSync(join(counts, name), 'utf8')) as Record<'statements' | 'commits', number>,
      )
    const sum = (of: 'statements' | 'commits'): number => threads.reduce((total, each) => total + each[of], 0)
    return { statements: sum('statements'), commits: sum('commits') }
  }
  const before = await read()
  let polled = ''
  for (let next = 0; next < ALONE.submissions; next++)
    polled = `/v1/submissions/${String((await at.client.submit(WARM + next, ALONE.pollMs))['submission_id'])}`
  const after = await read()
  for (let next = 0; next < ALONE.submissions; next++) await at.client.get(polled)
  const polls = (await read()).statements - after.statements
  const statements = (after.statements - before.statements - polls) / ALONE.submissions
  const commits = (after.commits - before.commits) / ALONE.submissions
  const row = (what: string, value: number, most: number): Row => ({
    what: `${what} of a small submission, ${database}`,
    ours: value.toFixed(1),
    ...(database === 'SQLite' ? {} : { ratio: value, most }),
  })
  return [
    row('statements', statements, 18),
    row('commits', commits, 4),
    row('kB written beside the evidence', (writtenBytes - EVIDENCE_BYTES) / 1000, 60),
  ]
}

/** At a fixed rate, even if the service falls behind: waiting counts. */
async function atRate(perSecond: number, seconds: number, work: (at: number) => Promise<unknown>) {
  const begin = performance.now()
  const running: Promise<number>[] = []
  for (let count = 0; count < perSecond * seconds; count++) {
    const due = begin + (count * 1000) / perSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    running.push(work(count).then(() => performance.now() - due))
  }
  return await Promise.all(running)
}

async function rate(folder: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const database of DATABASES) {
    await using at = await startOn(database, join(folder, database))
    const times = await atRate(10, sized(20), (count) => at.client.submit(WARM + count, 4))
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
    rows.push({
      what: `create to kit at 10 a second, p50, ${database}`,
      ours: ms(p50),
      ratio: p50 / 20,
      most: 1,
    })
    rows.push({ what: `create to kit at 10 a second, p99, ${database}`, ours: ms(p99) })
  }
  return rows
}

/** The two most frequent requests. */
async function requests(folder: string): Promise<readonly Row[]> {
  await using at = await startOn('SQLite', join(folder, 'data'), { warm: 1 })
  const { base } = at.service
  const { kit_id, job_id } = await at.client.submit(1, 10)
  const receipt = await (await fetch(`${base}/v1/kits/${String(kit_id)}/receipt`)).text()
  const jwks = (await (await fetch(`${base}/.well-known/jwks.json`)).json()) as { keys: { x: string }[] }
  const bare = join(ROOT, 'bench/bare-server.ts')
  await using peer = await start([process.execPath, bare, join(folder, 'bare'), '0', jwks.keys[0]?.x ?? ''])
  const post = `POST /v1/verify/receipt HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(receipt)}\r\n\r\n${receipt}`
  const get = `GET /v1/intake/jobs/${String(job_id)} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
  return [
    await asked('POST /v1/verify/receipt', post, 0.75, base, peer.base),
    await asked('GET of a job', get, 0.6, base, peer.base),
  ]
}

async function asked(
  what: string,
  request: string,
  least: number,
  ours: string,
  theirs: string,
): Promise<Row> {
  const perSecond = (base: string): number => {
    const { connections, milliseconds } = ASKED
    const order: LoadOrder = {
      port: Number(new URL(base).port),
      requests: [request],
      connections,
      milliseconds,
    }
    const script = [join(ROOT, 'bench/load.ts'), JSON.stringify(order)]
    return Number(execFileSync(process.execPath, script, { encoding: 'utf8' }))
  }
  const rates = Array.from({ length: ASKED.rounds + 2 }, () => [perSecond(ours), perSecond(theirs)] as const)
  // The first two warm up; of the rest the fastest, because other load can only lower a rate.
  const [us, them] = [0, 1].map((side) => Math.max(...rates.slice(2).map((each) => each[side] ?? 0))) as [
    number,
    number,
  ]
  const peer = 'bare node:http'
  return { what, ours: `${us.toFixed(0)}/s`, peer, theirs: `${them.toFixed(0)}/s`, ratio: us / them, least }
}

async function memory(folder: string): Promise<readonly Row[]> {
  await using at = await startOn('SQLite', join(folder, 'data'))
  let peakMb = 0
  const watch = setInterval(() => (peakMb = Math.max(peakMb, at.service.residentMb())), 250)
  await atRate(30, sized(60), (count) => at.client.submit(WARM + count, 100))
  clearInterval(watch)
  const file = join(folder, 'large.log')
  writeFileSync(file, 'one line of a log, like any other\n'.repeat(sized(3_000_000)))
  const id = String((await at.client.post('/v1/submissions', { label: 'large' }))['submission_id'])
  const url = `${at.service.base}/v1/submissions/${id}`
  await shell(
    `curl -sf -o /dev/null -H "x-api-key: $1" -F "file=@$2" "$3"`,
    at.client.key,
    file,
    `${url}/evidence`,
  )
  while ((await at.client.get(`/v1/submissions/${id}`))['status'] !== 'PASS')
    await new Promise((resolve) => setTimeout(resolve, 50))
  const after = at.service.residentMb()
  return [
    {
      what: 'memory at 30 small submissions a second, peak',
      ours: `${peakMb.toFixed(0)} MB`,
      ratio: peakMb / 300,
      most: 1,
    },
    { what: 'memory after an upload of 100 MB', ours: `${after.toFixed(0)} MB`, ratio: after / 300, most: 1 },
  ]
}

/** In an empty folder, and again. */
async function starts(folder: string): Promise<readonly Row[]> {
  const [first, again]: [number[], number[]] = [[], []]
  for (let count = 0; count < sized(7); count++) {
    const settings = {
      KITSEAL_DATA: join(folder, String(count)),
      KITSEAL_LOG_MARK: join(folder, `mark-${count}`),
    }
    const [started, took] = await readyAfter(settings)
    await started[Symbol.asyncDispose]()
    first.push(took)
    const [known] = await readyAfter(settings)
    await using service = known
    again.push(service.processorMs())
  }
  const [toReady, processor] = [Math.min(...first) / 1000, Math.min(...again) / 1000]
  return [
    { what: 'first start to ready', ours: ms(toReady * 1000), ratio: toReady / 1.2, most: 1 },
    {
      what: 'processor time of serve, to ready',
      ours: ms(processor * 1000),
      ratio: processor / 0.5,
      most: 1,
    },
  ]
}

async function readyAfter(settings: Settings): Promise<readonly [Started, number]> {
  const begun = performance.now()
  const service = await startService(settings)
  while ((await fetch(`${service.base}/readyz`)).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 5))
  return [service, performance.now() - begun]
}

/** `kitseal submit` of many files, to the verified kit, on the same two cores as the service. */
async function files(folder: string): Promise<readonly Row[]> {
  const logs = writeLogs(join(folder, 'logs'), sized(800))
  const settings = { KITSEAL_DATA: join(folder, 'data'), KITSEAL_LOG_MARK: join(folder, 'mark') }
  await using service = await startService(settings)
  const limits = ['--upload-limit-bytes', '2000000000', '--unpacked-limit-bytes', '2000000000']
  const made = admin(settings, ['workspace', 'create', '--name', 'large'])
  admin(settings, ['workspace', 'change', 'large', '--plan', 'large', ...limits])
  const stored = join(folder, 'stored')
  await using bare = await start([process.execPath, join(ROOT, 'bench/bare-server.ts'), stored])
  const urls = readdirSync(logs).map(
    (name) => `url = "${bare.base}"\nupload-file = "${join(logs, name)}"\noutput = "/dev/null"`,
  )
  writeFileSync(join(folder, 'curl.txt'), urls.join('\nnext\n'))
  await shell('cd "$1" && sha256sum * >../SUMS', logs)
  const env = { KITSEAL_URL: service.base, KITSEAL_API_KEY: String(made['api_key']), HOME: folder }
  const out = join(folder, 'kits')
  return [
    await compared({
      what: `submit ${sized(800)} logs and CSV files, 560 MB, to the verified kit`,
      peer: 'curl to a bare server, sha256sum -c',
      rounds: sized(5),
      most: 1.5,
      ours: async () => {
        const took = await run([...KITSEAL, 'submit', logs, '--out', out], env)
        rmSync(out, { recursive: true })
        return took
      },
      theirs: async () => {
        const took = await shell(
          'curl -s -K "$1/curl.txt" && cd "$1/logs" && sha256sum --quiet -c ../SUMS',
          folder,
        )
        for (const name of readdirSync(stored)) if (name.startsWith('upload-')) rmSync(join(stored, name))
        return took
      },
    }),
  ]
}

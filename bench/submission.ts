import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { quantile, reportFact, reportFigure, reportSeries } from './report.ts'
import { startKitseal, startServer } from './service/processes.ts'
import { timeOfDurable } from './service/syncs.ts'
import { sendFile } from './upload/send.ts'
import { clientOf, type Workspace, workspace } from './upload/workspace.ts'
import { run } from './verify/run.ts'

/** `npm run bench:submission [-- latency|rate|start]`: one small submission, many at a fixed rate, and a cold start. */

const ONE_BY_ONE = 100
/** Warm-up: the first seconds of a service are not representative. */
const WARM = 300
/** Commits: create, accept, claim, pass, log, issue. Files: the evidence, and what the kit adds. Checked by server/test/counts.trial.ts. */
const DURABLE = { commits: 6, files: 2 }
const RATES_PER_SECOND = [2, 5, 10] as const
const RATE_SECONDS = 8
const STARTS = 7

const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
try {
  console.log(`Node ${process.version}, ${availableParallelism()} cores, loopback.\n`)
  const parts = { latency, rate, start }
  for (const [name, part] of Object.entries(parts)) {
    if (process.argv[2] === undefined || process.argv[2] === name) await part(join(folder, name))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** One at a time, from the first request to the issued kit, against the minimum cost. */
async function latency(data: string): Promise<void> {
  await using service = await startKitseal(data)
  const client = await workspace(service.base, data)
  const file = await smallFile(`${data}.txt`)
  for (let count = 0; count < WARM; count++) await submit(service.base, client, file)
  const before = written(service.pid)
  const times: number[] = []
  for (let count = 0; count < ONE_BY_ONE; count++) times.push(await submit(service.base, client, file))
  const bytes = (written(service.pid) - before) / ONE_BY_ONE
  const least = timeOfDurable(`${data}-syncs`, DURABLE, ONE_BY_ONE)
  const bare = await bareLatency(`${data}-bare`, file)
  const ours = quantile(times, 0.5)
  reportFigure({
    what: 'small submission, create to ISSUED, p50, one at a time',
    against: `its ${DURABLE.commits} commits and ${DURABLE.files} files, synced, and one signature`,
    ours: `${ours.toFixed(1)} ms`,
    theirs: `${least.toFixed(1)} ms`,
    ratio: ours / least,
    goal: { most: 3 },
  })
  reportFact(
    'the same two requests, syncs and signature of a bare node:http server, which looks at nothing and makes no kit',
    `${bare.toFixed(1)} ms, ${(bare / least).toFixed(1)} times its syncs and its signature`,
  )
  reportFact('written to disk for each small submission', `${(bytes / 1000).toFixed(0)} kB`)
}

/** The same client against a server that does only the unavoidable work. */
async function bareLatency(place: string, file: string): Promise<number> {
  await using server = await startServer('bench/service/bare-submission-server.ts', [place])
  const client = clientOf(server.base, 'none')
  const times: number[] = []
  for (let count = 0; count < WARM + ONE_BY_ONE; count++) times.push(await submit(server.base, client, file))
  return quantile(times.slice(WARM), 0.5)
}

/** At a fixed rate, even if the service falls behind: queueing time counts. */
async function rate(data: string): Promise<void> {
  await using service = await startKitseal(data)
  const client = await workspace(service.base, data)
  const file = await smallFile(`${data}.txt`)
  for (let count = 0; count < WARM; count++) await submit(service.base, client, file)
  const lines = { p50: [] as [number, number][], p99: [] as [number, number][] }
  for (const perSecond of RATES_PER_SECOND) {
    const times = await atRate(perSecond, () => submit(service.base, client, file))
    lines.p50.push([perSecond, quantile(times, 0.5)])
    lines.p99.push([perSecond, quantile(times, 0.99)])
    reportFact(
      `small submissions at ${perSecond} a second, create to ISSUED`,
      `p50 ${quantile(times, 0.5).toFixed(0)} ms, p90 ${quantile(times, 0.9).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`,
    )
  }
  for (const [line, points] of Object.entries(lines)) {
    reportSeries({
      plot: 'small submissions at a fixed rate',
      axes: { x: 'submissions a second', y: 'ms to ISSUED' },
      line,
      points,
    })
  }
}

async function atRate(perSecond: number, work: () => Promise<number>): Promise<readonly number[]> {
  const begin = performance.now()
  const running: Promise<number>[] = []
  for (let count = 0; count < perSecond * RATE_SECONDS; count++) {
    const due = begin + (count * 1000) / perSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    running.push(work().then(() => performance.now() - due))
  }
  return await Promise.all(running)
}

/** Cold start: an empty folder, a new key, a new database. */
async function start(data: string): Promise<void> {
  const ours: number[] = []
  const bare: number[] = []
  for (let count = 0; count < STARTS; count++) {
    const started = performance.now()
    await using service = await startKitseal(`${data}-${count}`)
    while ((await fetch(`${service.base}/readyz`)).status !== 200) await pause(5)
    ours.push(performance.now() - started)
    bare.push((await run([process.execPath, '-e', '0'])) * 1000)
  }
  reportFact(
    'first start in an empty folder, to ready, against `node -e 0`',
    `${quantile(ours, 0.5).toFixed(0)} ms against ${quantile(bare, 0.5).toFixed(0)} ms`,
  )
}

/** Milliseconds from the first request to the issued kit. */
async function submit(base: string, client: Workspace, file: string): Promise<number> {
  const started = performance.now()
  const id = await client.submission()
  const sent = await sendFile(`${base}/v1/submissions/${id}/evidence`, file, { 'x-api-key': client.key })
  if (sent.status !== 202) throw new Error(sent.body)
  for (;;) {
    const { status } = (await client.get(`/v1/submissions/${id}`)) as { readonly status: string }
    if (status === 'PASS') return performance.now() - started
    if (status === 'FAIL') throw new Error(`submission ${id} failed`)
    await pause(1)
  }
}

async function smallFile(path: string): Promise<string> {
  await writeFile(path, 'One line of evidence.\n')
  return path
}

function written(pid: number): number {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? Number.NaN)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

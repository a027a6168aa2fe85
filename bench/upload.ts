import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PollOrder, PollResult } from './upload/poll.ts'
import { textFile, zipOfTexts } from './upload/evidence.ts'
import { sendFile } from './upload/send.ts'
import { median, reportFigure } from './report.ts'
import { helper, startKitseal, startServer } from './service/processes.ts'
import { workspace } from './upload/workspace.ts'

/**
 * `npm run bench:upload [-- throughput|memory|polls|seal]`: uploads of 100 MB against a minimal server, their
 * memory use, and how the work on them affects other requests.
 */

const BYTES = 100_000_000
const ROUNDS = 10
const CONCURRENT = 20
const ZIP_FILES = 40

const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
try {
  console.log(`Node ${process.version}, ${availableParallelism()} cores, ${BYTES / 1e6} MB, loopback.\n`)
  const only = process.argv[2]
  const measured = { throughput, memory, polls, seal }
  for (const [name, measure] of Object.entries(measured)) {
    if (only !== undefined && only !== name) continue
    await measure(join(folder, name))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** One upload at a time, alternately, so that noise affects both. */
async function throughput(place: string): Promise<void> {
  await mkdir(place)
  const file = await textFile(join(place, 'evidence.txt'), BYTES)
  await using service = await startKitseal(join(place, 'data'))
  await using bare = await startServer('bench/upload/bare-upload-server.ts', [place])
  const client = await workspace(service.base, join(place, 'data'))
  const ours = async (): Promise<number> => {
    const url = `${service.base}/v1/submissions/${await client.submission()}/evidence`
    const sent = await sendFile(url, file, { 'x-api-key': client.key }, { final: 'false' })
    if (sent.status !== 202) throw new Error(sent.body)
    return BYTES / 1e6 / sent.seconds
  }
  const theirs = async (): Promise<number> => BYTES / 1e6 / (await sendFile(bare.base, file)).seconds
  await ours()
  await theirs()
  const rounds: { readonly ours: number; readonly theirs: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ ours: await ours(), theirs: await theirs() })
  const us = Math.max(...rounds.map((round) => round.ours))
  const them = Math.max(...rounds.map((round) => round.theirs))
  reportFigure({
    what: 'upload of 100 MB, to the accepted submission',
    against: 'bare node:http that hashes, writes and syncs the same body',
    ours: `${us.toFixed(0)} MB/s`,
    theirs: `${them.toFixed(0)} MB/s`,
    ratio: us / them,
    goal: { least: 0.9 },
  })
}

/** All at once, then checked and sealed. The peak is of the whole process with its work thread. */
async function memory(place: string): Promise<void> {
  await mkdir(place)
  const file = await textFile(join(place, 'evidence.txt'), BYTES)
  await using service = await startKitseal(join(place, 'data'))
  const client = await workspace(service.base, join(place, 'data'))
  const idle = residentMb(service.pid, 'VmRSS')
  const ids = await Promise.all(Array.from({ length: CONCURRENT }, () => client.submission()))
  await Promise.all(
    ids.map(async (id) => {
      const url = `${service.base}/v1/submissions/${id}/evidence`
      const sent = await sendFile(url, file, { 'x-api-key': client.key })
      if (sent.status !== 202) throw new Error(sent.body)
    }),
  )
  const uploading = residentMb(service.pid, 'VmHWM')
  for (const id of ids) {
    const { status, record } = await client.ended(id)
    if (status !== 'PASS') throw new Error(JSON.stringify(record))
  }
  const peak = residentMb(service.pid, 'VmHWM')
  reportFigure({
    what: `resident memory of the service at its peak, ${CONCURRENT} uploads of ${BYTES / 1e6} MB at once`,
    against: '300 MB',
    ours: `${peak.toFixed(0)} MB`,
    theirs: '300 MB',
    ratio: peak / 300,
    goal: { below: 1 },
  })
  reportFigure({
    what: `what ${CONCURRENT} uploads of ${BYTES / 1e6} MB at once add to the resident memory`,
    against: '150 MB',
    ours: `${idle.toFixed(0)} MB before, ${uploading.toFixed(0)} MB while they arrived, ${peak.toFixed(0)} MB until all were sealed`,
    theirs: '150 MB',
    ratio: (peak - idle) / 150,
    goal: { most: 1 },
  })
}

/** Polls of another job, idle and while large kits are processed. */
async function polls(place: string): Promise<void> {
  await mkdir(place)
  const file = await zipOfTexts(place, BYTES, ZIP_FILES)
  await using service = await startKitseal(join(place, 'data'))
  await using poller = helper<PollOrder, PollResult>('upload/poll.ts')
  const client = await workspace(service.base, join(place, 'data'))
  const job = await client.submission()
  const jobId = String((await client.get(`/v1/submissions/${job}`))['job_id'])
  const order = { port: Number(new URL(service.base).port), path: `/v1/intake/jobs/${jobId}` }
  await poller.ask({ ...order, milliseconds: 1000 })
  const ratios: { readonly idle: number; readonly busy: number }[] = []
  for (let round = 0; round < 3; round += 1) {
    const idle = await poller.ask({ ...order, milliseconds: 3000 })
    const id = await client.submission()
    const url = `${service.base}/v1/submissions/${id}/evidence`
    await sendFile(url, file, { 'x-api-key': client.key })
    const busy = await poller.ask({ ...order, milliseconds: 3000 })
    await client.ended(id)
    ratios.push({ idle: idle.p99Ms, busy: busy.p99Ms })
  }
  reportFigure({
    what: 'p99 of polls of another job while a 100 MB kit is examined and sealed',
    against: 'the same while nothing is',
    ours: `${median(ratios.map((each) => each.busy)).toFixed(2)} ms`,
    theirs: `${median(ratios.map((each) => each.idle)).toFixed(2)} ms`,
    ratio: median(ratios.map(({ idle, busy }) => busy / idle)),
    goal: { most: 2 },
  })
}

/** From the last byte of a zip to PASS, against two tools that a reviewer would use. */
async function seal(place: string): Promise<void> {
  await mkdir(place)
  const file = await zipOfTexts(place, BYTES, ZIP_FILES)
  await using service = await startKitseal(join(place, 'data'))
  const client = await workspace(service.base, join(place, 'data'))
  const ours = async (): Promise<number> => {
    const id = await client.submission()
    const sent = await sendFile(`${service.base}/v1/submissions/${id}/evidence`, file, {
      'x-api-key': client.key,
    })
    if (sent.status !== 202) throw new Error(sent.body)
    const { status, seconds, record } = await client.ended(id)
    if (status !== 'PASS') throw new Error(JSON.stringify(record))
    return seconds
  }
  const theirs = (): number => timeOf('openssl', ['dgst', '-sha256', file]) + timeOf('unzip', ['-qt', file])
  await ours()
  const rounds: { readonly ours: number; readonly theirs: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ theirs: theirs(), ours: await ours() })
  const us = Math.min(...rounds.map((round) => round.ours))
  const them = Math.min(...rounds.map((round) => round.theirs))
  reportFigure({
    what: `from the last byte of a zip of ${(statSync(file).size / 1e6).toFixed(0)} MB to PASS`,
    against: '`openssl dgst -sha256` and `unzip -t` of the same file',
    ours: `${us.toFixed(2)} s`,
    theirs: `${them.toFixed(2)} s`,
    ratio: us / them,
    goal: { most: 4 },
  })
}

function timeOf(program: string, args: readonly string[]): number {
  const started = performance.now()
  const done = spawnSync(program, args, { stdio: 'ignore' })
  if (done.status !== 0) throw new Error(`${program} failed`)
  return (performance.now() - started) / 1000
}

function residentMb(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1] ?? Number.NaN) / 1000
}

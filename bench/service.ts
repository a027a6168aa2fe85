import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PeerOrder } from './service/bare-servers.ts'
import { issueKits, type Issued } from './service/issue-kits.ts'
import type { LoadOrder, LoadResult } from './service/load.ts'
import { helper, startKitseal } from './service/processes.ts'
import { seedJobs } from './service/seed-jobs.ts'
import { median, reportFact, reportFigure, reportSeries } from './report.ts'

/** `npm run bench:service [-- requests|growth]`: measures each figure alternately with its peer, so that noise affects both. */

const ROUNDS = 3
const REQUEST_ROUNDS = 15
const ROUND_MS = 700
const WARM_ROUNDS = 2
const CONNECTIONS = 16
const KITS = 16
const FEW = 1000
const MANY = 1_000_000
const JOBS_PER_ROUND = 200

const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
try {
  console.log(
    `Node ${process.version}, ${availableParallelism()} cores, ${CONNECTIONS} connections, loopback.\n`,
  )
  const only = process.argv[2]
  if (only !== 'growth') await requests(join(folder, 'requests'))
  if (only !== 'requests') await growth(folder)
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** The two most frequent requests, against a minimal server. */
async function requests(data: string): Promise<void> {
  await using service = await startKitseal(data)
  await using peers = helper<PeerOrder, { readonly http: number; readonly fastify: number }>(
    'service/bare-servers.ts',
  )
  await using generator = helper<LoadOrder, LoadResult>('service/load.ts')
  const issued = await issueKits(service.base, KITS)
  const [first] = issued
  if (first === undefined) throw new Error('no kit was issued')
  const ports = await peers.ask({ x: first.x, job: first.job })

  const measure = async (port: number, asked: readonly string[]): Promise<number> => {
    const order = { port, requests: asked, connections: CONNECTIONS, milliseconds: ROUND_MS }
    const { answered, refused, seconds } = await generator.ask(order)
    if (refused > 0) throw new Error(`${refused} of ${answered + refused} requests did not return 200`)
    return answered / seconds
  }
  const verify = issued.map(verifyRequest)
  const poll = issued.map(pollRequest)
  await compare(
    ['`POST /v1/verify/receipt`', 'bare node:http that parses the same body and does one Ed25519 verify'],
    0.6,
    () => measure(service.port, verify),
    () => measure(ports.http, verify),
  )
  await compare(
    ['`GET` of a job', 'a bare Fastify route that answers the same'],
    0.6,
    () => measure(service.port, poll),
    () => measure(ports.fastify, poll),
  )
}

async function compare(
  [what, against]: readonly [string, string],
  least: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<void> {
  for (let round = 0; round < WARM_ROUNDS; round++) await ours().then(theirs)
  const rates: { readonly ours: number; readonly theirs: number }[] = []
  for (let round = 0; round < REQUEST_ROUNDS; round++)
    rates.push({ ours: await ours(), theirs: await theirs() })
  // The fastest round of each: other load can only lower a rate.
  const us = Math.max(...rates.map((rate) => rate.ours))
  const them = Math.max(...rates.map((rate) => rate.theirs))
  reportFigure({
    what,
    against,
    ours: `${us.toFixed(0)}/s`,
    theirs: `${them.toFixed(0)}/s`,
    ratio: us / them,
    goal: { least },
  })
}

/** From the request to the issued kit, with a thousand and with a million jobs in the database. */
async function growth(base: string): Promise<void> {
  const folders = [await seeded(join(base, 'few'), FEW), await seeded(join(base, 'many'), MANY)] as const
  await using few = await startKitseal(folders[0])
  await using many = await startKitseal(folders[1])
  const cost = async (
    service: typeof few,
  ): Promise<{ readonly wallMs: number; readonly processorMs: number }> => {
    const [wall, processor] = [performance.now(), service.processorSeconds()]
    await issueKits(service.base, JOBS_PER_ROUND)
    return {
      wallMs: (performance.now() - wall) / JOBS_PER_ROUND,
      processorMs: ((service.processorSeconds() - processor) * 1000) / JOBS_PER_ROUND,
    }
  }
  await cost(few)
  await cost(many)
  const rounds: {
    readonly few: Awaited<ReturnType<typeof cost>>
    readonly many: Awaited<ReturnType<typeof cost>>
  }[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push({ few: await cost(few), many: await cost(many) })
  const wall = {
    many: median(rounds.map((round) => round.many.wallMs)),
    few: median(rounds.map((round) => round.few.wallMs)),
  }
  const busy = {
    many: median(rounds.map((round) => round.many.processorMs)),
    few: median(rounds.map((round) => round.few.processorMs)),
  }
  reportFigure({
    what: `cost of a job, from POST to ISSUED, with ${MANY.toLocaleString('en')} jobs stored`,
    against: `the same with ${FEW.toLocaleString('en')}`,
    ours: `${wall.many.toFixed(2)} ms`,
    theirs: `${wall.few.toFixed(2)} ms`,
    ratio: wall.many / wall.few,
    goal: { most: 1.2 },
  })
  reportFact(
    'processor time of a job, from POST to ISSUED',
    `${busy.many.toFixed(1)} ms beside ${MANY.toLocaleString('en')} jobs, ${busy.few.toFixed(1)} ms beside ${FEW.toLocaleString('en')}`,
  )
  reportSeries({
    plot: 'cost of a job as stored data grows',
    axes: { x: 'jobs stored', y: 'ms' },
    line: 'POST to ISSUED',
    points: [
      [FEW, wall.few],
      [MANY, wall.many],
    ],
  })
}

/** The service creates its store; rows are added while it is stopped. */
async function seeded(data: string, count: number): Promise<string> {
  const service = await startKitseal(data)
  await service[Symbol.asyncDispose]()
  seedJobs(data, count)
  return data
}

function verifyRequest({ receipt }: Issued): string {
  return [
    'POST /v1/verify/receipt HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(receipt)}`,
    '',
    receipt,
  ].join('\r\n')
}

function pollRequest({ jobId }: Issued): string {
  return `GET /v1/intake/jobs/${jobId} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
}

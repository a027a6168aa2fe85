import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PeerOrder } from './service/bare-servers.ts'
import { issueKits, type Issued } from './service/issue-kits.ts'
import type { LoadOrder, LoadResult } from './service/load.ts'
import { helper, startKitseal } from './service/processes.ts'
import { measureGrowth } from './service/growth.ts'
import { measureLists } from './service/lists.ts'
import { measureSizes } from './service/sizes.ts'
import { reportFigure } from './report.ts'

/**
 * `npm run bench:service [-- requests|sizes|growth [JOBS]|lists [KITS] [SQLite]]`: measures each figure alternately with its peer, so that noise affects
 * both. `growth 10000000` is the goal, and takes some minutes; without a number it compares a million.
 */

const REQUEST_ROUNDS = 15
const ROUND_MS = 700
const WARM_ROUNDS = 2
const CONNECTIONS = 16
const KITS = 16
const FEW = 10_000
const FEW_KITS = 1000
const MANY = 1_000_000

const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
try {
  console.log(
    `Node ${process.version}, ${availableParallelism()} cores, ${CONNECTIONS} connections, loopback.\n`,
  )
  const only = process.argv[2]
  if (only === 'sizes') await measureSizes(folder)
  if (only === 'lists')
    await measureLists({
      folder,
      few: FEW_KITS,
      many: Number(process.argv[3] ?? MANY),
      database: process.argv[4] === 'SQLite' ? 'SQLite' : 'PostgreSQL',
    })
  if (only === undefined || only === 'requests') await requests(join(folder, 'requests'))
  if (only === undefined || only === 'growth')
    for (const database of ['SQLite', 'PostgreSQL'] as const)
      await measureGrowth({ database, folder, few: FEW, many: Number(process.argv[3] ?? MANY) })
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
    0.75,
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

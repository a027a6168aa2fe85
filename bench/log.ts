import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Trust, verifyKit } from '@kitseal/kit'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { kitsUnderTest } from '../server/test/test-kits.ts'
import { addLeaves, benchLog, type BenchLog } from './log/bench-log.ts'
import { loggedKit } from './log/logged-kit.ts'
import { median, reportFact, reportFigure } from './report.ts'
import { run } from './verify/run.ts'

/**
 * `npm run bench:log [-- leaves|submission|verify|size [LEAVES]]`: what the transparency log costs. Filling a log with ten
 * million leaves takes some minutes; LEAVES is a smaller number.
 */
const KITSEAL = [process.execPath, new URL('../cli/bin/kitseal.cjs', import.meta.url).pathname] as const
const LEAVES = { total: 60_000, batch: 1000 }
const SUBMISSIONS = 300
const VERIFY = { rounds: 15, kits: 100, starts: 15 }
const SIZE = { small: 10_000, large: Number(process.argv[3] ?? 10_000_000), rounds: 300 }

const parts = { leaves, submission, verify, size }
const only = process.argv[2]
for (const [name, part] of Object.entries(parts)) if (only === undefined || only === name) await part()

/** Leaves into the log in batches, with insertion, tree, commit, high-water mark and signature. */
async function leaves(): Promise<void> {
  await using bench = await benchLog()
  await extend(bench, LEAVES.batch)
  const started = performance.now()
  for (let at = 0; at < LEAVES.total; at += LEAVES.batch) await extend(bench, LEAVES.batch)
  const rate = LEAVES.total / ((performance.now() - started) / 1000)
  reportFigure({
    what: `leaves into the log in batches of ${LEAVES.batch}, SQLite, one node`,
    against: '2,000 a second',
    ours: `${rate.toFixed(0)}/s`,
    theirs: '2000/s',
    ratio: rate / 2000,
    goal: { least: 1 },
  })
}

/** One leaf, one batch, one signature, one proof: what a submission pays on an idle service. */
async function submission(): Promise<void> {
  await using bench = await benchLog(1000)
  await prove(bench)
  const before = process.cpuUsage()
  for (let count = 0; count < SUBMISSIONS; count++) await prove(bench)
  const { user, system } = process.cpuUsage(before)
  const ms = (user + system) / 1000 / SUBMISSIONS
  reportFigure({
    what: 'processor time that the log adds to a small submission: leaf, batch, commit, mark, signature, proof',
    against: '3 ms',
    ours: `${ms.toFixed(2)} ms`,
    theirs: '3 ms',
    ratio: ms / 3,
    goal: { most: 1 },
  })
  await using kits = await kitsUnderTest()
  for (let count = 0; count < 20; count++) await kits.issue()
  const start = process.cpuUsage()
  for (let count = 0; count < 100; count++) await kits.issue()
  const used = process.cpuUsage(start)
  reportFact(
    'processor time to seal, log and issue a kit without evidence',
    `${((used.user + used.system) / 1000 / 100).toFixed(2)} ms`,
  )
}

/** The same small kit with and without a log proof and three cosignatures. */
async function verify(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
  try {
    const kit = await loggedKit(folder)
    const trust = { ...kit.trust, logPolicy: kit.policy }
    const [plain, logged] = [Array.of<number>(), Array.of<number>()]
    for (let round = 0; round < VERIFY.rounds; round++) {
      plain.push(await verifyMany(kit.plain, kit.trust))
      logged.push(await verifyMany(kit.logged, trust))
    }
    const ms = { plain: Math.min(...plain), logged: Math.min(...logged) }
    reportFigure({
      what: 'verify a small kit with its log proof and a policy of three witnesses, in one process',
      against: 'the same kit without',
      ours: `${ms.logged.toFixed(2)} ms`,
      theirs: `${ms.plain.toFixed(2)} ms`,
      ratio: ms.logged / ms.plain,
      goal: { most: 1.3 },
    })
    const command = [...KITSEAL, 'verify', '--jwks', kit.jwks]
    const times = { plain: Array.of<number>(), logged: Array.of<number>() }
    for (let round = 0; round < VERIFY.starts; round++) {
      times.plain.push(await run([...command, kit.plain]))
      times.logged.push(await run([...command, kit.logged, '--policy', kit.policyFile]))
    }
    const [bare, full] = [Math.min(...times.plain), Math.min(...times.logged)]
    reportFigure({
      what: 'the same with `kitseal verify`, from start to exit',
      against: 'the same kit without',
      ours: `${(full * 1000).toFixed(0)} ms`,
      theirs: `${(bare * 1000).toFixed(0)} ms`,
      ratio: full / bare,
      goal: { most: 1.3 },
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A checkpoint of one more leaf, and the proof of that leaf, as the log grows. */
async function size(): Promise<void> {
  await using small = await benchLog(SIZE.small)
  await using large = await benchLog(SIZE.large)
  const times = { small: Array.of<number>(), large: Array.of<number>() }
  for (let round = 0; round < SIZE.rounds; round++) {
    times.small.push(await timed(() => prove(small)))
    times.large.push(await timed(() => prove(large)))
  }
  const [base, ours] = [median(times.small), median(times.large)]
  reportFigure({
    what: `a checkpoint and a proof in a log of ${SIZE.large.toLocaleString('en')} leaves`,
    against: `the same in a log of ${SIZE.small.toLocaleString('en')}`,
    ours: `${ours.toFixed(2)} ms`,
    theirs: `${base.toFixed(2)} ms`,
    ratio: ours / base,
    goal: { most: 1.5 },
  })
}

async function extend({ db, log }: BenchLog, count: number): Promise<number> {
  await addLeaves(db, count)
  let sequenced = 0
  while (sequenced < count) sequenced += await log.sequence()
  return (await log.signedHead()).size
}

async function prove(bench: BenchLog): Promise<void> {
  const grown = await extend(bench, 1)
  const proof = await bench.log.prover(await bench.log.published())(grown - 1)
  if (proof === undefined) throw new Error('the leaf is not proved')
}

async function verifyMany(path: string, trust: Trust): Promise<number> {
  const took = await timed(async () => {
    for (let count = 0; count < VERIFY.kits; count++) {
      using kit = await openKit(path)
      const { status } = await verifyKit(kit, trust, nodeHost)
      if (status !== 'PASS') throw new Error(`${path} does not verify`)
    }
  })
  return took / VERIFY.kits
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

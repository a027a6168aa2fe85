import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { reportFact, reportFigure } from './report.ts'
import { makeKitOnDisk } from './verify/make-kit-on-disk.ts'
import { type Contenders, verifyContenders } from './verify/contenders.ts'
import { isInstalled, peakMemory, run } from './verify/run.ts'
import { signatureRates } from './verify/signatures.ts'

/**
 * `npm run bench:verify [-- large|small|shapes|signatures]`: verifies kits and compares with tools that a reviewer would use.
 * Each round runs every tool once, and the fastest round of each counts: other load can only add time.
 */
const KITSEAL = [process.execPath, new URL('../cli/bin/kitseal.cjs', import.meta.url).pathname] as const
const LARGE = { files: 10, mebibytes: 1024, rounds: 15 }
const SMALL_ROUNDS = 21
const MANY = { files: 10_000, kibibytesEach: 16, rounds: 5 }
/** Sizes in addition to the two above. */
const SHAPES = [
  { files: 1, mebibytes: 1, rounds: 5 },
  { files: 1, mebibytes: 32, rounds: 3 },
  { files: 100, mebibytes: 256, rounds: 2 },
  { files: 1, mebibytes: 1024, rounds: 2 },
  { files: 100, mebibytes: 4096, rounds: 1 },
] as const
/** Above this size, only fast tools run. */
const PATIENCE_MEBIBYTES = 1024
const QUICK = /^(kitseal|openssl|python)/

interface Result {
  readonly seconds: number
  readonly peakMb: number
}

let made = 0
const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
try {
  console.log(`Node ${process.version}, ${availableParallelism()} cores (${cpus()[0]?.model}).\n`)
  const parts = { large, small, many, shapes, signatures }
  const only = process.argv[2]
  for (const [name, part] of Object.entries(parts)) {
    if (only === undefined || only === name) await part()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** 1 GiB in ten files, on one core and on all. */
async function large(): Promise<void> {
  const kit = await kitOf(LARGE.files, LARGE.mebibytes * 1024)
  const verify = [...KITSEAL, 'verify', kit.zip, '--jwks', kit.jwks]
  const times = await rounds(
    {
      ...(await verifyContenders(kit, KITSEAL)),
      'kitseal verify, one core': ['taskset', '-c', '0', ...verify],
    },
    LARGE.rounds,
  )
  const base = of(times, 'openssl dgst -sha256')
  print(times, base)
  const figure = (what: string, name: string, least: number): void =>
    reportFigure({
      what,
      against: '`openssl dgst -sha256` of the zip, one core',
      ours: seconds(of(times, name)),
      theirs: seconds(base),
      ratio: base.seconds / of(times, name).seconds,
      goal: { least },
    })
  figure('verify a 1 GiB zip kit of 10 files, all cores', 'kitseal verify, the zip', 1.6)
  figure('verify a 1 GiB zip kit of 10 files, one core', 'kitseal verify, one core', 0.9)
  // Only tools that hash: 7z and unzip check a CRC-32, which is easy to forge.
  const others = [...times].filter(([name]) => /^(python|sha256sum|hashdeep)/.test(name))
  const [bestName, best] = others.toSorted(([, a], [, b]) => a.seconds - b.seconds)[0] ?? ['', base]
  const ours = of(times, 'kitseal verify, the zip')
  reportFact(
    `verify a 1 GiB zip kit of 10 files, all cores, against the best of the other tools (${bestName})`,
    `${seconds(ours)} against ${seconds(best)}`,
  )
  const peakMb = Math.max(ours.peakMb, of(times, 'kitseal verify, the folder').peakMb)
  reportFigure({
    what: 'peak memory while a 1 GiB kit is verified',
    against: '200 MB',
    ours: `${peakMb} MB`,
    theirs: '200 MB',
    ratio: peakMb / 200,
    goal: { below: 1 },
  })
  await kit.remove()
}

async function small(): Promise<void> {
  const kit = await kitOf(3, 6)
  const times = await rounds(
    {
      'node -e 0': [process.execPath, '-e', '0'],
      'kitseal verify, the zip': [...KITSEAL, 'verify', kit.zip, '--jwks', kit.jwks],
    },
    SMALL_ROUNDS,
  )
  const bare = of(times, 'node -e 0')
  const ours = of(times, 'kitseal verify, the zip')
  reportFigure({
    what: 'verify a small kit, from start to exit',
    against: '`node -e 0`',
    ours: seconds(ours, 3),
    theirs: seconds(bare, 3),
    ratio: ours.seconds / bare.seconds,
    goal: { most: 2 },
  })
  await kit.remove()
}

/** Thousands of small files: the cost per file dominates. */
async function many(): Promise<void> {
  const kit = await kitOf(MANY.files, MANY.files * MANY.kibibytesEach)
  const times = await rounds(await verifyContenders(kit, KITSEAL), MANY.rounds)
  print(times, of(times, 'openssl dgst -sha256'))
  const theirs = of(times, 'sha256sum -c')
  for (const form of ['the zip', 'the folder']) {
    const ours = of(times, `kitseal verify, ${form}`)
    reportFigure({
      what: `verify 10,000 files of ${MANY.kibibytesEach} KiB, ${form}`,
      against: '`sha256sum -c` of the unpacked folder',
      ours: seconds(ours),
      theirs: seconds(theirs),
      ratio: theirs.seconds / ours.seconds,
      goal: { least: 1 },
    })
  }
  await kit.remove()
}

/** From 1 MB to 4 GiB. */
async function shapes(): Promise<void> {
  for (const { files, mebibytes, rounds: count } of SHAPES) {
    const kit = await kitOf(files, mebibytes * 1024)
    const all = await verifyContenders(kit, KITSEAL)
    const quick = Object.entries(all).filter(([name]) => QUICK.test(name))
    const times = await rounds(mebibytes > PATIENCE_MEBIBYTES ? Object.fromEntries(quick) : all, count)
    console.log(`${files} file${files === 1 ? '' : 's'}, ${mebibytes} MiB`)
    print(times, of(times, 'openssl dgst -sha256'))
    await kit.remove()
  }
}

async function signatures(): Promise<void> {
  const { receipts, bundles } = await signatureRates()
  reportFact(
    'signature checks in one thread, a receipt of ours against a Sigstore bundle as npm verifies it',
    `${receipts.toFixed(0)}/s against ${bundles.toFixed(0)}/s`,
  )
}

async function kitOf(files: number, kibibytes: number) {
  const place = join(folder, `kit-${(made += 1)}`)
  const kit = await makeKitOnDisk(place, files, (kibibytes * 1024) / files)
  // Flush pending writes, which would otherwise disturb the measurement.
  await run(['sync'])
  return { ...kit, remove: () => rm(place, { recursive: true }) }
}

async function rounds(contenders: Contenders, count: number): Promise<ReadonlyMap<string, Result>> {
  const installed = Object.entries(contenders).filter(([, [program = '']]) => isInstalled(program))
  const results = new Map<string, { readonly peakMb: number; readonly times: number[] }>()
  // Also warms the caches; not timed.
  for (const [name, command] of installed) results.set(name, { peakMb: await peakMemory(command), times: [] })
  for (let round = 0; round < count; round++) {
    for (const [name, command] of installed) {
      const times = results.get(name)?.times ?? []
      if (!isSettled(times)) times.push(await run(command))
    }
  }
  return new Map(
    [...results].map(([name, { peakMb, times }]) => [name, { peakMb, seconds: Math.min(...times) }]),
  )
}

/** Slow tools run fewer times: the result would not change. */
function isSettled(times: readonly number[]): boolean {
  return times.length >= 2 && Math.min(...times) > 2
}

function of(times: ReadonlyMap<string, Result>, name: string): Result {
  const found = times.get(name)
  if (found === undefined) throw new Error(`${name} is required for the comparison`)
  return found
}

function print(times: ReadonlyMap<string, Result>, base: Result): void {
  for (const [name, time] of times) {
    const ratio = (base.seconds / time.seconds).toFixed(2)
    console.log(`${name.padEnd(32)} ${time.seconds.toFixed(2)} s   ${ratio} of openssl   ${time.peakMb} MB`)
  }
  console.log()
}

function seconds(time: Result, digits = 2): string {
  return `${time.seconds.toFixed(digits)} s`
}

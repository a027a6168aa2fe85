import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkFiles } from '@kitseal/examiner/node'
import { fileSource, nodeHost } from '@kitseal/kit/internal/node'
import { scratchFolder } from '../cli/src/scratch-folder.ts'
import { type Sample, SAMPLES } from './evidence/samples.ts'
import { reportFigure } from './report.ts'

/** `npm run bench:evidence [-- NAME…]`: how fast evidence of each type is examined, against reading and hashing the same file. */

const SIZE_BYTES = 16_000_000
const ROUNDS = 6
const CHUNK_BYTES = 1024 * 1024

const asked = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
using scratch = scratchFolder()
const platform = { host: nodeHost, store: scratch.store }
try {
  console.log(`Node ${process.version}, ${availableParallelism()} cores. Megabytes per second of CPU time.\n`)
  for (const sample of SAMPLES) if (asked.length === 0 || asked.includes(sample.name)) await measure(sample)
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure({ name, title, goalMbPerSecond, content }: Sample): Promise<void> {
  const path = join(folder, name)
  const bytes = content(SIZE_BYTES)
  await writeFile(path, bytes)
  // A small file is examined many times, so that each round takes long enough to be measured.
  const times = Math.max(1, Math.floor(2_000_000 / bytes.length))
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await cpuSeconds(times, () => examine(name, path)))
    bare.push(await cpuSeconds(times, () => readAndHash(path)))
  }
  await rm(path)
  const speed = (seconds: readonly number[]): number => (times * bytes.length) / 1e6 / Math.min(...seconds)
  const [fast, bareSpeed] = [speed(ours), speed(bare)]
  reportFigure({
    what: `examine ${title}, CPU time`,
    against: 'reading and SHA-256 of the same file',
    ours: `${fast.toFixed(0)} MB/s`,
    theirs: `${bareSpeed.toFixed(0)} MB/s`,
    ratio: fast / bareSpeed,
    goal: { speed: fast, least: goalMbPerSecond, unit: 'MB/s' },
  })
}

async function cpuSeconds(times: number, work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 0; count < times; count++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** As `kitseal check` does. */
async function examine(name: string, path: string): Promise<void> {
  using source = fileSource(path)
  const { blockers, findings } = await checkFiles(platform, {
    files: [{ name, source }],
    now: '2026-06-30T12:00:00.000Z',
  })
  const found = [...blockers, ...findings]
  if (found.length > 0) throw new Error(`${name}: ${JSON.stringify(found)}`)
}

async function readAndHash(path: string): Promise<void> {
  using source = fileSource(path)
  const hash = nodeHost.sha256()
  for (let at = 0; at < source.sizeBytes; at += CHUNK_BYTES) {
    hash.update(await source.read(at, Math.min(CHUNK_BYTES, source.sizeBytes - at)))
  }
  await hash.digest()
}

// npm run load [-- --seconds N]            runs each attack and measures the latency of other clients
// npm run load -- sustained [--seconds N] [--rate N] [--kills N]   small submissions at a fixed rate while the service is killed
// npm run load -- timing [--seconds N]     whether the response time of a refusal reveals what exists
import { execFile } from 'node:child_process'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { ATTACKS } from './attacks.ts'
import { startLoadService } from './load-service.ts'
import { type Latency, probe, residentMegabytes } from './probe.ts'
import { sustained } from './sustained.ts'
import { timing } from './timing.ts'

const MAX_SLOWDOWN = 2
/** Shorter latencies are noise. */
const NOISE_MS = 1

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string' }, rate: { type: 'string' }, kills: { type: 'string' } },
  allowPositionals: true,
})
const what = positionals[0] ?? 'attacks'
if (what === 'sustained')
  process.exitCode = await sustained({
    seconds: Number(values.seconds ?? 600),
    perSecond: Number(values.rate ?? 100),
    kills: Number(values.kills ?? 5),
  })
else if (what === 'timing') process.exitCode = await timing(Number(values.seconds ?? 60))
else process.exitCode = await attacks(Number(values.seconds ?? 6))

async function attacks(seconds: number): Promise<number> {
  await using at = await startLoadService()
  const headers = { 'x-api-key': at.other.key }
  const watch = (duration: number): Promise<Latency> => {
    const end = performance.now() + duration * 1000
    return probe(at.service.base, at.paths, headers, () => performance.now() >= end)
  }
  await watch(2)
  const rows: string[] = []
  let worst = 0
  let peak = 0
  for (const name of Object.keys(ATTACKS)) {
    const idle = await watch(Math.max(2, seconds / 2))
    const attack = run(name, seconds + 1, at.attacker)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const under = await watch(seconds)
    peak = Math.max(peak, residentMegabytes(at.service.pid))
    const counts = await attack
    const ratio = under.median / Math.max(idle.median, NOISE_MS)
    worst = Math.max(worst, ratio, under.refused > 0 ? Number.POSITIVE_INFINITY : 0)
    rows.push(
      `load: ${name}: ${show(idle)} idle, ${show(under)} under attack, memory ${Math.round(peak)} MiB, responses ${counts.trim()}`,
    )
    console.log(rows.at(-1))
  }
  const holds = worst <= MAX_SLOWDOWN
  console.log(
    `load: ${rows.length} attacks; other clients' median latency is at most ${worst.toFixed(2)} times that of an idle service, none was refused, memory stayed below ${Math.ceil(peak)} MiB: ${holds ? 'PASS' : 'FAIL'}`,
  )
  return holds ? 0 : 1
}

function show({ median, p95, refused }: Latency): string {
  return `${median.toFixed(1)} ms (95%: ${p95.toFixed(1)})${refused === 0 ? '' : `, ${refused} REFUSED`}`
}

async function run(name: string, seconds: number, target: object): Promise<string> {
  const script = path.join(import.meta.dirname, 'attack-process.ts')
  const args = [script, name, String(seconds), JSON.stringify(target)]
  return (await promisify(execFile)(process.execPath, args)).stdout
}

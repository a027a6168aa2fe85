import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'

/** `npm run bench [-- PART…]`: runs every part, or those named, one after the other. docs/performance.md has the results. */
const PARTS = [
  'service',
  'submission',
  'upload',
  'download',
  'scale',
  'log',
  'verify',
  'commands',
  'console',
  'webhooks',
  'evidence',
  'upkeep',
] as const

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !PARTS.some((part) => part === name))
if (unknown.length > 0) {
  console.error(`bench: unknown part ${unknown.join(', ')}. Parts: ${PARTS.join(', ')}`)
  process.exitCode = 2
} else {
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`)
  for (const part of PARTS.filter((name) => asked.length === 0 || asked.includes(name))) {
    console.log(`\n== ${part} ==\n`)
    if ((await runPart(part)) !== 0) process.exitCode = 1
  }
}

async function runPart(part: string): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${part}.ts`)], { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

function machine(): string {
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${memory} GiB, Linux ${release()}, Node ${process.version}`
}

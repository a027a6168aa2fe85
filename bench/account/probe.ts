import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { STEPS_CHANNEL } from '../../server/src/runtime/steps.ts'
import { counters, type Counts, countEverything } from './counters.ts'

/**
 * Preloaded into each thread of a service under test. Splits processor time, and with BENCH_COUNTS=1 also statements,
 * commits, syncs and bytes, by the step in which they were spent, and writes the sums to the folder BENCH_ACCOUNT when the
 * thread ends. If submissions do not come one at a time, only the sums of all steps have a meaning.
 */
export interface StepAccount extends Counts {
  cpuMs: number
  wallMs: number
  times: number
}

/** What ends at each mark of the work thread. */
const ENDS: Readonly<Record<string, string>> = {
  'job claimed': 'claim',
  'evidence examined': 'examine',
  'binder made': 'binder',
  'kit stored': 'seal',
  'kit verified': 'verify',
  'job passed': 'pass',
  'mark recorded': 'log',
  'kit issued': 'issue',
}

const COUNTS = process.env['BENCH_COUNTS'] === '1'
const WARM = Number(process.env['BENCH_WARM'])
const folder = process.env['BENCH_ACCOUNT'] ?? '.'
const accounts: Record<string, StepAccount> = {}
if (COUNTS) await countEverything()

let isWarm = false
let mark = now()
function now() {
  const { user, system } = process.threadCpuUsage()
  const ownBytes = COUNTS ? writtenByThread() : 0
  return { cpuMs: (user + system) / 1000, wallMs: performance.now(), ...counters, ownBytes }
}

/** SQLite and small files are written in the thread that calls it. */
function writtenByThread(): number {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync('/proc/thread-self/io', 'utf8'))?.[1])
}

function end(step: string): void {
  const at = now()
  const account = (accounts[step] ??= empty())
  account.times += 1
  account.cpuMs += at.cpuMs - mark.cpuMs
  account.wallMs += at.wallMs - mark.wallMs
  account.statements += at.statements - mark.statements
  account.commits += at.commits - mark.commits
  account.syncs += at.syncs - mark.syncs
  account.hashedBytes += at.hashedBytes - mark.hashedBytes
  account.writtenBytes += at.writtenBytes - mark.writtenBytes + at.ownBytes - mark.ownBytes
  // The first ones are not representative.
  if (!isWarm && account.times === WARM && (step === 'issue' || step === 'create')) {
    isWarm = true
    for (const each of Object.keys(accounts)) delete accounts[each]
  }
  mark = now()
}

const empty = (): StepAccount => ({
  cpuMs: 0,
  wallMs: 0,
  times: 0,
  statements: 0,
  commits: 0,
  syncs: 0,
  hashedBytes: 0,
  writtenBytes: 0,
})

subscribe(STEPS_CHANNEL, (step) => {
  const ended = ENDS[String(step)]
  if (ended !== undefined) end(ended)
})

/** Requests come one at a time too. */
subscribe('http.server.request.start', () => end('between requests'))
subscribe('http.server.response.finish', (message) => {
  const { method, url } = (message as { readonly request: IncomingMessage }).request
  end(method === 'GET' ? 'poll' : url === '/v1/submissions' ? 'create' : 'receive')
})

process.on('exit', () => {
  writeFileSync(join(folder, `${threadId}.json`), JSON.stringify(accounts))
})

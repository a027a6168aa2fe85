// `KITSEAL_LARGE_GIB=5 npm test -- large-upload` uploads 5 GiB and prints what it took. Needs three times the space on disk.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createClient } from '@kitseal/client'
import { evidenceFile } from '@kitseal/client/node'
import { checkedClient } from '../../test/kit/http.ts'
import { cuttingProxy } from '../../server/test/cutting-proxy.ts'
import { freePort } from '../../test/kit/free-port.ts'
import { type ServiceProcess, serviceProcess } from '../../test/kit/service-process.ts'
import { ownPlaces } from '../../test/kit/service.ts'
import { testConfig } from '../../test/kit/service.ts'
import { administer, workspaceClient } from '../../test/kit/workspace.ts'
import { seededRandom } from '../../test/kit/seeded-random.ts'

const MIB = 1024 * 1024
const gib = process.env['KITSEAL_LARGE_GIB']
const sizeBytes = gib === undefined ? 64 * MIB : Math.round(Number(gib) * 1024) * MIB
/** Memory of the service and of the command line, whatever the size of the file. */
const MAX_MEMORY_BYTES = 500 * MIB
/** Lost with a killed service: 32 MiB that are not saved yet, and buffers of sockets. */
const MAX_LOST_BYTES = 64 * MIB

const kitseal = fileURLToPath(new URL('../bin/kitseal.cjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kitseal-large-'))
const data = join(folder, 'data')
const large = join(folder, 'large.log')
const memory = { service: 0, cli: 0, writtenByService: 0 }
let settings: Readonly<Record<string, string>>
let service: ServiceProcess
let restarted = Promise.resolve()
let apiKey = ''
let sha256 = ''

before(async () => {
  settings = {
    KITSEAL_DATA: data,
    KITSEAL_PORT: String(await freePort()),
    KITSEAL_LOG_LEVEL: 'error',
    ...ownPlaces(),
  }
  service = await serviceProcess(settings)
  const on = { dataFolder: data, config: testConfig(settings), call: checkedClient(service.base) }
  const limits = { uploadLimitBytes: sizeBytes, unpackedLimitBytes: sizeBytes }
  await administer(on, (admin) => admin.plans.create('large', limits))
  apiKey = (await workspaceClient(on, { plan: 'large' })).key
  sha256 = await writeLog()
})
after(async () => {
  await restarted
  await service.end('SIGTERM')
  rmSync(folder, { recursive: true })
})

/** Lines of a log, in blocks that differ. */
async function writeLog(): Promise<string> {
  const hash = createHash('sha256')
  const block = Buffer.from(
    '2026-07-01T00:00:00.000Z one line of a log, like any other\n'.repeat(18_000),
  ).subarray(0, MIB)
  function* blocks() {
    for (let at = 0; at < sizeBytes; at += MIB) {
      block.write(`${at} `.padStart(16))
      hash.update(block)
      yield Buffer.copyBytesFrom(block)
    }
  }
  await pipeline(Readable.from(blocks()), createWriteStream(large))
  return hash.digest('hex')
}

/** Ten points in the upload. */
function cutPoints(seed: number): readonly number[] {
  const random = seededRandom(seed)
  return Array.from({ length: 10 }, () => Math.round((sizeBytes / 12) * (0.3 + random.below(600) / 1000)))
}

test('kitseal submit: cut six times, killed twice, the service killed twice, and the kit verifies', async (t) => {
  let running: ChildProcess | undefined
  const acts = [
    'cut',
    'kill client',
    'cut',
    'kill service',
    'cut',
    'cut',
    'kill client',
    'kill service',
    'cut',
    'cut',
  ]
  await using proxy = await cuttingProxy(service.base, cutPoints(1), (index) => {
    if (acts[index] === 'kill client') running?.kill('SIGKILL')
    if (acts[index] === 'kill service') restarted = restarted.then(restart)
    return acts[index] === 'cut'
  })
  const started = performance.now()
  let result: { readonly code: number | null; readonly printed: string } | undefined
  for (let runs = 1; result?.code !== 0 && runs <= 6; runs += 1) {
    await restarted
    const run = start(['submit', large, '--out', join(folder, 'kits'), '--json'], proxy.base)
    running = run.child
    result = await run.ended
  }
  assert.equal(result?.code, 0, result?.printed)
  assert.equal(proxy.cuts(), 10)
  onlyNewBytesWereSent(proxy.requests, proxy.sentBytes(), 2)
  const { submission, kit } = JSON.parse(result.printed) as {
    submission: { evidence: { sha256: string }[] }
    kit: { path: string; verification: { status: string } }
  }
  assert.deepEqual(
    submission.evidence.map((one) => one.sha256),
    [sha256],
  )
  assert.equal(kit.verification.status, 'PASS')
  assert.ok(statSync(kit.path).size > sizeBytes)
  report(t, started, proxy.sentBytes())
})

// client/test/uploads.test.ts cuts a smaller file.
const onDemand = { skip: gib === undefined && 'set KITSEAL_LARGE_GIB' }
test('the client: cut nine times, the service killed once, and the file arrives', onDemand, async (t) => {
  await using proxy = await cuttingProxy(service.base, cutPoints(2), (index) => {
    if (index === 5) restarted = restarted.then(restart)
    return index !== 5
  })
  const started = performance.now()
  memory.writtenByService = -procBytes(service.pid, 'io', 'write_bytes')
  const client = createClient({
    baseUrl: proxy.base,
    apiKey,
    retry: { attempts: 1000, baseMs: 200, capMs: 1000 },
  })
  const { submission_id } = await client.createSubmission({ label: 'cut' })
  const uploaded = await client.uploadEvidence(submission_id, [evidenceFile(large)], { final: false })
  assert.deepEqual(
    uploaded.evidence.map((one) => one.sha256),
    [sha256],
  )
  assert.equal(proxy.cuts(), 10)
  onlyNewBytesWereSent(proxy.requests, proxy.sentBytes(), 1)
  await restarted
  report(t, started, proxy.sentBytes())
})

/** One upload is created, offsets never go back, and what was sent twice had not been acknowledged. */
function onlyNewBytesWereSent(requests: readonly string[], sentBytes: number, kills: number): void {
  assert.equal(requests.filter((one) => /^POST \S+\/uploads$/.test(one)).length, 1, requests.join('\n'))
  const offsets = requests.flatMap((one) => (one.startsWith('PATCH ') ? [Number(one.split(' ')[2])] : []))
  assert.deepEqual(
    offsets,
    offsets.toSorted((a, b) => a - b),
  )
  const again = sentBytes - sizeBytes
  assert.ok(again < kills * MAX_LOST_BYTES + 10 * 16 * MIB, `${again} bytes were sent again`)
}

async function restart(): Promise<void> {
  sample()
  await service.end('SIGKILL')
  memory.writtenByService += written
  service = await serviceProcess(settings)
}

let written = 0
/** Peak memory, and what this process of the service has written to the disk. */
function sample(cli?: ChildProcess): void {
  memory.service = Math.max(memory.service, procBytes(service.pid, 'status', 'VmHWM'))
  written = procBytes(service.pid, 'io', 'write_bytes')
  if (cli?.pid !== undefined) memory.cli = Math.max(memory.cli, procBytes(cli.pid, 'status', 'VmHWM'))
}

/** 0 where the system does not tell. */
function procBytes(pid: number, file: string, name: string): number {
  try {
    const [, count = '0', unit] =
      new RegExp(`^${name}:\\s+(\\d+)( kB)?`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8')) ?? []
    return Number(count) * (unit === undefined ? 1 : 1024)
  } catch {
    return 0
  }
}

const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

function report(t: TestContext, started: number, sentBytes: number): void {
  sample()
  const stored = globSync(join(data, '**')).reduce((sum, path) => sum + statSync(path).size, 0)
  t.diagnostic(
    `${mb(sizeBytes)} in ${((performance.now() - started) / 1000).toFixed(0)} s; sent again: ${mb(sentBytes - sizeBytes)}; memory: ` +
      `service ${mb(memory.service)}, command line ${mb(memory.cli)}; the service wrote ${mb(memory.writtenByService + written)} and stores ${mb(stored)}`,
  )
  assert.ok(memory.service < MAX_MEMORY_BYTES && memory.cli < MAX_MEMORY_BYTES, JSON.stringify(memory))
}

function start(args: readonly string[], url: string) {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    TMPDIR: folder,
    KITSEAL_URL: url,
    KITSEAL_API_KEY: apiKey,
  }
  const child = spawn(process.execPath, [kitseal, ...args], { cwd: folder, env })
  const timer = setInterval(() => sample(child), 250)
  let [printed, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = once(child, 'close').then(([code]) => {
    clearInterval(timer)
    return { code: code as number | null, printed: code === 0 ? printed : printed + errors }
  })
  return { child, ended }
}

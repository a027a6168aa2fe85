import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { checkedClient } from '../../test/kit/http.ts'
import type { CountedBytes } from './count-bytes.ts'
import { serviceProcess } from '../../test/kit/service-process.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../test/kit/workspace.ts'
import { needs } from '../../test/kit/needs.ts'

// Counts do not depend on the load of the machine. A change must not increase them without a reason.

const folder = mkdtempSync(join(tmpdir(), 'kitseal-counts-'))
after(() => rmSync(folder, { recursive: true }))

const SUBMISSIONS = 5
const STRACE = needs('strace')

test(
  'a small submission needs five commits, two synced files and one synced entry of the high-water mark',
  STRACE,
  async () => {
    await using service = await started('syncs')
    const client = await service.client()
    await submit(client, 'warm')
    const starts: number[] = []
    const trace = await traced(service.process.pid, join(folder, 'trace'), async () => {
      for (let count = 0; count < SUBMISSIONS; count++) {
        starts.push(Date.now())
        await submit(client, `evidence ${count}`)
      }
    })
    // A commit syncs the database log. A new file is synced, then its folder.
    const syncs = trace.split('\n').flatMap((line) => {
      const [, seconds, path] = /(\d+\.\d+) f(?:data)?sync\(\d+<([^>]+)>/.exec(line) ?? []
      return seconds === undefined || path === undefined ? [] : [{ at: Number(seconds) * 1000, path }]
    })
    /** The median, because each ten seconds one more commit stores when keys were used. */
    const count = (what: RegExp): number => {
      const counts = starts.map((start, index) => {
        const end = starts[index + 1] ?? Number.POSITIVE_INFINITY
        return syncs.filter(({ at, path }) => at >= start && at < end && what.test(path)).length
      })
      return counts.toSorted((one, other) => one - other)[Math.floor(SUBMISSIONS / 2)] ?? Number.NaN
    }
    const commits = count(/kitseal\.sqlite/)
    assert.equal(commits, 5, 'create, accept, claim, pass with the leaf in the log, issue')
    assert.equal(count(/log-marks\//), 1, 'what is committed is recorded before it is signed')
    assert.equal(count(/objects\/tmp\//), 2, 'the evidence and the generated files')
    assert.equal(count(/objects\/[0-9a-f]{2}$/), 2, 'each renamed to its final name')
    assert.ok(count(/objects$/) <= 2, 'a folder is synced for its first object only')
  },
)

const EVIDENCE_BYTES = 8_000_000
/** For everything but evidence: verifier, binder, fonts, database. */
const REST_BYTES = 2_500_000
let measured: Promise<Measurement> | undefined

/** Bytes hashed, copied and freed for an upload and for a download. */
interface Measurement extends CountedBytes {
  readonly intoKit: Moved
  readonly outOfKit: Moved
}

test('each byte of evidence is hashed four times: on upload, in verification as file and as part of kit.zip, and on download', async () => {
  const { hashed } = await measurement()
  assert.ok(hashed >= 4 * EVIDENCE_BYTES && hashed < 4 * EVIDENCE_BYTES + REST_BYTES, `${hashed} were hashed`)
})

test('each byte of evidence is read from disk twice: for checking and for verification', async () => {
  const { read, written } = (await measurement()).intoKit
  assert.ok(read >= 3 * EVIDENCE_BYTES && read < 3 * EVIDENCE_BYTES + REST_BYTES, `${read} were read`)
  assert.ok(written >= EVIDENCE_BYTES && written < EVIDENCE_BYTES + REST_BYTES, `${written} were written`)
})

test('each byte of a download is copied from disk and to the socket only', async () => {
  const { read, written } = (await measurement()).outOfKit
  assert.ok(read >= EVIDENCE_BYTES && read < EVIDENCE_BYTES + REST_BYTES, `${read} were read`)
  assert.ok(written >= EVIDENCE_BYTES && written < EVIDENCE_BYTES + REST_BYTES, `${written} were written`)
})

test('buffers are freed explicitly, not by the garbage collector', async () => {
  const { freed } = await measurement()
  assert.ok(freed > 3.5 * EVIDENCE_BYTES, `${freed} of about ${4 * EVIDENCE_BYTES} were freed`)
})

/** Shared by the tests below. */
function measurement(): Promise<Measurement> {
  measured ??= measure()
  return measured
}

async function measure(): Promise<Measurement> {
  const counted = join(folder, 'counted')
  mkdirSync(counted)
  const preload = new URL('./count-bytes.ts', import.meta.url).href
  const evidence = Buffer.alloc(EVIDENCE_BYTES, 'A line of evidence that is long enough.\n')
  const moves = await measureMoves({ NODE_OPTIONS: `--import ${preload}`, COUNTED_BYTES: counted }, evidence)
  const sums = readdirSync(counted).map(
    (name) => JSON.parse(readFileSync(join(counted, name), 'utf8')) as CountedBytes,
  )
  return {
    ...moves,
    hashed: sums.reduce((sum, { hashed }) => sum + hashed, 0),
    freed: sums.reduce((sum, { freed }) => sum + freed, 0),
  }
}

async function measureMoves(
  settings: Readonly<Record<string, string>>,
  evidence: Buffer,
): Promise<Pick<Measurement, 'intoKit' | 'outOfKit'>> {
  await using service = await started('bytes', settings)
  const client = await service.client()
  await submit(client, 'warm')
  const before = moved(service.process.pid)
  const id = await submit(client, evidence)
  const sealed = moved(service.process.pid)
  const kit = await fetch(`${service.process.base}/v1/submissions/${id}/deliverables/kit.zip`, {
    headers: { 'x-api-key': client.key },
  })
  assert.ok((await kit.arrayBuffer()).byteLength > evidence.length)
  const sent = moved(service.process.pid)
  return { intoKit: between(before, sealed), outOfKit: between(sealed, sent) }
}

/** Bytes that system calls copied between the process and files or sockets. */
interface Moved {
  readonly read: number
  readonly written: number
}

function moved(pid: number): Moved {
  const text = readFileSync(`/proc/${pid}/io`, 'utf8')
  const field = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1])
  return { read: field('rchar'), written: field('wchar') }
}

const between = (before: Moved, now: Moved): Moved => ({
  read: now.read - before.read,
  written: now.written - before.written,
})

const POLLS = 6_000
/** Size of the young generation (lean-process.cjs), which is collected when full. */
const YOUNG_BYTES = 4 * 1024 * 1024

/** About 26,000, of which Kysely takes at least 5,000, give or take what else happens in the process meanwhile. */
test('a poll allocates little memory', async () => {
  await using service = await started('garbage')
  const client = await service.client()
  const id = await client.submission()
  const jobId = String((await client.get(`/v1/submissions/${id}`)).json['job_id'])
  await poll(service.process.base, `/v1/intake/jobs/${jobId}`, POLLS)
  const before = await collections(service.process.metricsUrl)
  await poll(service.process.base, `/v1/intake/jobs/${jobId}`, POLLS)
  const perPoll = (((await collections(service.process.metricsUrl)) - before) * YOUNG_BYTES) / POLLS
  assert.ok(perPoll > 100 && perPoll < 35_000, `about ${perPoll.toFixed(0)} bytes for each poll`)
})

async function started(name: string, settings: Readonly<Record<string, string>> = {}) {
  const dataFolder = join(folder, name)
  const process = await serviceProcess({ KITSEAL_DATA: dataFolder, KITSEAL_LOG_LEVEL: 'error', ...settings })
  return {
    process,
    client: async () => workspaceClient({ dataFolder, call: checkedClient(process.base) }, { credits: 100 }),
    [Symbol.asyncDispose]: async () => void (await process.end('SIGTERM')),
  }
}

async function submit(client: WorkspaceClient, content: string | Uint8Array): Promise<string> {
  const id = await client.submission()
  assert.equal((await client.upload(id, form({ 'evidence.txt': content }))).status, 202)
  assert.equal((await client.ended(id))['status'], 'PASS')
  return id
}

/** Traces the system calls of every thread of a process. */
async function traced(pid: number, file: string, work: () => Promise<void>): Promise<string> {
  const args = ['-f', '-y', '-ttt', '-p', String(pid), '-e', 'trace=fsync,fdatasync', '-o', file]
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  await once(tracer.stderr, 'data')
  await work()
  const ended = once(tracer, 'exit')
  tracer.kill('SIGINT')
  await ended
  return readFileSync(file, 'utf8')
}

async function collections(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  return Number(/gc_duration_seconds_count\{kind="minor"\} (\d+)/.exec(text)?.[1] ?? Number.NaN)
}

/** Sends requests one after the other on one connection. */
async function poll(base: string, path: string, count: number): Promise<void> {
  const socket = connect({ port: Number(new URL(base).port), host: '127.0.0.1' })
  const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
  let answered = 0
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      if (!chunk.toString('latin1').startsWith('HTTP/1.1 200')) reject(new Error(chunk.toString()))
      answered += 1
      if (answered === count) resolve()
      else socket.write(request)
    })
    socket.write(request)
  })
  socket.destroy()
}

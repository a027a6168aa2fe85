import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Evidence, trustKeys } from '@kitseal/client'
import { fileSink } from '@kitseal/client/node'
import { keyForLarge } from './upload/workspace.ts'
import { startKitseal } from './service/processes.ts'

/**
 * `npm run bench:large [-- GIB]`: evidence of 5 GiB, uploaded over a connection that is cut ten times, sealed,
 * downloaded and verified. Compared with copying and hashing the kit. Needs disk space for the evidence three times.
 */

const GIB = 1024 ** 3
const CUTS = 10
const sizeBytes = Number(process.argv[2] ?? '5') * GIB
if (!Number.isSafeInteger(sizeBytes) || sizeBytes <= 0) throw new Error('usage: npm run bench:large [-- GIB]')

const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
try {
  const data = join(folder, 'data')
  await using service = await startKitseal(data)
  const apiKey = await keyForLarge(data, sizeBytes)
  await using proxy = await cuttingProxy(service.base, sizeBytes / (CUTS + 2))
  const client = createClient({ baseUrl: proxy.base, apiKey, retry: { baseMs: 100 } })
  const { submission_id } = await client.createSubmission({ label: 'large' })

  await timed('uploaded, with ten cuts', () => client.uploadEvidence(submission_id, [lines(sizeBytes)]))
  if (proxy.cuts() !== CUTS) throw new Error(`the connection was cut ${proxy.cuts()} times`)
  const result = await timed('examined, sealed and verified', () => client.waitForResult(submission_id))
  if (result.status !== 'PASS') throw new Error(JSON.stringify(result.blockers))
  const path = join(folder, 'kit.zip')
  const trust = trustKeys(await client.getKeys())
  await timed('downloaded and verified', () =>
    client.downloadKit(result.kit_id ?? '', { trust, into: fileSink(path) }),
  )
  const { peakMb, writtenMb } = usageOf(service.pid)
  const size = `The kit has ${megabytes((await stat(path)).size)} MB. The service wrote ${writtenMb} MB`
  const memory = `used at most ${peakMb} MB of memory; the client ${usageOf(process.pid).peakMb} MB`
  console.log(`${size}, took ${service.processorSeconds().toFixed(0)} s of CPU time, and ${memory}.`)
  const copy = join(folder, 'copy.zip')
  await timed('cp and sha256sum of the kit', async () => {
    execFileSync('cp', [path, copy])
    execFileSync('sha256sum', [copy])
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const done = await work()
  const seconds = (performance.now() - started) / 1000
  console.log(`${what}: ${seconds.toFixed(0)} s, ${(sizeBytes / 1e6 / seconds).toFixed(0)} MB/s`)
  return done
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6)
}

/** As the kernel counts it. Writes to sockets are not included. */
function usageOf(pid: number) {
  const read = (file: string, member: string): number =>
    Number(new RegExp(`^${member}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1])
  return {
    peakMb: megabytes(read('status', 'VmHWM') * 1024),
    writtenMb: megabytes(read('io', 'write_bytes')),
  }
}

/** A log of any size that is generated as it is read. */
function lines(length: number): Evidence {
  const block = Buffer.from('2026-07-01T00:00:00.000Z one line of a log, like any other\n'.repeat(16_384))
  async function* readFrom(start: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < length;) {
      const offset = at % block.length
      const piece = block.subarray(offset, offset + Math.min(256 * 1024, block.length - offset, length - at))
      at += piece.length
      yield piece
    }
  }
  return { name: 'large.log', sizeBytes: length, read: () => readFrom(0), readFrom, resumeKey: 'generated' }
}

/** Cuts the connection after every `everyBytes`. */
async function cuttingProxy(target: string, everyBytes: number) {
  const { hostname, port } = new URL(target)
  const state = { cuts: 0, passed: 0 }
  const server = createServer((socket) => {
    const upstream = connect(Number(port), hostname)
    const end = (): void => {
      socket.destroy()
      upstream.destroy()
    }
    for (const one of [socket, upstream]) one.on('error', () => {}).on('close', end)
    upstream.pipe(socket)
    socket.pipe(upstream)
    socket.on('data', (bytes) => {
      state.passed += bytes.length
      if (state.cuts >= CUTS || state.passed < everyBytes * (state.cuts + 1)) return
      state.cuts += 1
      end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    base: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    cuts: () => state.cuts,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

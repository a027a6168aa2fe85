import assert from 'node:assert/strict'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { once } from 'node:events'
import { zipOf } from '../test/evidence-samples.ts'
import { codes, evidenceStore } from '../../server/test/evidence-store.ts'
import { clamavScanner } from './clamav.ts'

let store: Awaited<ReturnType<typeof evidenceStore>>
before(async () => void (store = await evidenceStore()))
after(() => store[Symbol.asyncDispose]())

/** Speaks clamd's protocol: IDSESSION, INSTREAM with its limit, END. It finds the word BAD. */
function daemon(limitBytes: number): Server {
  return createServer((socket) => {
    socket.on('error', () => undefined)
    void serve(socket, limitBytes)
  })
}

async function serve(socket: Socket, limitBytes: number): Promise<void> {
  let held = Buffer.alloc(0)
  const chunks = socket[Symbol.asyncIterator]()
  const take = async (length: number): Promise<Buffer> => {
    while (held.length < length) {
      const { value, done } = await chunks.next()
      if (done) throw new Error('closed')
      held = Buffer.concat([held, value])
    }
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    return taken
  }
  const command = async (): Promise<string> => {
    let text = ''
    for (;;) {
      const byte = (await take(1)).toString('latin1')
      if (byte === '\0') return text
      text += byte
    }
  }
  try {
    assert.equal(await command(), 'zIDSESSION')
    for (let id = 1; (await command()) === 'zINSTREAM'; id++) {
      const parts: Buffer[] = []
      for (;;) {
        const length = (await take(4)).readUInt32BE()
        if (length === 0) break
        parts.push(await take(length))
        if (Buffer.concat(parts).length > limitBytes) {
          socket.end('INSTREAM size limit exceeded. ERROR\0')
          return
        }
      }
      const bad = Buffer.concat(parts).includes('BAD')
      socket.write(`${id}: stream: ${bad ? 'Test.Bad-1 FOUND' : 'OK'}\0`)
    }
    socket.end()
  } catch {
    socket.destroy()
  }
}

async function withDaemon<T>(
  limitBytes: number,
  use: (address: string) => Promise<T>,
  tcp = false,
): Promise<T> {
  const server = daemon(limitBytes)
  const path = join(store.folder, `clamd-${limitBytes}.sock`)
  server.listen(tcp ? { port: 0, host: '127.0.0.1' } : { path })
  await once(server, 'listening')
  const place = server.address()
  try {
    return await use(typeof place === 'object' && place !== null ? `127.0.0.1:${place.port}` : path)
  } finally {
    server.close()
  }
}

const FILES = { 'a.txt': 'fine', 'e.zip': zipOf({ 'b.txt': 'this is BAD', 'c.txt': 'fine too' }) }

test('what the scanner finds is a blocker that names it; every file in an archive is scanned by itself', async () => {
  for (const tcp of [false, true]) {
    const examine = (address: string) => store.examine(FILES, { scanner: clamavScanner({ address }) })
    const examination = await withDaemon(1000, examine, tcp)
    assert.deepEqual(codes(examination), ['virus_found e.zip/b.txt'])
    assert.match(examination.blockers[0]?.message ?? '', /Test\.Bad-1/)
  }
})

test('files that the scanner finds clean pass, and the report says that they were scanned', async () => {
  const examination = await withDaemon(1001, (address) =>
    store.examine({ 'a.txt': 'fine' }, { scanner: clamavScanner({ address }) }),
  )
  assert.deepEqual(codes(examination), [])
  assert.equal(
    (examination.intakeReport as Record<string, unknown>)['virus_scanner'],
    'each file was scanned',
  )
})

test('a file that is too large for the scanner is refused, and the next one is scanned all the same', async () => {
  const files = { 'a.txt': 'x'.repeat(500_000), 'b.txt': 'BAD', 'c.txt': 'fine' }
  const examine = (address: string) => store.examine(files, { scanner: clamavScanner({ address }) })
  const examination = await withDaemon(1002, examine)
  assert.deepEqual(codes(examination), ['scan_failed a.txt', 'virus_found b.txt'])
})

test('where the scanner cannot be reached, nothing passes, and nobody is told where it should be', async () => {
  const address = join(store.folder, 'nobody-here.sock')
  const examination = await store.examine(FILES, { scanner: clamavScanner({ address }) })
  assert.deepEqual(codes(examination), [
    'scan_failed a.txt',
    'scan_failed e.zip/b.txt',
    'scan_failed e.zip/c.txt',
  ])
  assert.ok(!JSON.stringify(examination.blockers).includes('nobody-here'))
})

test('a scanner that says nothing is given up', async () => {
  const server = createServer((socket) => void socket.on('error', () => undefined).resume())
  const path = join(store.folder, 'silent.sock')
  server.listen({ path })
  await once(server, 'listening')
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  const scanner = clamavScanner({ address: path, silenceMs: 30 })
  assert.deepEqual(codes(await store.examine({ 'a.txt': 'a' }, { scanner })), ['scan_failed a.txt'])
  for (const socket of sockets) socket.destroy()
  server.close()
})

import assert from 'node:assert/strict'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { once } from 'node:events'
import { zipOf } from '../test/evidence-samples.ts'
import { codes, examine } from '../test/examine.ts'
import { tempFolder } from '../test/temp-folder.ts'
import { clamavScanner } from './clamav.ts'

const folder = tempFolder()

/** A clamd stand-in: IDSESSION, INSTREAM with a size limit, END. It finds the word BAD. */
function daemon(limitBytes: number): Server {
  return createServer((socket) => {
    socket.on('error', () => undefined)
    void serve(socket, limitBytes)
  })
}

async function serve(socket: Socket, limitBytes: number): Promise<void> {
  let buffer = Buffer.alloc(0)
  const chunks = socket[Symbol.asyncIterator]()
  const take = async (length: number): Promise<Buffer> => {
    while (buffer.length < length) {
      const { value, done } = await chunks.next()
      if (done) throw new Error('closed')
      buffer = Buffer.concat([buffer, value])
    }
    const taken = buffer.subarray(0, length)
    buffer = buffer.subarray(length)
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
  const path = join(folder, `clamd-${limitBytes}.sock`)
  server.listen(tcp ? { port: 0, host: '127.0.0.1' } : { path })
  await once(server, 'listening')
  const bound = server.address()
  try {
    return await use(typeof bound === 'object' && bound !== null ? `127.0.0.1:${bound.port}` : path)
  } finally {
    server.close()
  }
}

const FILES = { 'a.txt': 'fine', 'e.zip': zipOf({ 'b.txt': 'this is BAD', 'c.txt': 'fine too' }) }

test('malware is a blocker that names the signature; files in archives are scanned one by one', async () => {
  for (const tcp of [false, true]) {
    const scanAt = (address: string) => examine(FILES, { scanner: clamavScanner({ address }) })
    const examination = await withDaemon(1000, scanAt, tcp)
    assert.deepEqual(codes(examination), ['virus_found e.zip/b.txt'])
    assert.match(examination.blockers[0]?.message ?? '', /Test\.Bad-1/)
  }
})

test('clean files are accepted, and the report says that they were scanned', async () => {
  const examination = await withDaemon(1001, (address) =>
    examine({ 'a.txt': 'fine' }, { scanner: clamavScanner({ address }) }),
  )
  assert.deepEqual(codes(examination), [])
  assert.equal(
    (examination.intakeReport as Record<string, unknown>)['virus_scanner'],
    'each file was scanned',
  )
})

test('a file that is too large for the scanner is rejected, and the next one is still scanned', async () => {
  const files = { 'a.txt': 'x'.repeat(500_000), 'b.txt': 'BAD', 'c.txt': 'fine' }
  const scanAt = (address: string) => examine(files, { scanner: clamavScanner({ address }) })
  const examination = await withDaemon(1002, scanAt)
  assert.deepEqual(codes(examination), ['scan_failed a.txt', 'virus_found b.txt'])
})

test('without a reachable scanner nothing is accepted, and its address is not revealed', async () => {
  const address = join(folder, 'nobody-here.sock')
  const examination = await examine(FILES, { scanner: clamavScanner({ address }) })
  assert.deepEqual(codes(examination), [
    'scan_failed a.txt',
    'scan_failed e.zip/b.txt',
    'scan_failed e.zip/c.txt',
  ])
  assert.ok(!JSON.stringify(examination.blockers).includes('nobody-here'))
})

test('a scanner that does not respond times out', async () => {
  const server = createServer((socket) => void socket.on('error', () => undefined).resume())
  const path = join(folder, 'silent.sock')
  server.listen({ path })
  await once(server, 'listening')
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  const scanner = clamavScanner({ address: path, timeoutMs: 30 })
  assert.deepEqual(codes(await examine({ 'a.txt': 'a' }, { scanner })), ['scan_failed a.txt'])
  for (const socket of sockets) socket.destroy()
  server.close()
})

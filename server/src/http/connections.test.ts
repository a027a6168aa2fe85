import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { closeStalledResponses } from './connections.ts'

const TIMEOUT_MS = 200
/** Long enough for a client on a busy machine. */
const LONG_TIMEOUT_MS = 3000
const PIECE = Buffer.alloc(1024 * 1024)

test('the connection of a client that stops reading is closed', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield PIECE
    })(),
  )
  await using server = await serving((_request, response) => endless.pipe(response))
  const response = await get(server.port)
  response.on('error', () => {})
  assert.equal((await server.closed).destroyed, true)
  response.destroy()
})

test('a response that the service is slow to produce is not closed', async () => {
  await using server = await serving((_request, response) => {
    setTimeout(() => response.write('late '), 3 * TIMEOUT_MS)
    setTimeout(() => response.end('and still'), 6 * TIMEOUT_MS)
  })
  assert.equal(await text(await get(server.port)), 'late and still')
})

test('a client that reads slowly gets the whole response', async () => {
  await using server = await serving((_request, response) => {
    response.end(Buffer.alloc(12 * PIECE.length))
  }, LONG_TIMEOUT_MS)
  let bytes = 0
  for await (const piece of await get(server.port)) {
    bytes += piece.length
    if (bytes % PIECE.length < piece.length) await pause(LONG_TIMEOUT_MS / 10)
  }
  assert.equal(bytes, 12 * PIECE.length)
})

async function serving(handler: RequestListener, timeoutMs = TIMEOUT_MS) {
  const server = createServer(handler)
  closeStalledResponses(server, timeoutMs)
  const { promise: closed, resolve } = Promise.withResolvers<Socket>()
  server.on('connection', (socket) => socket.once('close', () => resolve(socket)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    closed,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function get(port: number): Promise<IncomingMessage> {
  const outgoing = request({ port, host: '127.0.0.1', agent: false }).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return response
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { cutStalledAnswers } from './stalled-answers.ts'

const PATIENCE_MS = 200
/** Long enough for a client that has to wait for the processor. */
const SLOW_PATIENCE_MS = 3000
const PIECE = Buffer.alloc(1024 * 1024)

test('a client that takes nothing of its answer is cut off', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield PIECE
    })(),
  )
  await using server = await serving((_request, response) => endless.pipe(response))
  const response = await ask(server.port)
  response.on('error', () => {})
  assert.equal((await server.cut).destroyed, true)
  response.destroy()
})

test('an answer that is long in the making, or still, is none that nobody takes', async () => {
  await using server = await serving((_request, response) => {
    setTimeout(() => response.write('late '), 3 * PATIENCE_MS)
    setTimeout(() => response.end('and still'), 6 * PATIENCE_MS)
  })
  assert.equal(await text(await ask(server.port)), 'late and still')
})

test('a client that takes its answer slowly gets all of it', async () => {
  await using server = await serving((_request, response) => {
    response.end(Buffer.alloc(12 * PIECE.length))
  }, SLOW_PATIENCE_MS)
  let bytes = 0
  for await (const piece of await ask(server.port)) {
    bytes += piece.length
    if (bytes % PIECE.length < piece.length) await pause(SLOW_PATIENCE_MS / 10)
  }
  assert.equal(bytes, 12 * PIECE.length)
})

async function serving(answer: RequestListener, patienceMs = PATIENCE_MS) {
  const server = createServer(answer)
  cutStalledAnswers(server, patienceMs)
  const { promise: cut, resolve } = Promise.withResolvers<Socket>()
  server.on('connection', (socket) => socket.once('close', () => resolve(socket)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function ask(port: number): Promise<IncomingMessage> {
  const asking = request({ port, host: '127.0.0.1', agent: false }).end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  return response
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readBody } from './read-body.ts'

const ROOMY = { isLow: () => false }

test('the body of a request whose client has left is an error at once, not after the idle timeout', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    client.write('PATCH / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\npart')
    const [request] = (await once(server, 'request')) as [IncomingMessage]
    request.on('error', () => {})
    const closed = once(request, 'close')
    client.destroy()
    await closed.catch(() => {})
    using body = readBody(request, { idleMs: 3_600_000, space: ROOMY })
    await assert.rejects(body.chunks[Symbol.asyncIterator]().next(), /closed before the upload was complete/)
  } finally {
    server.close()
  }
})

test('a body slower than 1 KB a second is refused, and one that the service reads slowly is not', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const read = async (bytesEach: number, restMs: number) => {
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
      client.write('PATCH / HTTP/1.1\r\nhost: a\r\ncontent-length: 20000\r\n\r\n')
      let left = 20_000
      const sending = setInterval(() => {
        if ((left -= bytesEach) >= 0) client.write('a'.repeat(bytesEach))
      }, 20)
      const [request] = (await once(server, 'request')) as [IncomingMessage]
      request.on('error', () => {})
      try {
        using body = readBody(request, { idleMs: 3_600_000, space: ROOMY, slowMs: 200 })
        for await (const _ of body.chunks) await sleep(restMs)
      } finally {
        clearInterval(sending)
        client.destroy()
      }
    }
    await assert.rejects(read(1, 0), /slower than 1 KB a second/)
    await read(1000, 30)
  } finally {
    server.close()
  }
})

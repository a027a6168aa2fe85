import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { readBody } from './read-body.ts'

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
    using body = readBody(request, 3_600_000)
    await assert.rejects(body.chunks[Symbol.asyncIterator]().next(), /closed before the upload was complete/)
  } finally {
    server.close()
  }
})

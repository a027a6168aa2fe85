import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { main } from '../../../cli/src/main.ts'

test('commands send the traceparent of the environment, and nothing else that is in TRACEPARENT', async () => {
  const received: unknown[] = []
  const server = createServer(({ headers }, response) => {
    received.push(headers['traceparent'])
    response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const nowhere = { write: () => undefined }
  const run = (TRACEPARENT: string) =>
    main(['get', 'sub_x'], {
      env: { HOME: '/nonexistent', KITSEAL_URL: url, KITSEAL_API_KEY: 'ks_x', TRACEPARENT },
      stdout: nowhere,
      stderr: nowhere,
    })
  try {
    const valid = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    await run(valid)
    await run('not a traceparent')
    assert.deepEqual(received, [valid, undefined])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { parseVkey } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { askAll, EXPECTED } from '../../test/litewitness-session.ts'
import { RECORDED, type Recorded } from '../../test/recorded-litewitness.ts'

test('the service sends litewitness the recorded requests and understands each recorded reply', async () => {
  const { now, vkey, replies } = JSON.parse(readFileSync(RECORDED, 'utf8')) as Recorded
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    requests.push(Buffer.concat(await request.toArray()).toString())
    const { status, type, body } = replies[requests.length - 1] ?? { status: 500, type: '', body: '' }
    response.writeHead(status, { 'content-type': type }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    assert.deepEqual(await askAll(url, parseVkey(vkey, nodeHost.digest), now), EXPECTED)
    assert.deepEqual(
      requests,
      replies.map(({ request }) => request),
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

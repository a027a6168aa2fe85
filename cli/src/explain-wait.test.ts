import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { explainWait, frozenReason } from './explain-wait.ts'

/** A service with this readiness. */
async function serviceWith(t: TestContext, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(503).end(body)).listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('a submitter who waits for a frozen log is told why', async (t) => {
  const message = 'Not ready: log (frozen: the database was restored from a backup of 2026-01-01).'
  const url = await serviceWith(t, JSON.stringify({ message }))
  const { promise, resolve } = Promise.withResolvers<string>()
  using wait = explainWait(url, resolve, 0)
  assert.ok(wait)
  assert.match(
    await promise,
    /^No kits are issued at the moment: the database was restored from a backup of 2026-01-01\. The evidence is stored/,
  )
})

test('a service that is not ready for another reason is not called frozen', async (t) => {
  const { signal } = new AbortController()
  for (const body of ['{"status":"ready"}', '{"message":"Not ready: objects."}', '{"message":7}', '[]'])
    assert.equal(await frozenReason(await serviceWith(t, body), signal), undefined, body)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { testService } from '../../kit/service.ts'

test('a connection that never sent anything does not delay shutdown', async () => {
  const service = await testService()
  // No timeout of the HTTP server closes the connection instead.
  Object.assign(service.service.app.server, { headersTimeout: 0, requestTimeout: 0 })
  const { hostname, port } = new URL(service.base)
  const silent = connect(Number(port), hostname)
  silent.on('error', () => undefined)
  await once(silent, 'connect')
  // Once a later connection is answered, the service has accepted this one too.
  await service.call('/healthz')
  const closed = once(silent, 'close')
  await service[Symbol.asyncDispose]()
  await closed
  assert.ok(silent.destroyed)
})

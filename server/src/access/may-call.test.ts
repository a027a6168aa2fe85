import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { lookUpAccess } from './may-call.ts'
import { readScopes, writeScopes } from '../http/caller.ts'

test('a route of the API or the console without a row is not served', () => {
  const app = Fastify()
  lookUpAccess(app)
  assert.throws(
    () => app.get('/v1/unknown', async () => ({})),
    /GET \/v1\/unknown does not say who may call it/,
  )
  assert.throws(() => app.delete('/v1/submissions', async () => ({})), /does not say who may call it/)
  assert.throws(() => app.get('/console/api/unknown', async () => ({})), /does not say who may call it/)
  const config = { access: { scope: 'read', role: 'viewer' } } as const
  assert.doesNotThrow(() => app.get('/v1/known', { config }, async () => ({})))
  assert.doesNotThrow(() => app.get('/docs', async () => ({})))
})

test('unknown scopes in the database grant nothing', () => {
  assert.deepEqual(readScopes('read everything'), ['read'])
  assert.deepEqual(readScopes(''), [])
  assert.equal(writeScopes(['read', 'submit', 'read']), 'submit read')
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { OPERATIONS } from '../src/api-types.generated.ts'
import { createClient } from '../src/index.ts'
import { apiTypes, GENERATED, root } from './api-types.ts'

/** Operations for operators and tools, the steps of `uploadFile`, and what `getDeliverable` does too. */
const NOT_FOR_CLIENTS = [
  'getLogCheckpoint',
  'getLogTile',
  'getLogPolicy',
  'getReport',
  'getWebhookKeys',
  'getOpenApi',
  'getHealth',
  'getReadiness',
  'createUpload',
  'getUpload',
  'appendToUpload',
]

test('api-types.generated.ts is up to date (node client/test/write-api-types.ts)', () => {
  assert.ok(readFileSync(new URL(GENERATED, root), 'utf8') === apiTypes(), `${GENERATED} is stale`)
})

test('every operation of the API has a client method of the same name', () => {
  const methods = Object.keys(createClient({ baseUrl: 'http://127.0.0.1:1' }))
  const missing = Object.keys(OPERATIONS).filter((name) => !methods.includes(name))
  assert.deepEqual(missing, NOT_FOR_CLIENTS)
})

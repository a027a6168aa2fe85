import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPERATIONS } from '../src/api-types.generated.ts'
import { createClient } from '../src/index.ts'

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

test('every operation of the API has a client method of the same name', () => {
  const methods = Object.keys(createClient({ baseUrl: 'http://127.0.0.1:1' }))
  const missing = Object.keys(OPERATIONS).filter((name) => !methods.includes(name))
  assert.deepEqual(missing, NOT_FOR_CLIENTS)
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { OPERATIONS } from '../src/api-types.generated.ts'
import { createClient } from '../src/index.ts'
import { apiTypes, GENERATED, root } from './api-types.ts'

/** What an operator or a tool asks for, and no program that submits or verifies. */
const NOT_FOR_CLIENTS = ['getOpenApi', 'getHealth', 'getReadiness', 'getMetrics']

test('the types are those of the description (node client/test/write-api-types.ts writes them)', () => {
  assert.ok(readFileSync(new URL(GENERATED, root), 'utf8') === apiTypes(), `${GENERATED} is not fresh`)
})

test('every operation of the service has a method of its own name', () => {
  const methods = Object.keys(createClient({ baseUrl: 'http://127.0.0.1:1' }))
  const missing = Object.keys(OPERATIONS).filter((name) => !methods.includes(name))
  assert.deepEqual(missing, NOT_FOR_CLIENTS)
})

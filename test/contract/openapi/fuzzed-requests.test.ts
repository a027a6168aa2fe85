import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BEFORE_ROUTING, openapi, type Operation, operations, type Schema } from '../../kit/openapi.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

/** Why a response is not as described, or undefined. */
function undeclared(
  { responses, ...operation }: Operation,
  status: number,
  code: unknown,
): string | undefined {
  if (status < 400) return responses[status] === undefined ? `status ${status}` : undefined
  if (BEFORE_ROUTING.includes(String(code))) return undefined
  if (responses[status] === undefined) return `status ${status}, code ${String(code)}`
  return (operation['x-error-codes'] as readonly unknown[]).includes(code)
    ? undefined
    : `code ${String(code)}`
}

test('a status or a code that is not described is found', () => {
  const operation = operations.find((each) => each.operation.operationId === 'getSubmission')?.operation
  assert.ok(operation !== undefined)
  assert.equal(undeclared(operation, 200, undefined), undefined)
  assert.equal(undeclared(operation, 404, 'submission_not_found'), undefined)
  assert.equal(undeclared(operation, 201, undefined), 'status 201')
  assert.equal(undeclared(operation, 404, 'kit_not_found'), 'code kit_not_found')
  assert.equal(undeclared(operation, 418, 'teapot'), 'status 418, code teapot')
  assert.equal(undeclared(operation, 500, 'internal_error'), 'status 500, code internal_error')
})

let service: TestService
let acme: WorkspaceClient
/** What exists, by the name of the parameter. */
const known: Record<string, string> = {}
before(async () => {
  service = await testService()
  acme = await workspaceClient(service, { credits: 500 })
  const id = await acme.submission({ series: 'quarterly' })
  await acme.upload(id, form({ 'a.txt': 'A note.\n' }))
  const { kit_id, job_id } = await acme.ended(id)
  Object.assign(known, { submission_id: id, kit_id, job_id, series: 'quarterly', profile: 'default' })
})
after(() => service[Symbol.asyncDispose]())

/** Mulberry32: the same requests in each run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const draw = random(20_260_301)
const pick = <T>(values: readonly T[]): T => values[Math.floor(draw() * values.length)] as T
const STRANGE = [
  '',
  '0',
  'null',
  'sub_',
  '..%2F..',
  '%00',
  'a'.repeat(300),
  'größe',
  '💥',
  "' or 1=1 --",
  '-1',
  'é\u0301',
]
const VALUES = [
  null,
  true,
  -1,
  0,
  1.5,
  9e15,
  '',
  'x',
  '2026-01-01',
  [],
  {},
  ['x'],
  { a: null },
  'a'.repeat(2000),
]

/** A value that roughly matches a schema, or does not. */
function valueFor(schema: Schema | undefined, depth = 0): unknown {
  if (schema === undefined || depth > 4 || draw() < 0.15) return pick(VALUES)
  const { $ref, properties, required = [], items } = schema
  if ($ref !== undefined) return valueFor(openapi.components.schemas[$ref.split('/').at(-1) ?? ''], depth)
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties).flatMap(([name, member]) =>
        draw() < (required.includes(name) ? 0.95 : 0.4) ? [[name, valueFor(member, depth + 1)]] : [],
      ),
    )
  if (items !== undefined) return [valueFor(items, depth + 1)]
  return pick(schema.enum ?? VALUES)
}

function requestFor(path: string, method: string, { parameters = [], requestBody }: Operation) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(draw() < 0.5 ? (known[name] ?? 'unknown') : pick(STRANGE) || 'x'),
  )
  const query = parameters
    .filter((each) => each.in === 'query' && draw() < 0.4)
    .map(({ name }) => `${name}=${encodeURIComponent(pick(STRANGE))}`)
  if (draw() < 0.1) query.push('surprise=1')
  const headers: Record<string, string> = {}
  const key = draw()
  if (key < 0.8) headers['x-api-key'] = acme.key
  else if (key < 0.9) headers['x-api-key'] = 'ks_wrong'
  if (draw() < 0.1) headers['idempotency-key'] = pick(['once', 'not visible', 'a'.repeat(300)])
  const json = requestBody?.content?.['application/json']
  const body = json === undefined ? pick(['', '{}', 'x']) : JSON.stringify(valueFor(json.schema))
  if (method === 'GET') return { path: filled, query, init: { method, headers } }
  headers['content-type'] = pick([
    ...Array<string>(6).fill('application/json'),
    'text/plain',
    'a/b',
    ...Object.keys(requestBody?.content ?? {}),
  ])
  return {
    path: filled,
    query,
    init: { method, headers, body: draw() < 0.1 ? pick(['{', '[]', '"x"']) : body },
  }
}

const ROUNDS = 2
test('fuzzed requests get only described statuses and codes', async () => {
  const found = new Set<string>()
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { path, method, operation } of operations) {
      if (operation.operationId === 'streamEvents') continue
      const request = requestFor(path, method, operation)
      const target = `${request.path}${request.query.length === 0 ? '' : `?${request.query.join('&')}`}`
      const { status, json } = await service.call(target, { ...request.init, redirect: 'manual' })
      const problem = undeclared(operation, status, json['code'])
      if (problem !== undefined) found.add(`${method} ${path} (${operation.operationId}): ${problem}`)
    }
  assert.deepEqual([...found].toSorted(), [])
})

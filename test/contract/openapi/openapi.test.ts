import assert from 'node:assert/strict'
import { STATUS_CODES } from 'node:http'
import { test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { openapi, type OpenApi, operations, phrases } from '../../kit/openapi.ts'
import { testService } from '../../kit/service.ts'

const all = operations.map(({ operation }) => operation)
const ajv = new Ajv2020({ strict: false, validateSchema: false })
formats.default(ajv)
ajv.addSchema({ $id: 'openapi', ...openapi })

/** Every schema refers to components of the document. */
function validates(schema: object, value: unknown): boolean {
  const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/')
  const compiled = validators.get(text) ?? ajv.compile(JSON.parse(text) as object)
  validators.set(text, compiled)
  return compiled(value)
}

const validators = new Map<string, ValidateFunction>()

const isText = (mediaType: string): boolean => /json$|text\/|form/.test(mediaType)

test('every operation has a description, a curl command and an example of each path parameter', () => {
  for (const { operationId, description = '', parameters = [], ...operation } of all) {
    assert.ok(description.length > 10, operationId)
    assert.match(operation['x-codeSamples'][0]?.source ?? '', /^curl /, operationId)
    for (const { in: place, example } of parameters)
      if (place === 'path') assert.equal(typeof example, 'string', operationId)
  }
})

test('every body and response that is JSON has an example, and it matches the schema', () => {
  for (const { operationId, requestBody, responses } of all) {
    const bodies = Object.entries(requestBody?.content ?? {}).filter(([type]) => isText(type))
    const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
    const answers = Object.entries(success?.[1].content ?? {}).slice(0, 1)
    for (const [type, { schema, example }] of [...bodies, ...answers]) {
      if (!isText(type) || operationId === 'getDeliverable' || operationId === 'getReport') continue
      assert.notEqual(example, undefined, `${operationId} ${type}`)
      if (type === 'application/json')
        assert.ok(
          validates(schema, example),
          `${operationId}: example-responses.json does not fit its schema`,
        )
    }
  }
  const event = openapi.webhooks['submission.passed']?.['post']?.requestBody?.content?.['application/json']
  assert.ok(event !== undefined && validates(event.schema, event.example))
  assert.ok(!validates({ $ref: '#/components/schemas/Receipt' }, { receipt_version: 1 }))
})

test('the code of an error is one of the table, and every documented code has an example', () => {
  assert.deepEqual(openapi.components.schemas['ErrorCode']?.enum?.toSorted(), [...phrases.keys()].toSorted())
  const schema = { $ref: '#/components/schemas/ErrorResponse' }
  for (const [name, { content }] of Object.entries(openapi.components.responses)) {
    const examples = Object.entries(content?.['application/json']?.examples ?? {})
    assert.ok(examples.length > 0, name)
    for (const [code, { value }] of examples) assert.ok(validates(schema, value), code)
  }
  const error = { error: 'Bad Request', code: 'no_such_code', message: 'x', request_id: 'req_1' }
  assert.ok(!validates(schema, error))
})

test('a schema that is used twice is a component', () => {
  const seen = new Set<string>()
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return
    if ('properties' in value && 'required' in value) {
      const text = JSON.stringify(value)
      assert.ok(text.length < 400 || !seen.has(text), text)
      seen.add(text)
    }
    for (const member of Object.values(value)) visit(member)
  }
  visit(openapi.paths)
  visit(openapi.components.schemas)
})

test('the description is also served in parts by group, none over 300 KB, which refer only to what they contain', async () => {
  await using service = await testService()
  const { tags } = (await service.call('/openapi.json')).json as {
    tags: readonly { readonly name: string }[]
  }
  const inParts: string[] = []
  for (const { name } of tags) {
    const { status, bytes, json } = await service.call(`/openapi/${name.toLowerCase()}.json`)
    assert.equal(status, 200, name)
    assert.ok(bytes.length < 300_000, `${name}: ${bytes.length}`)
    const part = json as unknown as OpenApi
    for (const [, kind = '', named = ''] of bytes.toString().matchAll(/#\/components\/(\w+)\/([^"/]+)"/g))
      assert.ok(
        (part.components as unknown as Record<string, object>)[kind]?.[named as never],
        `${name}: ${named}`,
      )
    inParts.push(
      ...Object.values(part.paths).flatMap((item) => Object.values(item).map((each) => each.operationId)),
    )
  }
  assert.deepEqual(inParts.toSorted(), all.map(({ operationId }) => operationId).toSorted())
  assert.equal((await service.call('/openapi/none.json')).status, 404)
  assert.equal((await service.call('/openapi/Submissions.json')).status, 404)
})

/** The tus protocol adds one. */
const statusOf = new Map(
  Object.entries({ ...STATUS_CODES, 460: 'Checksum Mismatch' }).map(([status, phrase]) => [phrase, status]),
)

test('every declared error has a code, and every code of an operation has a declared status', () => {
  for (const { operationId, responses, 'x-error-codes': codes } of all) {
    const declared = Object.keys(responses).filter((status) => Number(status) >= 400)
    const statuses = new Set(codes.map((code) => statusOf.get(phrases.get(code) ?? '')))
    assert.deepEqual([...statuses].toSorted(), declared.toSorted(), operationId)
  }
})

test('openapi.json names the issuer as its server, and is sent again only if it has changed', async () => {
  await using service = await testService({ KITSEAL_ISSUER: 'https://evidence.example/kits/' })
  const asked = (headers: Record<string, string>) =>
    service.call('/openapi.json', { headers: { 'accept-encoding': 'identity', ...headers } })
  const first = await asked({})
  const etag = first.headers.get('etag') ?? ''
  assert.match(etag, /^"[\w-]{43}"$/)
  const [server] = first.json['servers'] as readonly { readonly url: string }[]
  assert.equal(server?.url, 'https://evidence.example/kits')
  const again = await asked({ 'if-none-match': etag })
  assert.deepEqual([again.status, again.bytes.length, again.headers.get('etag')], [304, 0, etag])
  assert.equal((await asked({ 'if-none-match': '"other"' })).status, 200)
  assert.equal((await asked({ 'if-match': '"other"' })).status, 412)
  const schema = await service.call('/schemas/Receipt.json')
  const headers = { 'if-none-match': schema.headers.get('etag') ?? '' }
  assert.equal((await service.call('/schemas/Receipt.json', { headers })).status, 304)
})

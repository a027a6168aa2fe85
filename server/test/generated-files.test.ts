import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { LONG_BOUNDARY } from '@kitseal/kit/internal'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { CONSOLE_RESPONSES } from '../src/site/response-schemas.ts'
import { NAMED_SCHEMAS } from '../src/site/schemas.ts'
import { generatedFiles, root } from './generated-files.ts'
import { testService } from '../../test/kit/service.ts'

const CONTRACT: Readonly<Record<string, readonly string[]>> = {
  '/.well-known/jwks.json': ['get'],
  '/v1/intake/jobs': ['post'],
  '/v1/intake/jobs/{job_id}': ['get'],
  '/v1/kits/{kit_id}/manifest': ['get'],
  '/v1/kits/{kit_id}/receipt': ['get'],
  '/v1/kits/{kit_id}/download': ['get'],
  '/v1/verify/receipt': ['post'],
}

test('generated files are up to date (run node server/test/write-generated-files.ts)', async () => {
  for (const [path, text] of Object.entries(await generatedFiles())) {
    assert.equal(readFileSync(new URL(path, root), 'utf8'), text, path)
  }
})

test('the OpenAPI document has the boundary and the seven endpoints of the contract', () => {
  const api = JSON.parse(readFileSync(new URL('spec/openapi.json', root), 'utf8')) as {
    openapi: string
    info: { version: string }
    paths: Record<string, Record<string, { operationId: string; responses: object }>>
    'x-service-boundary': string
  }
  assert.match(api.openapi, /^3\.1\./)
  assert.equal(api.info.version, 'FES-1.0-preview')
  assert.equal(api['x-service-boundary'], LONG_BOUNDARY)
  for (const [path, methods] of Object.entries(CONTRACT))
    assert.deepEqual(Object.keys(api.paths[path] ?? {}), methods, path)
  const ids = Object.values(api.paths).flatMap((item) =>
    Object.values(item).map((operation) => operation.operationId),
  )
  assert.equal(new Set(ids).size, ids.length, 'operation ids are unique')
})

test('the OpenAPI document says which operations need a key, and that errors are JSON', () => {
  const api = JSON.parse(readFileSync(new URL('spec/openapi.json', root), 'utf8')) as {
    paths: Record<
      string,
      Record<string, { 'x-scope'?: string; security?: object; responses: Record<string, { $ref?: string }> }>
    >
    components: { responses: Record<string, { content: object }> }
  }
  for (const [path, item] of Object.entries(api.paths)) {
    for (const { security, responses, 'x-scope': scope } of Object.values(item)) {
      const needsKey =
        /^\/v1\/(submissions|series|compare|me|overview|revocations|shares|rooms|requests|programs|credits|trust|audit|keys|federation|profiles|events|webhooks)/.test(
          path,
        )
      assert.deepEqual(security, needsKey ? [{ ApiKey: [] }, { Bearer: [] }] : undefined, path)
      if (needsKey)
        assert.match(
          String(scope),
          path === '/v1/me' ? /^none$/ : /^(?:submit|read|requests|shares|admin)$/,
          path,
        )
      for (const [status, { $ref = '' }] of Object.entries(responses)) {
        if (/^[23]/.test(status)) continue
        const { content } = api.components.responses[$ref.split('/').at(-1) ?? ''] ?? {}
        assert.deepEqual(Object.keys(content ?? {}), ['application/json'], `${path} ${status}`)
      }
    }
  }
})

test('responses may gain members; receipts, manifests and request bodies may not', () => {
  const closed = new Set([
    'ApiKeyRequest',
    'Empty',
    'FederationRequest',
    'HoldRequest',
    'IntakeJobRequest',
    'ItemReview',
    'KeyRotation',
    'Manifest',
    'NewProgram',
    'NewRequest',
    'NewRequestLink',
    'PeriodItemChange',
    'ProfileRequest',
    'ProgramUpdate',
    'Receipt',
    'RequestCopy',
    'RequestUpdate',
    'Resubmission',
    'RoomCommentChange',
    'RoomCommentRequest',
    'RoomRequest',
    'SealRequest',
    'ShareChange',
    'ShareLinkRequest',
    'ShareRequest',
    'SecretRotation',
    'SubmissionRequest',
    'SubmissionUpdate',
    'TrustRequest',
    'WebhookReplay',
    'WebhookRequest',
    'WebhookUpdate',
  ])
  for (const [name, schema] of Object.entries({ ...CONSOLE_RESPONSES, ...NAMED_SCHEMAS }))
    assert.equal(JSON.stringify(schema).includes('"additionalProperties":false'), closed.has(name), name)
})

test('every resource of the contract has a valid JSON Schema', async () => {
  await using service = await testService()
  const index = (await service.call('/schemas')).json as unknown as { schemas: readonly string[] }
  assert.equal(index.schemas.length, Object.keys(NAMED_SCHEMAS).length)
  for (const path of index.schemas) {
    const response = await service.call(path)
    assert.equal(response.headers.get('content-type')?.split(';')[0], 'application/schema+json')
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    formats.default(ajv)
    assert.equal(typeof ajv.compile(response.json), 'function', path)
  }
})

import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type TestService, testService } from '../../kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient
before(async () => {
  service = await testService({ KITSEAL_CORS_ORIGINS: 'https://app.example' })
  acme = await workspaceClient(service)
  for (let count = 0; count < 4; count++) await acme.submission()
})
after(() => service[Symbol.asyncDispose]())

interface Raw {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** The response as it is sent: `fetch` decompresses it. */
const send = (path: string, headers: Record<string, string> = {}, method = 'GET', body = ''): Promise<Raw> =>
  new Promise((settle, fail) => {
    const sent = request(service.base + path, { method, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      settle({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) })
    })
    sent.on('error', fail)
    sent.end(body)
  })

const encoding = ({ headers }: Raw) => headers['content-encoding'] ?? 'none'
const decoded = (raw: Raw): Buffer => {
  if (encoding(raw) === 'br') return brotliDecompressSync(raw.bytes)
  return encoding(raw) === 'gzip' ? gunzipSync(raw.bytes) : raw.bytes
}
const ALL = { 'accept-encoding': 'gzip, deflate, br' }

test('JSON is compressed as the client asks, and is the same JSON', async () => {
  const key = { 'x-api-key': acme.key }
  for (const [path, headers] of [
    ['/openapi.json', {}],
    ['/schemas/Receipt.json', {}],
    ['/v1/submissions', key],
    ['/v1/audit', { ...key, accept: 'application/jsonl' }],
  ] as const) {
    const plain = await send(path, headers)
    assert.ok(plain.bytes.length >= 1024, path)
    assert.deepEqual([plain.status, encoding(plain)], [200, 'none'])
    for (const [accepted, expected] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0.2, gzip', 'gzip'],
      ['gzip, identity;q=0', 'gzip'],
      ['br;q=0, gzip;q=0', 'none'],
      ['identity;q=0', 'none'],
    ] as const) {
      const got = await send(path, { ...headers, 'accept-encoding': accepted })
      assert.equal(encoding(got), expected, `${path} ${accepted}`)
      assert.equal(decoded(got).toString(), plain.bytes.toString())
      assert.equal(got.headers['content-length'], `${got.bytes.length}`)
      assert.equal(got.headers['content-type'], plain.headers['content-type'])
      assert.match(String(got.headers.vary), /(^|, )Accept-Encoding$/)
      if (expected !== 'none') assert.ok(got.bytes.length < plain.bytes.length)
      const head = await send(path, { ...headers, 'accept-encoding': accepted }, 'HEAD')
      for (const name of ['content-encoding', 'content-length', 'vary', 'etag'])
        assert.equal(head.headers[name], got.headers[name], `${name} of HEAD ${path}`)
    }
    assert.match(String(plain.headers.vary), /(^|, )Accept-Encoding$/)
  }
})

test('Vary names the origin as well', async () => {
  const { headers } = await send('/v1/submissions', { ...ALL, 'x-api-key': acme.key })
  assert.equal(headers.vary, 'Origin, Accept-Encoding')
})

test('compressed documents have a weak ETag, with which they are 304', async () => {
  const plain = await send('/openapi.json')
  const packed = await send('/openapi.json', ALL)
  const etag = String(plain.headers.etag)
  assert.match(etag, /^"/)
  assert.equal(packed.headers.etag, `W/${etag}`)
  for (const tag of [etag, `W/${etag}`]) {
    const again = await send('/openapi.json', { ...ALL, 'if-none-match': tag })
    assert.deepEqual([again.status, again.bytes.length, encoding(again)], [304, 0, 'none'])
    assert.deepEqual([again.headers.etag, again.headers.vary], [tag, 'Accept-Encoding'])
  }
  assert.equal((await send('/openapi.json', { ...ALL, 'if-none-match': 'W/"other"' })).status, 200)
})

test('small JSON, files, documents with a digest, other methods and requests with a cookie are not compressed', async () => {
  const key = { ...ALL, 'x-api-key': acme.key }
  const id = await acme.submission()
  await acme.upload(id, form({ 'a.txt': 'a' }))
  const { kit_id } = await acme.ended(id)
  const deliverable = `/v1/submissions/${id}/deliverables`
  for (const [path, headers] of [
    ['/healthz', ALL],
    ['/v1/credits', key],
    [`/v1/kits/${String(kit_id)}/manifest`, key],
    [`/v1/kits/${String(kit_id)}/receipt`, key],
    [`/v1/kits/${String(kit_id)}/download`, key],
    [`${deliverable}/manifest.json`, key],
    [`${deliverable}/reports/intake_report.json`, key],
    [`${deliverable}/binder.pdf`, key],
    ['/v1/audit/export', key],
    ['/openapi.json', { ...ALL, cookie: 'kitseal_session=x' }],
    ['/v1/submissions', { ...key, cookie: 'a=b' }],
  ] as const) {
    const got = await send(path, headers)
    assert.deepEqual([got.status, encoding(got)], [200, 'none'], path)
  }
  const tags = Array.from({ length: 20 }, (_, index) => `${'tag'.repeat(10)}${index}`)
  const body = JSON.stringify({ label: 'many tags', tags })
  const created = await send('/v1/submissions', { ...key, 'content-type': 'application/json' }, 'POST', body)
  assert.deepEqual([created.status, encoding(created)], [201, 'none'])
  assert.ok(created.bytes.length >= 1024)
})

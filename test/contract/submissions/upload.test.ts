// With S3: a bucket lists, replaces and deletes in other ways than a folder.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startUpload, uploadHead, type UploadTarget } from '../../kit/piecewise-upload.ts'
import { rawRequest } from '../../kit/raw-http.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { storedFiles } from '../../kit/stored-files.ts'
import { until } from '../../kit/until.ts'
import { administer, form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

const LIMIT = 200_000

let service: TestService
let acme: WorkspaceClient

before(async () => {
  service = await testService()
  await administer(service, (admin) => admin.plans.create('small', { uploadLimitBytes: LIMIT }))
  acme = await workspaceClient(service, { credits: 20, plan: 'small' })
})
after(() => service[Symbol.asyncDispose]())

test('an upload of exactly the limit is accepted, and one byte more is 413', async () => {
  const id = await acme.submission()
  await assertLeavesNoFiles(async () => {
    const response = await acme.upload(id, form({ 'big.txt': 'x'.repeat(LIMIT + 1) }))
    assert.deepEqual([response.status, response.json['code']], [413, 'upload_too_large'])
  })
  assert.equal((await acme.upload(id, form({ 'big.txt': 'x'.repeat(LIMIT) }))).status, 202)
  assert.equal((await acme.ended(id))['status'], 'PASS')
})

test('the upload limit applies to all uploads of a submission together', async () => {
  const id = await acme.submission()
  const half = 'x'.repeat(LIMIT / 2)
  await acme.upload(id, form({ 'one.txt': half }, { final: 'false' }))
  await assertLeavesNoFiles(async () => {
    assert.equal((await acme.upload(id, form({ 'two.txt': `${half}x` }))).status, 413)
    assert.equal((await acme.upload(id, form({ 'a.txt': half, 'b.txt': 'x' }))).status, 413)
  })
  const last = await acme.upload(id, form({ 'two.txt': half }))
  assert.equal(last.status, 202)
  assert.equal((last.json['evidence'] as unknown[]).length, 2)
})

test('a Content-Length over the limit is 413 before anything is sent', async () => {
  const id = await acme.submission()
  const response = await rawRequest(
    service.base,
    uploadHead(target(id), ['content-length: 50000000', 'connection: close']),
  )
  assert.deepEqual([response.status, response.json['code']], [413, 'upload_too_large'])
})

test('an upload that exceeds the limit is 413 while the client is still sending', async () => {
  const id = await acme.submission()
  await assertLeavesNoFiles(async () => {
    await using upload = startUpload(target(id))
    upload.send('x'.repeat(LIMIT + 1000))
    assert.match(await upload.response(), /^HTTP\/1\.1 413 /)
  })
})

test('an aborted upload leaves no files, and the submission can be retried', async () => {
  const id = await acme.submission()
  await assertLeavesNoFiles(async () => {
    const upload = startUpload(target(id))
    upload.send('x'.repeat(100_000))
    await until(async () => (await uploadsArriving()) > 0)
    upload.socket.destroy()
    await until(async () => (await uploadsArriving()) === 0)
  })
  assert.equal((await acme.get(`/v1/submissions/${id}`)).json['status'], 'PENDING')
  assert.equal((await retried(() => acme.upload(id, form({ 'a.txt': 'a' })))).status, 202)
})

test('of two uploads to one submission one is accepted and the other is 409', async () => {
  const id = await acme.submission()
  const slow = startUpload(target(id))
  slow.send('x'.repeat(1000))
  await until(async () => (await uploadsArriving()) > 0)
  const second = await acme.upload(id, form({ 'b.txt': 'b' }))
  assert.deepEqual([second.status, second.json['code']], [409, 'upload_in_progress'])
  slow.send('\r\n--x--\r\n')
  assert.match(await slow.response(), /^HTTP\/1\.1 202 /)
  slow.socket.destroy()
  const third = await acme.upload(id, form({ 'c.txt': 'c' }))
  assert.deepEqual([third.status, third.json['code']], [409, 'submission_submitted'])
  assert.deepEqual(((await acme.ended(id))['evidence'] as unknown[]).length, 1)
})

test('of many concurrent uploads to one submission exactly one is accepted', async () => {
  const id = await acme.submission()
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, index) => acme.upload(id, form({ [`${index}.txt`]: `${index}` }))),
  )
  assert.equal(responses.filter(({ status }) => status === 202).length, 1)
  assert.equal(responses.filter(({ status }) => status === 409).length, 7)
})

test('a retried upload with the same Idempotency-Key returns the first response and changes nothing', async () => {
  const id = await acme.submission()
  const once = { 'idempotency-key': 'part-one' }
  const files = { 'a.txt': 'a', 'b.txt': 'b' }
  const first = await acme.upload(id, form(files, { final: 'false' }), once)
  assert.deepEqual([first.status, first.headers.get('idempotency-replayed')], [202, null])
  const again = await acme.upload(id, form(files, { final: 'false' }), once)
  assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [202, 'true'])
  assert.deepEqual(again.json, first.json)

  const end = { 'idempotency-key': 'the-end' }
  const sealing = await acme.upload(id, form({ 'c.txt': 'c' }), end)
  const ended = await acme.ended(id)
  assert.deepEqual([ended['status'], (ended['evidence'] as unknown[]).length], ['PASS', 3])
  const { available } = await acme.credits()
  await assertLeavesNoFiles(async () => {
    const late = await acme.upload(id, form({ 'c.txt': 'c' }), end)
    assert.deepEqual([late.status, late.json], [202, sealing.json])
  })
  assert.deepEqual(
    await acme.get(`/v1/submissions/${id}`).then(({ json }) => json['evidence']),
    ended['evidence'],
  )
  assert.equal((await acme.credits()).available, available)
})

test('an Idempotency-Key reused with other files is 409, and a rejected upload does not consume it', async () => {
  const [id, other] = [await acme.submission(), await acme.submission()]
  const once = { 'idempotency-key': 'mine' }
  assert.equal((await acme.upload(id, form({}), once)).status, 400)
  assert.equal((await acme.upload(id, form({ 'a.txt': 'a' }), once)).status, 202)
  for (const [where, changed] of [
    [id, form({ 'a.txt': 'b' })],
    [id, form({ 'b.txt': 'a' })],
    [id, form({ 'a.txt': 'a' }, { final: 'false' })],
  ] as const) {
    const response = await acme.upload(where, changed, once)
    assert.deepEqual([response.status, response.json['code']], [409, 'idempotency_key_reused'])
  }
  const elsewhere = await acme.upload(other, form({ 'a.txt': 'a' }, { final: 'false' }), once)
  assert.equal(elsewhere.status, 202, 'a key belongs to its path')
  const too = await acme.upload(id, form({ 'big.txt': 'x'.repeat(LIMIT + 1) }), once)
  assert.equal(too.status, 413)
  const malformed = await acme.upload(other, form({ 'a.txt': 'a' }), { 'idempotency-key': 'a b' })
  assert.deepEqual([malformed.status, malformed.json['code']], [400, 'idempotency_key_malformed'])
  const without = await acme.upload(id, form({ 'a.txt': 'a' }))
  assert.deepEqual([without.status, without.json['code']], [409, 'submission_submitted'])
  assert.equal((await acme.get(`/v1/submissions/${other}`)).json['status'], 'PENDING')
})

for (const [what, type, body, status, code] of [
  ['JSON', 'application/json', '{}', 415, 'media_type_unsupported'],
  ['a bare zip', 'application/zip', 'PK', 415, 'media_type_unsupported'],
  ['no media type', '', 'x', 415, 'media_type_unsupported'],
  ['multipart/mixed', 'multipart/mixed; boundary=x', '--x--', 415, 'media_type_unsupported'],
  ['a form without a boundary', 'multipart/form-data', '--x--', 400, 'multipart_malformed'],
  ['a form that is no form', 'multipart/form-data; boundary=x', 'hello', 400, 'multipart_malformed'],
  ['an empty form', 'multipart/form-data; boundary=x', '--x--\r\n', 400, 'evidence_invalid'],
  ['a form that is cut', 'multipart/form-data; boundary=x', part('file', 'a'), 400, 'multipart_malformed'],
  [
    'another field',
    'multipart/form-data; boundary=x',
    `${part('other', 'a')}\r\n--x--`,
    400,
    'evidence_invalid',
  ],
  [
    'a file without a name',
    'multipart/form-data; boundary=x',
    `${part('file', '')}\r\n--x--`,
    400,
    'evidence_invalid',
  ],
  [
    'a field instead of a file',
    'multipart/form-data; boundary=x',
    `${part('file')}\r\n--x--`,
    400,
    'evidence_invalid',
  ],
  [
    'a final that is neither',
    'multipart/form-data; boundary=x',
    `${part('final')}\r\n--x--`,
    400,
    'evidence_invalid',
  ],
  [
    'a thousand files and one',
    'multipart/form-data; boundary=x',
    `${part('file', 'a').concat('\r\n').repeat(1001)}--x--`,
    400,
    'evidence_invalid',
  ],
] as const) {
  test(`${what} is ${status} ${code} and leaves no files`, async () => {
    const id = await acme.submission()
    await assertLeavesNoFiles(async () => {
      const response = await service.call(`/v1/submissions/${id}/evidence`, {
        method: 'POST',
        headers: { 'x-api-key': acme.key, ...(type === '' ? {} : { 'content-type': type }) },
        body: Buffer.from(body),
      })
      assert.deepEqual([response.status, response.json['code']], [status, code], response.bytes.toString())
    })
    assert.equal((await acme.get(`/v1/submissions/${id}`)).json['status'], 'PENDING')
  })
}

test('a rejected upload does not affect a submission with the same files', async () => {
  const [kept, refused] = [await acme.submission(), await acme.submission()]
  await acme.upload(kept, form({ 'same.txt': 'the same bytes' }))
  const record = await acme.ended(kept)
  const response = await acme.upload(refused, form({ 'same.txt': 'the same bytes' }, { final: 'perhaps' }))
  assert.equal(response.status, 400)
  const kit = await acme.get(`/v1/submissions/${kept}/deliverables/kit.zip`)
  assert.equal(kit.status, 200)
  const receipt = (await service.call(`/v1/kits/${String(record['kit_id'])}/receipt`)).json
  assert.equal((await service.post('/v1/verify/receipt', receipt)).json['status'], 'PASS')
})

function part(name: string, fileName?: string): string {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`
  return `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\ncontent`
}

const target = (submissionId: string): UploadTarget => ({ base: service.base, key: acme.key, submissionId })

const drafts = (): readonly string[] => globSync('objects/tmp/*', { cwd: service.dataFolder })

async function uploadsArriving(): Promise<number> {
  const text = await service.metrics()
  return Number(/^kitseal_http_arriving (\d+)$/m.exec(text)?.[1])
}

/** Compares the object store before and after. No other submission may be in progress. */
async function assertLeavesNoFiles(work: () => Promise<void>): Promise<void> {
  for (let held = 1; held > 0;) held = (await acme.credits()).held
  const there = storedFiles(service)
  await work()
  await until(async () => drafts().length === 0)
  assert.deepEqual(storedFiles(service), there)
}

/** The service notices an aborted connection later than the client. */
async function retried<T extends { readonly status: number }>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const response = await work()
    if (response.status !== 409) return response
    await sleep(20)
  }
}

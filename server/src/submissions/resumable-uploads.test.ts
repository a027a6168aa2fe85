// With S3: a bucket lists, replaces and deletes in other ways than a folder.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { sweepUploads } from './resumable-uploads.ts'
import { openStore } from '../open-store.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'
import { metadata, tusClient } from '../../../test/kit/tus.ts'
import { until } from '../../../test/kit/until.ts'
import { administer, form, type WorkspaceClient, workspaceClient } from '../../../test/kit/workspace.ts'

const LIMIT = 200_000
const HOUR_MS = 60 * 60 * 1000
const time = { now: Date.now() }

let service: TestService
let acme: WorkspaceClient
let tus: ReturnType<typeof tusClient>

before(async () => {
  service = await testService({}, { now: () => time.now })
  await administer(service, (admin) => admin.plans.create('small', { uploadLimitBytes: LIMIT }))
  acme = await workspaceClient(service, { credits: 20, plan: 'small' })
  tus = tusClient(service, acme)
})
after(() => service[Symbol.asyncDispose]())

const content = Buffer.from('one line of a log\n'.repeat(5000))
const sha256 = (bytes: Uint8Array, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHash('sha256').update(bytes).digest(encoding)

const evidenceOf = async (id: string): Promise<readonly Record<string, unknown>[]> =>
  (await acme.get(`/v1/submissions/${id}`)).json['evidence'] as Record<string, unknown>[]

test('a file that arrives in pieces becomes evidence with the last one, and the submission is sealed with final=true', async () => {
  const id = await acme.submission()
  const created = await tus.create(id, 'logs/app.log', content.length)
  const path = created.headers.get('location') ?? ''
  assert.deepEqual([created.status, created.headers.get('tus-resumable')], [201, '1.0.0'])
  assert.match(path, new RegExp(`^/v1/submissions/${id}/uploads/upl_`))
  assert.ok(Date.parse(created.headers.get('upload-expires') ?? '') > time.now)

  for (const [start, end] of [
    [0, 1],
    [1, 40_000],
    [40_000, content.length],
  ] as const) {
    assert.equal(await tus.offset(path), start)
    assert.deepEqual(await evidenceOf(id), [])
    const stored = await tus.append(path, start, content.subarray(start, end))
    assert.deepEqual([stored.status, stored.headers.get('upload-offset')], [204, String(end)])
  }
  assert.deepEqual(await evidenceOf(id), [
    { name: 'logs/app.log', sha256: sha256(content), size_bytes: content.length, media_type: 'text/plain' },
  ])
  const found = await tus.send('HEAD', path, {})
  assert.equal(found.headers.get('upload-length'), String(content.length))
  assert.equal(found.headers.get('upload-metadata'), metadata({ filename: 'logs/app.log' }))
  assert.equal((await acme.credits()).held, 0)
  assert.equal((await acme.upload(id, form({}, { final: 'true' }))).status, 202)
  assert.equal((await acme.ended(id))['status'], 'PASS')
  const { data: events } = (await acme.get('/v1/audit')).json as {
    data: { action: string; details: object }[]
  }
  const sealed = events.find(({ action }) => action === 'submission.sealed')
  assert.deepEqual(sealed?.details, { files: 1, bytes: content.length, uploads: 2 })
  assert.deepEqual(partials(), [])
})

test('OPTIONS says what is supported', async () => {
  const { status, headers } = await tus.send(
    'OPTIONS',
    `/v1/submissions/${await acme.submission()}/uploads`,
    {
      'tus-resumable': undefined,
    },
  )
  assert.deepEqual(
    [status, headers.get('tus-version'), headers.get('tus-max-size')],
    [204, '1.0.0', String(LIMIT)],
  )
  assert.equal(headers.get('tus-extension'), 'creation,creation-with-upload,expiration,termination,checksum')
  assert.match(headers.get('tus-checksum-algorithm') ?? '', /sha256/)
})

test('a request without Tus-Resumable: 1.0.0 is 412 and says which version is supported', async () => {
  const id = await acme.submission()
  for (const version of [undefined, '0.2.2']) {
    const refused = await tus.create(id, 'a.txt', 1, { 'tus-resumable': version })
    assert.deepEqual([refused.status, refused.json['code']], [412, 'tus_version_unsupported'])
    assert.equal(refused.headers.get('tus-version'), '1.0.0')
  }
})

test('a wrong header is 400 and says which', async () => {
  const id = await acme.submission()
  const cases: readonly (readonly [Record<string, string | undefined>, RegExp])[] = [
    [{ 'upload-length': undefined }, /Upload-Length/],
    [{ 'upload-length': '-1' }, /Upload-Length/],
    [{ 'upload-length': '1e3' }, /Upload-Length/],
    [{ 'upload-length': '9007199254740993' }, /Upload-Length/],
    [{ 'upload-length': undefined, 'upload-defer-length': '1' }, /Upload-Defer-Length/],
    [{ 'upload-concat': 'partial' }, /Upload-Concat/],
    [{ 'upload-metadata': undefined }, /filename/],
    [{ 'upload-metadata': 'filename' }, /filename/],
    [{ 'upload-metadata': 'filename a.txt' }, /not base64/],
    [{ 'upload-metadata': 'filename /////w==' }, /not UTF-8/],
    [{ 'upload-metadata': 'filename YQ==,filename YQ==' }, /twice/],
    [{ 'upload-metadata': 'filename YQ== YQ==' }, /KEY BASE64/],
    [{ 'upload-metadata': metadata({ filename: 'x'.repeat(1025) }) }, /1024 bytes/],
    [{ 'upload-metadata': metadata({ filename: 'a', resume_key: 'x'.repeat(513) }) }, /resume_key/],
  ]
  for (const [headers, expected] of cases) {
    const refused = await tus.create(id, 'a.txt', 10, headers)
    assert.deepEqual([refused.status, refused.json['code']], [400, 'upload_invalid'], String(expected))
    assert.match(String(refused.json['message']), expected)
  }
  assert.deepEqual((await acme.get(`/v1/submissions/${id}/uploads`)).json['data'], [])
})

test('a wrong offset is 409 and changes nothing', async () => {
  const path = await tus.upload(await acme.submission(), 'a.txt', 100)
  await tus.append(path, 0, content.subarray(0, 50))
  for (const offset of [0, 49, 51, 100]) {
    const refused = await tus.append(path, offset, content.subarray(0, 1))
    assert.deepEqual([refused.status, refused.json['code']], [409, 'upload_offset_wrong'])
    assert.equal(refused.headers.get('upload-offset'), '50')
  }
  const malformed = await tus.append(path, 50, content.subarray(0, 1), { 'upload-offset': 'fifty' })
  assert.deepEqual([malformed.status, malformed.json['code']], [400, 'upload_invalid'])
  assert.equal(await tus.offset(path), 50)
})

test('content of another type is 415', async () => {
  const id = await acme.submission()
  const path = await tus.upload(id, 'a.txt', 100)
  for (const headers of [{ 'content-type': 'application/octet-stream' }, { 'content-encoding': 'gzip' }]) {
    const refused = await tus.append(path, 0, content.subarray(0, 1), headers)
    assert.deepEqual([refused.status, refused.json['code']], [415, 'media_type_unsupported'])
  }
  const created = await tus.create(id, 'b.txt', 1, { 'content-type': 'text/plain' }, Buffer.from('b'))
  assert.equal(created.status, 415)
})

test('more bytes than Upload-Length are 400, also without Content-Length', async () => {
  const id = await acme.submission()
  const path = await tus.upload(id, 'a.txt', 10)
  const refused = await tus.append(path, 0, content.subarray(0, 11))
  assert.deepEqual([refused.status, refused.json['code']], [400, 'upload_invalid'])
  const { socket, received } = tus.startAppending(path, 0, ['transfer-encoding: chunked'])
  socket.write('a\r\n0123456789\r\n1\r\nx\r\n0\r\n\r\n')
  await until(() => received().includes('upload_invalid'))
  socket.destroy()
  assert.equal(await tus.offset(path), 0)
  assert.deepEqual(await evidenceOf(id), [])
})

test('a chunk that does not match its checksum is 460 and is discarded', async () => {
  const id = await acme.submission()
  const path = await tus.upload(id, 'app.log', content.length)
  const [first, rest] = [content.subarray(0, 30_000), content.subarray(30_000)]
  const checksum = (bytes: Uint8Array) => ({ 'upload-checksum': `sha256 ${sha256(bytes, 'base64')}` })
  assert.equal((await tus.append(path, 0, first, checksum(first))).status, 204)
  const refused = await tus.append(path, 30_000, Buffer.alloc(rest.length, 'x'), checksum(rest))
  assert.deepEqual(
    [refused.status, refused.json['code'], refused.json['error']],
    [460, 'checksum_mismatch', 'Checksum Mismatch'],
  )
  assert.equal(await tus.offset(path), 30_000)
  for (const wrong of ['crc32 AAAA', 'sha256 AAAA', 'sha256']) {
    const invalid = await tus.append(path, 30_000, rest, { 'upload-checksum': wrong })
    assert.deepEqual([invalid.status, invalid.json['code']], [400, 'upload_invalid'])
  }
  const sha1 = createHash('sha1').update(rest).digest('base64')
  assert.equal((await tus.append(path, 30_000, rest, { 'upload-checksum': `sha1 ${sha1}` })).status, 204)
  assert.equal((await evidenceOf(id))[0]?.['sha256'], sha256(content))
})

test('the creation of an upload can carry content, all of it or a part', async () => {
  const id = await acme.submission()
  const type = { 'content-type': 'application/offset+octet-stream' }
  const part = await tus.create(id, 'a.log', content.length, type, content.subarray(0, 10))
  assert.deepEqual([part.status, part.headers.get('upload-offset')], [201, '10'])
  await tus.append(part.headers.get('location') ?? '', 10, content.subarray(10))
  const whole = await tus.create(id, 'b.txt', 4, type, Buffer.from('done'))
  assert.equal(whole.headers.get('upload-offset'), '4')
  const empty = await tus.create(id, 'empty.txt', 0)
  assert.equal(empty.status, 201)
  assert.deepEqual(
    (await evidenceOf(id)).map(({ name, size_bytes }) => [name, size_bytes]),
    [
      ['a.log', content.length],
      ['b.txt', 4],
      ['empty.txt', 0],
    ],
  )
})

test('the creation is repeated with an Idempotency-Key without a second upload', async () => {
  const id = await acme.submission()
  const key = { 'idempotency-key': 'first-upload' }
  const created = await tus.create(id, 'a.txt', 10, key)
  const repeated = await tus.create(id, 'a.txt', 10, key)
  assert.equal(repeated.headers.get('location'), created.headers.get('location'))
  assert.equal(repeated.headers.get('idempotency-replayed'), 'true')
  assert.equal((await tus.create(id, 'b.txt', 10, key)).json['code'], 'idempotency_key_reused')
  const { data: uploads } = (await acme.get(`/v1/submissions/${id}/uploads`)).json as { data: unknown[] }
  assert.equal(uploads.length, 1)
})

test('the limit of the plan counts evidence and unfinished uploads together', async () => {
  const id = await acme.submission()
  assert.equal((await tus.create(id, 'big.bin', LIMIT + 1)).json['code'], 'upload_too_large')
  await acme.upload(id, form({ 'a.txt': 'x'.repeat(LIMIT / 2) }, { final: 'false' }))
  const path = await tus.upload(id, 'b.txt', LIMIT / 4)
  const refused = await tus.create(id, 'c.txt', LIMIT / 4 + 1)
  assert.deepEqual([refused.status, refused.json['code']], [413, 'upload_too_large'])
  const multipart = await acme.upload(id, form({ 'c.txt': 'x'.repeat(LIMIT / 4 + 1) }))
  assert.equal(multipart.json['code'], 'upload_too_large')
  assert.equal((await tus.send('DELETE', path, {})).status, 204)
  assert.equal((await tus.create(id, 'c.txt', LIMIT / 2)).status, 201)
})

test('a submission with unfinished uploads cannot be submitted until they are finished or deleted', async () => {
  const id = await acme.submission()
  const path = await tus.upload(id, 'half.txt', 10)
  await tus.append(path, 0, Buffer.from('half'))
  for (const files of [{}, { 'a.txt': 'a' }]) {
    const refused = await acme.upload(id, form(files, { final: 'true' }))
    assert.deepEqual([refused.status, refused.json['code']], [409, 'uploads_unfinished'])
  }
  assert.deepEqual(await evidenceOf(id), [])
  assert.equal((await tus.send('DELETE', path, {})).status, 204)
  assert.equal((await acme.upload(id, form({ 'a.txt': 'a' }))).status, 202)
})

test('a deleted upload is gone with its bytes, and a finished one cannot be deleted', async () => {
  const id = await acme.submission()
  const others = partials().length
  const path = await tus.upload(id, 'a.txt', 10)
  await tus.append(path, 0, Buffer.from('half'))
  if (hasFiles()) assert.equal(partials().length, others + 1)
  assert.equal((await tus.send('DELETE', path, {})).status, 204)
  assert.equal(partials().length, others)
  for (const method of ['HEAD', 'DELETE']) assert.equal((await tus.send(method, path, {})).status, 410)
  const done = await tus.upload(id, 'b.txt', 4)
  await tus.append(done, 0, Buffer.from('done'))
  assert.equal((await tus.send('DELETE', done, {})).json['code'], 'upload_finished')
  assert.equal((await tus.send('HEAD', `${path}x`, {})).status, 404)
})

test('a sealed submission takes no uploads', async () => {
  const id = await acme.submission()
  await acme.upload(id, form({ 'a.txt': 'a' }))
  const refused = await tus.create(id, 'b.txt', 1)
  assert.deepEqual([refused.status, refused.json['code']], [409, 'submission_submitted'])
})

test('a workspace without credits cannot create an upload', async () => {
  const poor = await workspaceClient(service, { credits: 0 })
  const refused = await tusClient(service, poor).create(await poor.submission(), 'a.txt', 1)
  assert.deepEqual([refused.status, refused.json['code']], [402, 'credits_exhausted'])
})

test('another workspace and another submission do not find an upload', async () => {
  const id = await acme.submission()
  const path = await tus.upload(id, 'a.txt', 10)
  const other = await workspaceClient(service)
  assert.equal((await tusClient(service, other).send('HEAD', path, {})).status, 404)
  const elsewhere = path.replace(id, await acme.submission())
  assert.equal((await tus.append(elsewhere, 0, Buffer.from('a'))).json['code'], 'upload_not_found')
})

test('of two requests that write one upload, one gets 409, and what it sent is not stored', async () => {
  const id = await acme.submission()
  const path = await tus.upload(id, 'a.txt', 1000)
  const slow = tus.startAppending(path, 0, ['content-length: 1000'])
  slow.socket.write('x'.repeat(500))
  await using store = await openStore(service.config)
  await until(async () => {
    const rows = await store.db.selectFrom('resumable_uploads').select('claim').execute()
    return rows.some(({ claim }) => claim !== null)
  })
  const others = await Promise.all([0, 1, 2].map(() => tus.append(path, 0, Buffer.alloc(1000))))
  for (const { status, json, headers } of others) {
    assert.deepEqual([status, json['code']], [409, 'upload_in_progress'])
    assert.ok(Number(headers.get('retry-after')) > 0)
  }
  slow.socket.write('y'.repeat(500))
  await until(() => slow.received().startsWith('HTTP/1.1 204'))
  slow.socket.destroy()
  assert.equal((await evidenceOf(id))[0]?.['sha256'], sha256(Buffer.from('x'.repeat(500) + 'y'.repeat(500))))
})

test('of a request that is cut off, what was read is kept, and the next one continues there', async () => {
  const id = await acme.submission()
  const path = await tus.upload(id, 'app.log', content.length)
  for (const end of [20_000, 50_000]) {
    let pauseMs = 10
    await until(async () => {
      const start = await tus.offset(path)
      if (start >= end) return true
      const { socket } = tus.startAppending(path, start, [`content-length: ${content.length - start}`])
      socket.write(content.subarray(start, end))
      // Nobody sees when the service has read it: the next attempt waits longer.
      await sleep(pauseMs)
      pauseMs *= 2
      socket.destroy()
      return false
    })
  }
  await until(async () => {
    const start = await tus.offset(path)
    return (await tus.append(path, start, content.subarray(start))).status === 204
  })
  assert.equal((await evidenceOf(id))[0]?.['sha256'], sha256(content))
})

test('two uploads of one submission that end at the same time both become evidence', async () => {
  const id = await acme.submission()
  const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt']
  const paths = await Promise.all(names.map((name) => tus.upload(id, name, name.length)))
  const sent = await Promise.all(paths.map((path, at) => tus.append(path, 0, Buffer.from(names[at] ?? ''))))
  assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set([204]))
  assert.deepEqual((await evidenceOf(id)).map(({ name }) => String(name)).toSorted(), names)
})

test('an upload expires after seven days: 410, and its bytes are removed', async () => {
  const id = await acme.submission()
  const path = await tus.upload(id, 'a.txt', 10)
  await tus.append(path, 0, Buffer.from('half'))
  const count = partials().length
  time.now += 7 * 24 * HOUR_MS
  const refused = await tus.append(path, 4, Buffer.from('other '))
  assert.deepEqual([refused.status, refused.json['code']], [410, 'upload_expired'])
  await using store = await openStore(service.config)
  assert.ok((await sweepUploads({ ...store, clock: { now: () => time.now } })) > 0)
  if (hasFiles()) assert.ok(partials().length < count)
  assert.equal((await tus.send('HEAD', path, {})).status, 410)
  assert.equal((await acme.upload(id, form({ 'a.txt': 'a' }))).status, 202)
  time.now += 7 * 24 * HOUR_MS
  await sweepUploads({ ...store, clock: { now: () => time.now } })
  assert.equal((await tus.send('HEAD', path, {})).status, 404)
})

const hasFiles = (): boolean => service.config.objects.is === 'folder'
const partials = (): readonly string[] => globSync(`${service.dataFolder}/objects/partial/*`)

test('HEAD returns all metadata as it was sent, also what the service does not use', async () => {
  const id = await acme.submission()
  const sent = `filetype dGV4dC9wbGFpbg==, ${metadata({ filename: 'a.log', resume_key: 'x' })},is_confidential`
  const created = await tus.create(id, '', 10, { 'upload-metadata': sent })
  assert.equal(created.status, 201)
  const path = created.headers.get('location') ?? ''
  assert.equal((await tus.send('HEAD', path, {})).headers.get('upload-metadata'), sent)
})

test('a plan of 50 GiB reserves exactly that, and says so', async () => {
  const gibibyte = 1024 ** 3
  await administer(service, (admin) => admin.plans.create('huge', { uploadLimitBytes: 50 * gibibyte }))
  const huge = await workspaceClient(service, { credits: 1, plan: 'huge' })
  const uploads = tusClient(service, huge)
  const id = await huge.submission()
  const refused = await uploads.create(id, 'a.bin', 50 * gibibyte + 1)
  assert.deepEqual([refused.status, refused.json['code']], [413, 'upload_too_large'])
  assert.match(String(refused.json['message']), /exceed 53687091200 bytes/)
  for (const [size, status] of [
    [30 * gibibyte, 201],
    [20 * gibibyte - 1, 201],
    [2, 413],
    [1, 201],
    [1, 413],
  ] as const) {
    assert.equal((await uploads.create(id, 'a.bin', size)).status, status, `${size} bytes`)
  }
  const { data: open } = (await huge.get(`/v1/submissions/${id}/uploads`)).json as {
    data: { size_bytes: number }[]
  }
  assert.equal(
    open.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    50 * gibibyte,
  )
})

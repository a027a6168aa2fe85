import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { DetailedError, Upload, type UploadOptions } from 'tus-js-client'
import type { UploadId } from '../runtime/identifiers.ts'
import { openStore } from '../open-store.ts'
import { cuttingProxy } from '../../test/cutting-proxy.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'
import { until } from '../../../test/kit/until.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../../test/kit/workspace.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const time = { now: Date.now() }

let service: TestService
let acme: WorkspaceClient

before(async () => {
  service = await testService({}, { now: () => time.now })
  acme = await workspaceClient(service, { credits: 20 })
})
after(() => service[Symbol.asyncDispose]())

const content = Buffer.from('one line of a log\n'.repeat(100_000))
const sha256 = (bytes: Uint8Array, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHash('sha256').update(bytes).digest(encoding)

/** An upload with the real client, and the requests it made. */
function upload(
  submissionId: string,
  options: Partial<UploadOptions> = {},
  bytes = content,
  base = service.base,
) {
  const requests: string[] = []
  const statuses: number[] = []
  const done = Promise.withResolvers<void>()
  const made = new Upload(bytes, {
    endpoint: `${base}/v1/submissions/${submissionId}/uploads`,
    headers: { 'X-API-Key': acme.key },
    metadata: { filename: 'logs/app.log' },
    retryDelays: [0, 20, 50, 100, 200],
    onSuccess: () => done.resolve(),
    onError: (error) => done.reject(error),
    ...options,
    onBeforeRequest: async (request) => {
      requests.push(`${request.getMethod()} ${request.getHeader('Upload-Offset') ?? ''}`.trim())
      await options.onBeforeRequest?.(request)
    },
    onAfterResponse: (_, response) => void statuses.push(response.getStatus()),
  })
  return {
    upload: made,
    requests,
    statuses,
    run: async (): Promise<string> => {
      made.start()
      await done.promise
      return made.url ?? ''
    },
    refused: async (): Promise<readonly [number | undefined, unknown]> => {
      made.start()
      const error = await done.promise.then(
        () => assert.fail('it was accepted'),
        (failure: unknown) => failure,
      )
      assert.ok(error instanceof DetailedError, String(error))
      const body = error.originalResponse?.getBody() ?? ''
      return [
        error.originalResponse?.getStatus(),
        body === '' ? '' : (JSON.parse(body) as { code: string }).code,
      ]
    },
  }
}

const evidenceOf = async (id: string): Promise<readonly unknown[]> => {
  const { evidence } = (await acme.get(`/v1/submissions/${id}`)).json as {
    evidence: { name: string; sha256: string }[]
  }
  return evidence.map((one) => [one.name, one.sha256])
}
const WHOLE = [['logs/app.log', sha256(content)]]
const openUploads = async (id: string): Promise<readonly Record<string, unknown>[]> =>
  (await acme.get(`/v1/submissions/${id}/uploads`)).json['data'] as Record<string, unknown>[]

test('tus-js-client uploads a file, in one request or in chunks, and its metadata names it', async () => {
  const id = await acme.submission()
  const whole = upload(id)
  await whole.run()
  assert.deepEqual(whole.requests, ['POST', 'PATCH 0'])
  const chunked = upload(id, {
    chunkSize: 700_000,
    metadata: { filename: 'Größe ✓.txt', filetype: 'text/plain' },
  })
  await chunked.run()
  assert.deepEqual(chunked.requests, ['POST', 'PATCH 0', 'PATCH 700000', 'PATCH 1400000'])
  assert.deepEqual(await evidenceOf(id), [...WHOLE, ['Größe ✓.txt', sha256(content)]])
  assert.equal((await acme.upload(id, form({}, { final: 'true' }))).status, 202)
  assert.equal((await acme.ended(id))['status'], 'PASS')
})

test('content sent with the creation needs no second request, and an empty file none at all', async () => {
  const id = await acme.submission()
  const whole = upload(id, { uploadDataDuringCreation: true })
  await whole.run()
  assert.deepEqual([whole.requests, whole.statuses], [['POST'], [201]])
  const chunked = upload(id, { uploadDataDuringCreation: true, chunkSize: 1_000_000 })
  await chunked.run()
  assert.deepEqual(chunked.requests, ['POST', 'PATCH 1000000'])
  const empty = upload(id, { metadata: { filename: 'empty.txt' } }, Buffer.alloc(0))
  await empty.run()
  assert.deepEqual(empty.requests, ['POST'])
  assert.deepEqual(await evidenceOf(id), [...WHOLE, ...WHOLE, ['empty.txt', sha256(Buffer.alloc(0))]])
})

test('over a connection that is cut, it continues where the service says, and sends acknowledged bytes once', async () => {
  const id = await acme.submission()
  await using proxy = await cuttingProxy(service.base, [900_000, 300_000, 5000])
  const cut = upload(id, { chunkSize: 400_000 }, content, proxy.base)
  await cut.run()
  assert.equal(proxy.cuts(), 3)
  const starts = cut.requests.flatMap((one) => (one.startsWith('PATCH') ? [Number(one.slice(6))] : []))
  assert.deepEqual(
    starts,
    starts.toSorted((a, b) => a - b),
    'no offset goes back',
  )
  assert.ok(cut.requests.includes('HEAD'))
  assert.deepEqual(await evidenceOf(id), WHOLE)
})

test('another instance continues an upload by its address, and one that is finished needs no bytes', async () => {
  const id = await acme.submission()
  const first = upload(id, { chunkSize: 600_000, onChunkComplete: () => void first.upload.abort() })
  first.upload.start()
  await until(async () => Number((await openUploads(id))[0]?.['offset_bytes']) === 600_000)
  const second = upload(id, { uploadUrl: first.upload.url })
  await second.run()
  assert.deepEqual(second.requests, ['HEAD', 'PATCH 600000'])
  assert.deepEqual(await evidenceOf(id), WHOLE)
  const third = upload(id, { uploadUrl: first.upload.url })
  await third.run()
  assert.deepEqual(third.requests, ['HEAD'])
})

test('of two clients that write one upload at once, both end, and the file is there once', async () => {
  const id = await acme.submission()
  const created = upload(id, { chunkSize: 1, onChunkComplete: () => void created.upload.abort() })
  created.upload.start()
  await until(async () => (await openUploads(id))[0]?.['offset_bytes'] === 1)
  const writers = [0, 1].map(() =>
    upload(id, {
      uploadUrl: created.upload.url,
      chunkSize: 150_000,
      retryDelays: Array<number>(200).fill(5),
    }),
  )
  await Promise.all(writers.map((one) => one.run()))
  assert.deepEqual(await evidenceOf(id), WHOLE)
  assert.ok(!writers.some(({ requests }) => requests.includes('POST')), 'nobody starts over')
})

test('a client that asks while another request stores the file gets 423, and does not start over', async () => {
  const id = await acme.submission()
  const created = upload(id, { chunkSize: 1, onChunkComplete: () => void created.upload.abort() })
  created.upload.start()
  await until(async () => (await openUploads(id))[0]?.['offset_bytes'] === 1)
  const uploadId = (await openUploads(id))[0]?.['upload_id'] as UploadId
  await using store = await openStore(service.config)
  const rows = store.db.updateTable('resumable_uploads').where('upload_id', '=', uploadId)
  const claimed_until = new Date(time.now + 60_000).toISOString()
  await rows.set({ offset_bytes: content.length, claim: 'another.node', claimed_until }).execute()
  const asking = upload(id, { uploadUrl: created.upload.url, retryDelays: null })
  assert.deepEqual(await asking.refused(), [423, ''])
  assert.deepEqual(asking.requests, ['HEAD'])
  await rows.set({ offset_bytes: 1, claim: null, claimed_until: null }).execute()
  await upload(id, { uploadUrl: created.upload.url }).run()
  assert.deepEqual(await evidenceOf(id), WHOLE)
})

test('a terminated upload is gone', async () => {
  const id = await acme.submission()
  const stopped = upload(id, { chunkSize: 1000, onChunkComplete: () => void stopped.upload.abort() })
  stopped.upload.start()
  await until(async () => (await openUploads(id))[0]?.['offset_bytes'] === 1000)
  await stopped.upload.abort(true)
  assert.deepEqual(await openUploads(id), [])
  const again = upload(id, { endpoint: null, uploadUrl: stopped.upload.url })
  assert.deepEqual(await again.refused(), [410, ''])
})

test('an expired upload starts over at the endpoint', async () => {
  const id = await acme.submission()
  const aborted = Promise.withResolvers<void>()
  const onChunkComplete = (): void => void stopped.upload.abort().then(aborted.resolve)
  const stopped = upload(id, { chunkSize: 1000, onChunkComplete })
  stopped.upload.start()
  await aborted.promise
  assert.equal((await openUploads(id))[0]?.['offset_bytes'], 1000)
  time.now += 7 * DAY_MS
  const again = upload(id, { uploadUrl: stopped.upload.url })
  await again.run()
  assert.deepEqual(
    [again.requests, again.statuses],
    [
      ['HEAD', 'POST', 'PATCH 0'],
      [410, 201, 204],
    ],
  )
  assert.deepEqual(await evidenceOf(id), WHOLE)
})

test('a chunk with its SHA-256 is stored, and with another one it is 460 and can be sent again', async () => {
  const id = await acme.submission()
  const chunkSize = 700_000
  let wrong = 1
  const options: Partial<UploadOptions> = {
    chunkSize,
    onBeforeRequest: (request) => {
      const offset = Number(request.getHeader('Upload-Offset') ?? Number.NaN)
      if (Number.isNaN(offset)) return
      const isWrong = offset > 0 && wrong-- > 0
      const body = isWrong ? Buffer.from('other') : content.subarray(offset, offset + chunkSize)
      request.setHeader('Upload-Checksum', `sha256 ${sha256(body, 'base64')}`)
    },
  }
  const first = upload(id, options)
  assert.deepEqual(await first.refused(), [460, 'checksum_mismatch'])
  assert.equal((await openUploads(id))[0]?.['offset_bytes'], chunkSize)
  const again = upload(id, { ...options, uploadUrl: first.upload.url })
  await again.run()
  assert.deepEqual(again.requests, ['HEAD', `PATCH ${chunkSize}`, `PATCH ${2 * chunkSize}`])
  assert.deepEqual(await evidenceOf(id), WHOLE)
})

test('what is not announced is refused: a deferred length, parallel parts, a missing name, a foreign key', async () => {
  const id = await acme.submission()
  const cases: readonly (readonly [Partial<UploadOptions>, readonly [number, string]])[] = [
    [{ uploadLengthDeferred: true }, [400, 'upload_invalid']],
    [{ parallelUploads: 2 }, [400, 'upload_invalid']],
    [{ metadata: {} }, [400, 'upload_invalid']],
    [{ headers: { 'X-API-Key': 'ks_wrong' } }, [401, 'api_key_invalid']],
  ]
  for (const [options, expected] of cases)
    assert.deepEqual(await upload(id, { ...options, retryDelays: null }).refused(), expected)
  const tooLarge = upload(id, { uploadSize: 10 ** 12 })
  assert.deepEqual(await tooLarge.refused(), [413, 'upload_too_large'])
  assert.deepEqual([await openUploads(id), await evidenceOf(id)], [[], []])
})

test('without PATCH and DELETE, X-HTTP-Method-Override works', async () => {
  const id = await acme.submission()
  const posting = upload(id, { overridePatchMethod: true, chunkSize: 1_000_000 })
  await posting.run()
  assert.deepEqual(posting.requests, ['POST', 'POST 0', 'POST 1000000'])
  assert.deepEqual(await evidenceOf(id), WHOLE)
})

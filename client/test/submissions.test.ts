import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openStore } from '../../server/src/open-store.ts'
import { testService, type TestService } from '../../test/kit/service.ts'
import { evidenceFile } from '../node/index.ts'
import { ApiError, createClient, type Evidence, systemPlatform, trustKeys } from '../src/index.ts'
import { startProxy, forward } from './proxy.ts'

let service: TestService
let folder = ''
before(async () => {
  service = await testService()
  folder = mkdtempSync(join(tmpdir(), 'kitseal-client-'))
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** Uses real time but short waits. */
const client = (baseUrl = service.base) =>
  createClient({
    baseUrl,
    apiKey: service.service.firstApiKey,
    platform: { ...systemPlatform, wait: (_, signal) => systemPlatform.wait(10, signal) },
  })
const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

const NAMES = [
  'grüße 日本.txt',
  'a "quoted" name.txt',
  "semi;colon='s.txt",
  '100% +plus&.txt',
  '🧾.txt',
  '1%22 2%0A 3%0d 4%25.txt',
  "it's (5%) *!.txt",
]

test('submitted evidence becomes a verified kit with unchanged file names', async () => {
  const { createSubmission, uploadEvidence, waitForResult, downloadKit, getKeys } = client()
  const path = join(folder, 'on-disk.csv')
  writeFileSync(path, 'a,b\n1,2\n')
  const files: readonly Evidence[] = [
    ...NAMES.map((name) => ({ name, content: `${name}\n` })),
    { name: 'bytes.txt', content: new TextEncoder().encode('bytes\n') },
    new File(['a file\n'], 'file.txt'),
    evidenceFile(path),
  ]
  const { submission_id } = await createSubmission({ label: 'Quarter 3' })
  const progress: number[] = []
  let totalBytes = 0
  const uploaded = await uploadEvidence(submission_id, files, {
    onProgress: (now) => {
      progress.push(now.doneBytes)
      totalBytes = now.totalBytes
    },
  })
  assert.deepEqual(
    uploaded.evidence.map(({ name }) => name),
    [...NAMES, 'bytes.txt', 'file.txt', 'on-disk.csv'],
  )
  assert.equal(uploaded.evidence[0]?.sha256, sha256(`${NAMES[0]}\n`))
  assert.equal(progress.at(-1), totalBytes)
  const statuses: string[] = []
  const ended = await waitForResult(submission_id, { onStatus: ({ status }) => statuses.push(status) })
  assert.equal(ended.status, 'PASS', JSON.stringify(ended.blockers))
  assert.equal(statuses.at(-1), 'PASS')
  assert.equal(ended.credits_charged, 1)
  const { report } = await downloadKit(ended.kit_id ?? '', { trust: trustKeys(await getKeys()) })
  assert.equal(report.status, 'PASS')
})

test('every listed deliverable can be downloaded and matches its listed hash', async () => {
  const { listDeliverables, getDeliverable } = client()
  const { submission_id } = await submitted('deliverables', [{ name: 'a.txt', content: 'a\n' }])
  const { data: deliverables } = await listDeliverables(submission_id)
  const names = deliverables.map(({ name }) => name)
  for (const name of ['kit.zip', 'manifest.json', 'receipt.json', 'binder.pdf', 'reports/intake_report.json'])
    assert.ok(names.includes(name), `${name} is not among ${names.join(', ')}`)
  for (const { name, size_bytes, sha256: hash } of deliverables) {
    const bytes = new Uint8Array(await (await getDeliverable(submission_id, name)).arrayBuffer())
    assert.equal(bytes.length, size_bytes, name)
    if (hash !== null) assert.equal(sha256(bytes), hash, name)
  }
  await assert.rejects(getDeliverable(submission_id, 'none.txt'), { code: 'deliverable_not_found' })
})

test('a failed submission has blockers and a downloadable report', async () => {
  const ended = await submitted('bad', [{ name: 'empty.pdf', content: '' }])
  assert.equal(ended.status, 'FAIL')
  assert.deepEqual(
    ended.blockers.map(({ code }) => code),
    ['empty_file'],
  )
  const report = await client().getDeliverable(ended.submission_id, 'fail_report.json')
  assert.equal(JSON.parse(await report.text()).status, 'FAIL')
})

test('damage can be acknowledged with the upload', async () => {
  const { createSubmission, uploadEvidence, waitForResult } = client()
  const { submission_id } = await createSubmission({ label: 'damaged' })
  await uploadEvidence(submission_id, [{ name: 'empty.pdf', content: '' }], { accept: ['empty_file'] })
  const { status, accept, findings } = await waitForResult(submission_id)
  assert.deepEqual(
    [status, accept, findings.map(({ acknowledged }) => acknowledged)],
    ['PASS', ['empty_file'], [true]],
  )
})

test('provenance can be stated with the submission and with the upload, and the service refuses a wrong one', async () => {
  const { createSubmission, uploadEvidence, waitForResult } = client()
  const { submission_id } = await createSubmission({ label: 'stated', provenance: { system: 'AWS' } })
  const file = { name: 'a.txt', content: 'a\n' }
  const files = { 'a.txt': { collector: { name: 'aws' } } }
  await uploadEvidence(submission_id, [file], { provenance: { files } })
  assert.deepEqual((await waitForResult(submission_id)).provenance, { system: 'AWS', files })
  const period = { from: '2026-02-01', to: '2026-01-01' }
  await assert.rejects(createSubmission({ label: 'wrong', provenance: { period } }), /must not end before/)
})

test('evidence can be uploaded in several requests', async () => {
  const { createSubmission, uploadEvidence, waitForResult } = client()
  const { submission_id } = await createSubmission({ label: 'in parts' })
  const first = await uploadEvidence(submission_id, [{ name: 'a.txt', content: 'a\n' }], { final: false })
  assert.equal(first.status, 'PENDING')
  await uploadEvidence(submission_id, [{ name: 'b.txt', content: 'b\n' }])
  const ended = await waitForResult(submission_id)
  assert.equal(ended.status, 'PASS')
  assert.equal(ended.evidence.length, 2)
})

test('submissions are listed newest first, in pages; credits and audit log can be read', async () => {
  const { createSubmission, listSubmissions, getCredits, getAuditTrail } = client()
  const { submission_id } = await createSubmission({ label: 'newest' })
  const page = await listSubmissions({ limit: 1 })
  assert.deepEqual(
    page.data.map((one) => one.submission_id),
    [submission_id],
  )
  const next = await listSubmissions({ limit: 1, cursor: page.next_cursor ?? '' })
  assert.notEqual(next.data[0]?.submission_id, submission_id)
  const { available, data: ledger } = await getCredits()
  assert.deepEqual([available, ledger[0]?.available_change], [null, 0], 'the first workspace is unlimited')
  assert.equal((await getAuditTrail({ limit: 1 })).data[0]?.subject, submission_id)
})

test('an interrupted upload is retried and stored once', async () => {
  for (const final of [true, false]) {
    await using cutting = await startProxy(service.base, (request, _, index) => {
      if (request.method !== 'POST' || !request.url?.endsWith('/evidence') || index > 3) return false
      request.once('data', () => request.destroy())
      return true
    })
    const { submission_id } = await client().createSubmission({ label: 'cut' })
    const sent = await client(cutting.base).uploadEvidence(submission_id, large(), { final })
    assert.equal(sent.evidence.length, 1)
    assert.equal(sent.evidence[0]?.size_bytes, LARGE_BYTES)
    const uploads = cutting.requests.filter(({ path }) => path.endsWith('/evidence'))
    assert.ok(uploads.length > 1)
  }
})

test('an upload whose response was lost is stored once', async () => {
  for (const final of [true, false]) {
    await using lossy = await startProxy(service.base, async (request, response, index) => {
      if (request.method !== 'POST' || index > 0) return false
      await (await forward(service.base, request)).arrayBuffer()
      response.destroy()
      return true
    })
    const { submission_id } = await client().createSubmission({ label: 'lost' })
    const sent = await client(lossy.base).uploadEvidence(submission_id, [{ name: 'a.txt', content: 'a\n' }], {
      final,
    })
    assert.equal(sent.evidence.length, 1)
    assert.equal(lossy.requests.filter(({ method }) => method === 'POST').length, 2)
    assert.equal((await client().getSubmission(submission_id)).evidence.length, 1)
  }
})

test('a kit whose key was revoked is re-issued once, even if a response is lost', async () => {
  const { createSubmission, uploadEvidence, waitForResult } = client()
  const { submission_id } = await createSubmission({ label: 'revoked' })
  await uploadEvidence(submission_id, [{ name: 'a.txt', content: 'a\n' }])
  const { kit_id } = await waitForResult(submission_id)
  await using store = await openStore(service.config)
  const active = (await store.signingKeys.list()).find(({ state }) => state === 'active')
  await store.signingKeys.revoke(active?.kid ?? '')
  await using lossy = await startProxy(service.base, async (request, response, index) => {
    if (index > 0) return false
    await (await forward(service.base, request)).arrayBuffer()
    response.destroy()
    return true
  })
  const made = await client(lossy.base).reissueKit(submission_id)
  assert.equal(lossy.requests.length, 2)
  assert.deepEqual(made.replaces, { submission_id, kit_id })
  const ended = await waitForResult(made.submission_id)
  assert.equal(ended.status, 'PASS')
  assert.deepEqual((await client().getSubmission(submission_id)).replaced_by, {
    submission_id: made.submission_id,
    kit_id: ended.kit_id,
  })
})

test('an aborted upload stops at once and leaves the submission PENDING', async () => {
  const { createSubmission, uploadEvidence, getSubmission } = client()
  const { submission_id } = await createSubmission({ label: 'aborted' })
  const controller = new AbortController()
  const reason = new Error('enough')
  const onProgress = ({ doneBytes }: { doneBytes: number }): void => {
    if (doneBytes > 1_000_000) controller.abort(reason)
  }
  await assert.rejects(
    uploadEvidence(submission_id, large(), { signal: controller.signal, onProgress }),
    (error) => error === reason,
  )
  const left = await getSubmission(submission_id)
  assert.equal(left.status, 'PENDING')
  assert.deepEqual(left.evidence, [])
  const again = await uploadEvidence(submission_id, large())
  assert.equal(again.evidence.length, 1)
})

test('an upload that is too large fails with 413', async () => {
  const { createSubmission, uploadEvidence } = client()
  const { submission_id } = await createSubmission({ label: 'too large' })
  const huge = { name: 'huge.bin', sizeBytes: 200_000_000, read: () => zeros(200_000_000) }
  await assert.rejects(uploadEvidence(submission_id, [huge]), (error) => {
    assert.ok(error instanceof ApiError, String(error))
    assert.equal(error.status, 413)
    return true
  })
})

test('a file that changes during the upload is an error and is not retried', async () => {
  const { createSubmission, uploadEvidence } = client()
  const { submission_id } = await createSubmission({ label: 'changing' })
  const shrunk = { name: 'shrunk.txt', sizeBytes: 100, read: () => zeros(50) }
  await assert.rejects(uploadEvidence(submission_id, [shrunk]), /shrunk.txt changed while it was being read/)
})

test('a missing or invalid API key is rejected without a retry', async () => {
  const anyone = createClient({ baseUrl: service.base })
  await assert.rejects(anyone.createSubmission({ label: 'x' }), { status: 401 })
  const wrong = createClient({ baseUrl: service.base, apiKey: 'ks_wrong' })
  await assert.rejects(wrong.getKeys(), { code: 'api_key_invalid' })
})

async function submitted(label: string, files: readonly Evidence[]) {
  const { createSubmission, uploadEvidence, waitForResult } = client()
  const { submission_id } = await createSubmission({ label })
  await uploadEvidence(submission_id, files)
  return waitForResult(submission_id)
}

const LARGE_BYTES = 12_000_000

function large(): readonly Evidence[] {
  return [{ name: 'large.txt', sizeBytes: LARGE_BYTES, read: () => zeros(LARGE_BYTES) }]
}

async function* zeros(sizeBytes: number): AsyncIterable<Uint8Array> {
  const piece = new Uint8Array(100_000).fill(0x30)
  for (let left = sizeBytes; left > 0; left -= piece.length)
    yield piece.subarray(0, Math.min(left, piece.length))
}

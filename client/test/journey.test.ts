import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { testService, type TestService } from '../../test/kit/service.ts'
import { fileSink } from '../node/index.ts'
import { ApiError, createClient, NetworkError, NO_TRUST, NotVerifiedError, trustKeys } from '../src/index.ts'
import { startProxy, forward } from './proxy.ts'
import { testPlatform } from './platform.ts'

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

const client = (baseUrl = service.base, more = {}) =>
  createClient({ baseUrl, platform: testPlatform(), ...more })

test('the seven public endpoints work in their typical order', async () => {
  const {
    createIntakeJob,
    getIntakeJob,
    getKeys,
    getLogProof,
    getManifest,
    getReceipt,
    verifyReceipt,
    waitForJob,
  } = createClient({ baseUrl: service.base })
  const created = await createIntakeJob({ tenant_id: 'acme', scope_label: 'Quarter 3 · 監査' })
  const statuses: string[] = []
  const job = await waitForJob(created.job_id, { onStatus: ({ status }) => statuses.push(status) })
  assert.equal(job.status, 'ISSUED')
  assert.equal(statuses.at(-1), 'ISSUED')
  assert.equal(new Set(statuses).size, statuses.length)
  assert.deepEqual(await getIntakeJob(created.job_id), job)
  const kitId = job.kit_id ?? ''
  const receipt = await getReceipt(kitId)
  assert.match(await (await getLogProof(kitId)).text(), /^c2sp\.org\/tlog-proof@v1\nindex \d+\n/)
  assert.equal(receipt.scope, 'Quarter 3 · 監査')
  assert.equal((await getManifest(kitId)).manifest_sha256, receipt.manifest_sha256)
  assert.ok((await getKeys()).keys.some(({ kid }) => kid === receipt.public_key_kid))
  assert.equal((await verifyReceipt(receipt)).status, 'PASS')
})

test('an ApiError has the status, code, message and request ID of the response', async () => {
  await assert.rejects(client().getIntakeJob('job_none'), (error) => {
    assert.ok(error instanceof ApiError)
    assert.equal(error.status, 404)
    assert.equal(error.code, 'job_not_found')
    assert.equal(error.message, 'Job not found. Check the ID, and send the API key of its workspace.')
    assert.match(error.requestId, /^req_/)
    return true
  })
})

test('an ID cannot change the request path', async () => {
  for (const id of ['', '.', '..']) await assert.rejects(client().getManifest(id), TypeError)
  await assert.rejects(client().getManifest('../intake/jobs'), { code: 'kit_not_found' })
  await assert.rejects(client().getManifest('a?b#c'), { code: 'kit_not_found' })
})

test('an unreachable service is a NetworkError after all attempts', async () => {
  const platform = testPlatform()
  const absent = createClient({ baseUrl: 'http://127.0.0.1:1', platform })
  await assert.rejects(absent.getKeys(), (error) => {
    assert.ok(error instanceof NetworkError)
    assert.match(error.message, /^GET http:\/\/127\.0\.0\.1:1\/\.well-known\/jwks\.json: /)
    return true
  })
  assert.equal(platform.waits.length, 4)
})

test('a request without a response times out', async () => {
  await using silent = await startProxy(service.base, () => true)
  const impatient = client(silent.base, { timeoutMs: 20, retry: { attempts: 1 } })
  await assert.rejects(impatient.getKeys(), /no response within 0.02 s/)
  const controller = new AbortController()
  const waiting = client(silent.base).getKeys({ signal: controller.signal })
  controller.abort()
  await assert.rejects(waiting, { name: 'AbortError' })
})

test('an error of a proxy is retried, and a page of a proxy is an error', async () => {
  await using proxy = await startProxy(service.base, (_, response, index) => {
    if (index > 1) return false
    response.writeHead(502, { 'content-type': 'text/html', 'retry-after': '3' }).end('<h1>Bad Gateway</h1>')
    return true
  })
  const platform = testPlatform()
  assert.ok((await createClient({ baseUrl: proxy.base, platform }).getKeys()).keys.length > 0)
  assert.deepEqual(platform.waits, [3250, 3500])
  await using page = await startProxy(service.base, (_, response) => {
    response.end('<h1>Sign in</h1>')
    return true
  })
  await assert.rejects(client(page.base).getKeys(), { code: 'answer_not_understood', status: 200 })
})

test('a lost response does not create a duplicate', async () => {
  await using lossy = await startProxy(service.base, async (request, response, index) => {
    if (index > 1) return false
    await (await forward(service.base, request)).arrayBuffer()
    response.destroy()
    return true
  })
  const job = await client(lossy.base).createIntakeJob({ tenant_id: 'acme', scope_label: 'lost' })
  assert.match(job.job_id, /^job_/)
  const keys = new Set(lossy.requests.map(({ headers }) => headers['idempotency-key']))
  assert.equal(lossy.requests.length, 3)
  assert.equal(keys.size, 1)
  const again = await client(lossy.base, { platform: undefined }).createIntakeJob({
    tenant_id: 'acme',
    scope_label: 'lost',
  })
  assert.notEqual(again.job_id, job.job_id)
})

test('a redirect is not followed, because it could leak the API key', async () => {
  await using elsewhere = await startProxy(service.base, (_, response) => {
    response.writeHead(307, { location: `${service.base}/.well-known/jwks.json` }).end()
    return true
  })
  await assert.rejects(client(elsewhere.base).getKeys(), NetworkError)
})

test("a kit is saved after it was verified with the caller's keys", async () => {
  const { kitId } = await service.issue()
  const keys = await client().getKeys()
  const { saved, report } = await client().downloadKit(kitId, { trust: trustKeys(keys) })
  assert.equal(report.status, 'PASS')
  const path = join(folder, 'kit.zip')
  const pinned = { ...NO_TRUST, kids: keys.keys.map(({ kid }) => kid) }
  const onDisk = await client().downloadKit(kitId, { trust: pinned, into: fileSink(path) })
  assert.equal(onDisk.saved, path)
  assert.deepEqual(new Uint8Array(await saved.arrayBuffer()), new Uint8Array(await readAll(path)))
  assert.deepEqual(readdirSync(folder), ['kit.zip'])
  assert.equal((await client().verifyKit(saved)).status, 'PASS')
  assert.equal((await client().verifyKit(saved.slice(1))).status, 'FAIL')
})

test('a kit that fails verification, or has another ID, is discarded', async () => {
  const { kitId } = await service.issue()
  const { kitId: other } = await service.issue()
  const trust = trustKeys(await client().getKeys())
  const path = join(folder, 'bad.zip')
  const nobody = { ...NO_TRUST, kids: ['A'.repeat(43)] }
  await assert.rejects(client().downloadKit(kitId, { trust: nobody, into: fileSink(path) }), NotVerifiedError)
  await assert.rejects(client().downloadKit(kitId, { trust: NO_TRUST }), /signer_not_trusted/)

  await using tampering = await startProxy(service.base, async (request, response) => {
    const bytes = Buffer.from(await (await forward(service.base, request)).arrayBuffer())
    const at = bytes.indexOf('acme')
    bytes[at] = 0x41
    response.end(bytes)
    return true
  })
  await assert.rejects(
    client(tampering.base).downloadKit(kitId, { trust, into: fileSink(path) }),
    (error) => error instanceof NotVerifiedError && error.report.status === 'FAIL',
  )
  await using swapping = await startProxy(service.base, async (_, response) => {
    response.end(Buffer.from(await (await fetch(`${service.base}/v1/kits/${other}/download`)).arrayBuffer()))
    return true
  })
  await assert.rejects(
    client(swapping.base).downloadKit(kitId, { trust, into: fileSink(path) }),
    /a different kit than/,
  )
  assert.equal(existsSync(path), false)
  assert.ok(readdirSync(folder).every((name) => !name.includes('bad')))
})

test('an interrupted download is resumed', async () => {
  const { kitId } = await service.issue()
  await using cutting = await startProxy(service.base, async (request, response, index) => {
    if (index > 5) return false
    const answer = await forward(service.base, request)
    const bytes = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.write(bytes.subarray(0, 10_000), () => response.destroy())
    return true
  })
  const progress: number[] = []
  const { report, saved } = await client(cutting.base).downloadKit(kitId, {
    trust: trustKeys(await client().getKeys()),
    onProgress: ({ doneBytes }) => progress.push(doneBytes),
  })
  assert.equal(report.status, 'PASS')
  assert.equal(progress.at(-1), saved.size)
  assert.ok(progress.every((done, at) => done >= (progress[at - 1] ?? 0)))
  const ranges = cutting.requests.map(({ headers }) => headers.range)
  assert.equal(ranges.length, 7)
  assert.match(ranges[6] ?? '', /^bytes=[1-9]\d*-$/)
})

test('a download restarts if the content has changed', async () => {
  const { kitId } = await service.issue()
  const whole = Buffer.from(await (await fetch(`${service.base}/v1/kits/${kitId}/download`)).arrayBuffer())
  await using changing = await startProxy(service.base, async (_, response, index) => {
    const etag = `"${index}"`
    const length = String(whole.length)
    response.writeHead(200, { etag, 'content-length': length })
    if (index > 0) response.end(whole)
    else response.write(Buffer.alloc(5000), () => response.destroy())
    return true
  })
  const trust = trustKeys(await client().getKeys())
  const { saved } = await client(changing.base).downloadKit(kitId, { trust })
  assert.equal(saved.size, whole.length)
})

test('an aborted download leaves no file', async () => {
  const { kitId } = await service.issue()
  const controller = new AbortController()
  const options = {
    trust: trustKeys(await client().getKeys()),
    into: fileSink(join(folder, 'aborted.zip')),
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('enough')),
  }
  await assert.rejects(client().downloadKit(kitId, options), /^Error: enough$/)
  assert.ok(readdirSync(folder).every((name) => !name.includes('aborted')))
})

test('polling starts fast and slows down to Retry-After', async () => {
  await using slow = await startProxy(service.base, (_, response, index) => {
    response.setHeader('retry-after', '3')
    response.end(JSON.stringify({ status: index < 8 ? 'RUNNING' : 'PASS', boundary: '' }))
    return true
  })
  const platform = testPlatform()
  const statuses: string[] = []
  await createClient({ baseUrl: slow.base, platform }).waitForResult('sub_x', {
    onStatus: ({ status }) => statuses.push(status),
  })
  assert.deepEqual(statuses, ['RUNNING', 'PASS'])
  assert.deepEqual(platform.waits, [50, 100, 200, 400, 800, 1600, 3000, 3000])
})

test('an error of the sink, such as a full disk, is not retried', async () => {
  const { kitId } = await service.issue()
  const platform = testPlatform()
  const into = { ...fileSink(join(folder, 'full.zip')), write: () => Promise.reject(new Error('disk full')) }
  const trust = trustKeys(await client().getKeys())
  const { downloadKit } = createClient({ baseUrl: service.base, platform })
  await assert.rejects(downloadKit(kitId, { trust, into }), /disk full/)
  assert.deepEqual(platform.waits, [])
})

test('an invalid base URL or API key is rejected at once', () => {
  for (const baseUrl of ['127.0.0.1:8080', 'ftp://x', 'https://user:pass@x', 'https://x/?y', ''])
    assert.throws(() => createClient({ baseUrl }), TypeError)
  assert.throws(() => createClient({ baseUrl: 'https://x', apiKey: 'ks_ä' }), TypeError)
})

async function readAll(path: string): Promise<Buffer> {
  const { readFile } = await import('node:fs/promises')
  return readFile(path)
}

import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { PublicKits } from '@kitseal/server'
import { until } from '../../kit/until.ts'
import { type Browser, member } from '../../kit/console.ts'
import { rawRequest } from '../../kit/raw-http.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { administer, form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

const EVIDENCE_NAME = 'salaries-2026.txt'
const EVIDENCE = 'salary of Ada Lovelace: 1815'

let service: TestService
let owner: WorkspaceClient
let stranger: WorkspaceClient
let viewer: Browser
let foreigner: Browser
let paths: Readonly<Record<'job' | 'receipt' | 'manifest' | 'download', string>>

before(async () => {
  service = await testService()
  owner = await workspaceClient(service)
  stranger = await workspaceClient(service)
  const id = await owner.submission()
  await owner.upload(id, form({ [EVIDENCE_NAME]: EVIDENCE }))
  const { job_id, kit_id } = await owner.ended(id)
  paths = {
    job: `/v1/intake/jobs/${String(job_id)}`,
    receipt: `/v1/kits/${String(kit_id)}/receipt`,
    manifest: `/v1/kits/${String(kit_id)}/manifest`,
    download: `/v1/kits/${String(kit_id)}/download`,
  }
  viewer = await member(service, 'viewer', owner.workspaceId)
  foreigner = await member(service, 'owner', stranger.workspaceId)
})
after(() => service[Symbol.asyncDispose]())

const set = (publicKits: PublicKits): Promise<unknown> =>
  administer(service, (admin) =>
    admin.workspaces.update(owner.workspaceId as never, { publicKits }, { is: 'operator' }),
  )

const cookieOf = (user: Browser): Record<string, string> => ({
  cookie: [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
})

async function statuses(headers: Record<string, string> = {}): Promise<Record<string, number>> {
  const all: Record<string, number> = {}
  for (const [name, path] of Object.entries(paths)) {
    all[name] = (await service.call(path, { headers })).status
    const head = await fetch(service.base + path, { method: 'HEAD', headers })
    assert.equal(head.status, all[name], `HEAD ${path}`)
  }
  return all
}

const EVERYTHING = { job: 200, receipt: 200, manifest: 200, download: 200 }
const RECEIPT = { job: 200, receipt: 200, manifest: 404, download: 404 }
const NOTHING = { job: 404, receipt: 404, manifest: 404, download: 404 }

test('the job and the receipt of a workspace are public by default, and its files are not', async () => {
  assert.deepEqual(await statuses(), RECEIPT)
})

for (const [setting, expected] of Object.entries({ receipts: RECEIPT, all: EVERYTHING, none: NOTHING }))
  test(`with public_kits ${setting}, strangers get what it says, and the workspace gets everything`, async () => {
    await set(setting as PublicKits)
    assert.deepEqual(await statuses(), expected, 'nobody')
    assert.deepEqual(await statuses({ 'x-api-key': stranger.key }), expected, 'another key')
    assert.deepEqual(await statuses(cookieOf(foreigner)), expected, "another workspace's member")
    assert.deepEqual(await statuses({ cookie: 'kitseal-console=nonsense' }), expected, 'an invalid cookie')
    assert.deepEqual(await statuses({ 'x-api-key': owner.key }), EVERYTHING, 'the key')
    assert.deepEqual(await statuses(cookieOf(viewer)), EVERYTHING, 'a member')
  })

test('the kit of an anonymous job is public', async () => {
  const { kitId } = await service.issue()
  for (const name of ['manifest', 'receipt', 'download'])
    assert.equal((await service.call(`/v1/kits/${kitId}/${name}`)).status, 200, name)
})

test('a job created with a key is private by default', async () => {
  const body = { tenant_id: stranger.workspaceId, scope_label: 'with a key' }
  const created = await stranger.post('/v1/intake/jobs', body)
  const job = `/v1/intake/jobs/${String(created.json['job_id'])}`
  await until(async () => (await service.call(job)).json['status'] === 'ISSUED')
  const kit = `/v1/kits/${String((await service.call(job)).json['kit_id'])}`
  assert.equal((await service.call(`${kit}/receipt`)).status, 200)
  assert.equal((await service.call(`${kit}/manifest`)).status, 404)
  assert.equal((await stranger.get(`${kit}/manifest`)).status, 200)
})

test('a session that has ended gets what strangers get', async () => {
  await set('receipts')
  const guest = await member(service, 'viewer', owner.workspaceId, 'guest@acme.example')
  const headers = cookieOf(guest)
  assert.deepEqual(await statuses(headers), EVERYTHING)
  await guest.post('/sign-out')
  assert.deepEqual(await statuses(headers), RECEIPT)
})

test('a hidden manifest or kit looks exactly like a missing one, whatever is asked of it', async () => {
  const requests = [
    { method: 'GET' },
    { method: 'HEAD' },
    { method: 'POST' },
    { method: 'GET', range: 'bytes=0-0' },
    { method: 'GET', range: 'bytes=999999999-' },
    { method: 'GET', 'if-none-match': '*' },
    { method: 'GET', 'if-match': '"x"' },
    { method: 'GET', cookie: 'kitseal-console=nonsense' },
    { method: 'GET', accept: 'text/html' },
  ]
  await set('none')
  for (const path of Object.values(paths))
    for (const request of requests)
      assert.equal(
        await exactly(path, request),
        await exactly(missing(path), request),
        JSON.stringify(request),
      )
  await set('receipts')
  for (const path of [paths.manifest, paths.download])
    for (const request of requests)
      assert.equal(
        await exactly(path, request),
        await exactly(missing(path), request),
        JSON.stringify(request),
      )
})

const missing = (path: string): string => path.replace(/((?:kit|job)_).{10}/, '$1AAAAAAAAAA')

/** The whole response, without what differs between any two requests. */
async function exactly(path: string, request: Readonly<Record<string, string>>): Promise<string> {
  const { method = 'GET', ...fields } = request
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${lines.join('')}\r\n`
  const { status, headers, json } = await rawRequest(service.base, head)
  const { date: _date, traceparent: _traceparent, ...others } = headers
  return JSON.stringify({ status, headers: others, json }).replaceAll(/req_[\w-]+/g, '')
}

const caching = async (path: string, headers: Record<string, string> = {}): Promise<string | null> =>
  (await service.call(path, { headers })).headers.get('cache-control')

test('what a key or a session unlocks is not cached, what is public may be', async () => {
  await set('receipts')
  for (const headers of [{ 'x-api-key': owner.key }, cookieOf(viewer)])
    for (const path of Object.values(paths))
      assert.match((await caching(path, headers)) ?? '', /no-store/, path)
  assert.equal(await caching(paths.receipt), 'private, max-age=31536000, immutable')
  assert.equal(await caching(paths.download), 'no-store')
})

test('verifying the receipt of a private kit never names its files', async () => {
  await set('receipts')
  const receipt = (await service.call(paths.receipt)).bytes.toString()
  const verified = async (headers = {}) =>
    (await service.post('/v1/verify/receipt', receipt, headers)).json as {
      status: string
      errors: string[]
      checks: { why?: string }[]
    }
  assert.equal((await verified()).status, 'PASS')
  damageEvidence()
  const known = await verified({ 'x-api-key': owner.key })
  assert.ok(
    known.errors.some((error) => error.includes(EVIDENCE_NAME)),
    'the workspace sees which file',
  )
  const unknown = await verified()
  assert.equal(unknown.status, 'FAIL')
  assert.deepEqual(unknown.errors, [
    'artifact_hash_mismatch: A file was changed: its SHA-256 differs from the one in the manifest.',
  ])
  assert.ok(!JSON.stringify(unknown).includes(EVIDENCE_NAME))
})

/** Changes the stored evidence. Must be the last test. */
function damageEvidence(): void {
  const files = globSync('objects/?/*', { cwd: service.dataFolder }).map((file) =>
    join(service.dataFolder, file),
  )
  const evidence = files.filter((file) => readFileSync(file, 'utf8') === EVIDENCE)
  assert.equal(evidence.length, 1)
  for (const file of evidence) writeFileSync(file, 'x'.repeat(EVIDENCE.length))
}

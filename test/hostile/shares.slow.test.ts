import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestService, testService } from '../kit/service.ts'
import { administer, form, type WorkspaceClient, workspaceClient } from '../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient
before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
})
after(() => service[Symbol.asyncDispose]())

async function seal() {
  const submission = await acme.submission()
  await acme.upload(submission, form({ 'a.txt': 'secret plans' }))
  return { submission, kit: String((await acme.ended(submission))['kit_id']) }
}

const expires_at = new Date(Date.now() + 86_400_000).toISOString()
const send = (url: string, method: string, body: object) =>
  fetch(url, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

test('once DELETE has answered, no evidence is served, by key or by link', async () => {
  const { submission, kit } = await seal()
  const link = String((await acme.post('/v1/shares', { kit_id: kit, expires_at })).json['url'])
  const read = (path: string) => fetch(service.base + path, { headers: { 'x-api-key': acme.key } })
  const places = [`/v1/kits/${kit}/download`, `/v1/kits/${kit}/files/data/a.txt`]
  const shared = ['/kit.zip', '/files/data/a.txt', '/view/kit.zip', '/proofs/data/a.txt']
  for (const path of places) assert.equal((await read(path)).status, 200)
  for (const path of shared) assert.equal((await fetch(link + path)).status, 200)
  const admin = await administer(service, ({ keys }) =>
    keys.create(acme.workspaceId as never, { label: 'admin', scopes: ['admin', 'read'] }, { is: 'operator' }),
  )
  const order = { method: 'DELETE', headers: { 'x-api-key': admin.text } }
  assert.equal((await fetch(`${service.base}/v1/submissions/${submission}`, order)).status, 204)
  for (const path of places) assert.equal((await read(path)).status, 410, path)
  for (const path of shared) assert.equal((await fetch(link + path)).status, 410, path)
})

test('a share that is used up or revoked answers no HEAD and no proof', async () => {
  const { kit } = await seal()
  const made = (await acme.post('/v1/shares', { kit_id: kit, expires_at, max_downloads: 1 })).json
  const link = String(made['url'])
  assert.equal((await fetch(`${link}/kit.zip`)).status, 200)
  const requests = async () => [
    (await fetch(`${link}/kit.zip`, { method: 'HEAD' })).status,
    (await fetch(`${link}/files/data/a.txt`, { method: 'HEAD' })).status,
    (await fetch(`${link}/proofs/data/a.txt`)).status,
  ]
  const used = (await fetch(`${link}/kit.zip`)).status
  assert.ok(used >= 400)
  assert.deepEqual(await requests(), [used, used, used])
  await service.call(`/v1/shares/${String(made['share_id'])}`, {
    method: 'DELETE',
    headers: { 'x-api-key': acme.key },
  })
  assert.deepEqual(await requests(), [410, 410, 410])
})

test('a stranger who types the address of a reviewer does not take the reviewer’s tick', async () => {
  const { kit } = await seal()
  const recipients = ['ann@auditor.example']
  const room = (await acme.post('/v1/rooms', { title: 'Audit', kits: [kit], expires_at, recipients })).json
  const base = `/v1/rooms/${String(room['room_id'])}`
  const [ann] = room['recipients'] as readonly { readonly url: string }[]
  const anyone = (await acme.post(`${base}/links`, {})).json['url']
  const tick = (url: unknown, name?: string) =>
    send(`${String(url)}/reviews`, 'PUT', { kit_id: kit, is_reviewed: true, ...(name && { name }) })
  assert.equal((await tick(anyone, 'ann@auditor.example')).status, 204)
  assert.equal((await tick(ann?.url)).status, 204)
  const { data } = (await acme.get(`${base}/reviews`)).json as {
    readonly data: readonly { readonly reviewer_basis: string }[]
  }
  assert.deepEqual(data.map((each) => each.reviewer_basis).toSorted(), ['not_verified', 'recipient'])
})

test('no write of a link is free, and remarks come in pages', async () => {
  const { kit } = await seal()
  const made = (await acme.post('/v1/rooms', { title: 'Audit', kits: [kit], expires_at })).json
  const url = String(made['url'])
  const comment = { kit_id: kit, text: 'ü'.repeat(4000), name: 'Stranger' }
  const statuses: number[] = []
  while (statuses.at(-1) !== 429) {
    statuses.push((await send(`${url}/comments`, 'POST', comment)).status)
    assert.ok(statuses.length < 100, 'the bytes of a link are limited')
  }
  const withdraw = { kit_id: kit, is_reviewed: false, name: 'Stranger' }
  let writes = statuses.length
  for (; (await send(`${url}/reviews`, 'PUT', withdraw)).status === 204; writes += 50)
    await Promise.all(Array.from({ length: 49 }, () => send(`${url}/reviews`, 'PUT', withdraw)))
  assert.ok(writes <= 1050, 'withdrawals count, too')
  assert.equal((await send(`${url}/comments`, 'POST', { bad: null })).status, 429, 'before anything else')

  const id = String(made['room_id'])
  for (let written = 0; written < 100; written += 1)
    assert.equal((await acme.post(`/v1/rooms/${id}/comments`, { kit_id: kit, text: 'Noted.' })).status, 201)
  const page = async (number: number) =>
    (await (await fetch(`${url}/remarks.json?after=${number}`)).json()) as {
      readonly comments: readonly object[]
      readonly next: number | null
    }
  const first = await page(0)
  assert.equal(first.comments.length, 100)
  const rest = await page(first.next ?? 0)
  assert.deepEqual([rest.comments.length, rest.next], [statuses.length - 1, null])
})

test('comments of all links of a room together are limited in bytes, and the workspace can still answer', async () => {
  const { kit } = await seal()
  const recipients = Array.from({ length: 6 }, (_, index) => `reviewer${index}@auditor.example`)
  const room = (await acme.post('/v1/rooms', { title: 'Audit', kits: [kit], expires_at, recipients })).json
  let bytes = 0
  for (const { url } of room['recipients'] as readonly { readonly url: string }[])
    while ((await send(`${url}/comments`, 'POST', { kit_id: kit, text: 'ü'.repeat(4000) })).status === 201)
      bytes += 8000
  assert.ok(bytes > 900_000 && bytes <= 1024 * 1024, String(bytes))
  const reply = { kit_id: kit, text: 'Enough.' }
  assert.equal((await acme.post(`/v1/rooms/${String(room['room_id'])}/comments`, reply)).status, 201)
})

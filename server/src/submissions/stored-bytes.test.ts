import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { eraseObjects, sweepUnaccepted } from '../maintenance/sweep-objects.ts'
import { openStore } from '../open-store.ts'
import { type Answer, supplierClient } from '../../../test/kit/supplier.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'
import { startUpload } from '../../../test/kit/piecewise-upload.ts'
import { metadata, tusClient } from '../../../test/kit/tus.ts'
import { administer, form, type WorkspaceClient, workspaceClient } from '../../../test/kit/workspace.ts'

const LIMIT = 200_000
const SIZE = 120_000

let service: TestService
let acme: WorkspaceClient

before(async () => {
  service = await testService()
  await administer(service, (admin) => admin.plans.create('small', { uploadLimitBytes: LIMIT }))
  acme = await workspaceClient(service, { plan: 'small' })
})
after(() => service[Symbol.asyncDispose]())

for (const by of ['tus', 'form'] as const)
  test(`who uploads by ${by} and removes, again and again, stores twice the upload limit through a link, until the bytes are gone`, async () => {
    const supplier = await linkOf(acme)
    const send = by === 'tus' ? supplier.tus : supplier.form
    for (let round = 0; round < 3; round += 1) {
      assert.ok((await send(randomBytes(SIZE))).status < 300)
      await supplier.removeAll()
    }
    const refused = await send(randomBytes(SIZE))
    assert.deepEqual([refused.status, refused.json['code']], [413, 'storage_limit_reached'])
    assert.ok((await send(Buffer.from('what still fits'))).status < 300)

    const bytes = await storedBytes()
    await sweepLater()
    assert.ok(bytes - (await storedBytes()) >= 3 * SIZE, 'removed files are deleted')
    assert.ok((await send(randomBytes(SIZE))).status < 300, 'the bytes do not count any more')
  })

test('a file that is removed and uploaded again is not deleted', async () => {
  const supplier = await linkOf(acme)
  const content = randomBytes(SIZE)
  await supplier.form(content)
  await supplier.removeAll()
  await supplier.form(content)
  await sweepLater()
  const id = await supplier.client.draft()
  assert.equal(await supplier.client.submit(id), 'PASS')
})

test('files that a failed round passes on to the next count once', async () => {
  const supplier = await linkOf(acme)
  for (let round = 0; round < 3; round += 1) {
    const id = await supplier.client.draft()
    const file = { [`a/${round}.txt`]: `MZ${'\0'.repeat(300)}`, [`a/${round}.bin`]: randomBytes(30_000) }
    assert.equal((await supplier.client.upload(id, file)).status, 202)
    assert.equal(await supplier.client.submit(id), 'FAIL')
  }
  const id = await supplier.client.draft()
  assert.equal((await supplier.client.upload(id, { 'a/4.bin': randomBytes(30_000) })).status, 202)
})

test('bytes of an upload that another one overtook are deleted at once', async () => {
  const [id, bytes] = [await acme.submission(), await storedBytes()]
  const text = randomBytes(SIZE).toString('hex').slice(0, SIZE)
  await using slow = startUpload({ base: service.base, key: acme.key, submissionId: id })
  slow.send(text)
  const tus = tusClient(service, acme)
  await tus.create(
    id,
    'small.txt',
    4,
    { 'content-type': 'application/offset+octet-stream' },
    Buffer.from('tiny'),
  )
  slow.send('\r\n--x--\r\n')
  assert.match(await slow.response(), /^HTTP\/1.1 409/)
  assert.equal(await storedBytes(), bytes + 'tiny'.length)
})

test('a workspace stores no more than its plan allows, by form, tus or link, and a deleted submission makes room', async () => {
  await administer(service, (admin) =>
    admin.plans.create('limited', { uploadLimitBytes: LIMIT, storageLimitBytes: 300_000 }),
  )
  const client = await workspaceClient(service, { plan: 'limited' })
  const tus = tusClient(service, client)
  const supplier = await linkOf(client)
  const first = await client.submission()
  assert.equal(
    (await client.upload(first, form({ 'a.bin': randomBytes(SIZE) }, { final: false }))).status,
    202,
  )
  const second = await client.submission()
  const path = await tus.upload(second, 'b.bin', SIZE)
  const third = await client.submission()
  const tooMuch = [
    await client.upload(third, form({ 'c.bin': randomBytes(SIZE) })),
    await tus.create(third, 'c.bin', SIZE),
    await supplier.form(randomBytes(SIZE)),
    await supplier.tus(randomBytes(SIZE)),
  ]
  for (const { status, json } of tooMuch)
    assert.deepEqual([status, json['code']], [413, 'storage_limit_reached'])
  assert.equal((await tus.append(path, 0, randomBytes(SIZE))).status, 204, 'its size was reserved')
  assert.equal(await countedBytes(client), 2 * SIZE)

  const deleted = await service.call(`/v1/submissions/${first}`, {
    method: 'DELETE',
    headers: { 'x-api-key': client.key },
  })
  assert.equal(deleted.status, 204)
  assert.equal(await countedBytes(client), SIZE)
  assert.equal(
    (await client.upload(third, form({ 'c.bin': randomBytes(SIZE) }, { final: false }))).status,
    202,
  )
})

test('uploads at the same time do not pass the limit of the workspace together', async () => {
  await administer(service, (admin) => admin.plans.create('tight', { storageLimitBytes: 2 * SIZE }))
  const client = await workspaceClient(service, { plan: 'tight' })
  const ids = await Promise.all(Array.from({ length: 6 }, () => client.submission()))
  const uploads = await Promise.all(
    ids.map((id) => client.upload(id, form({ 'a.bin': randomBytes(SIZE) }, { final: false }))),
  )
  assert.equal(uploads.filter(({ status }) => status === 202).length, 2)
  assert.equal(await countedBytes(client), 2 * SIZE)
})

/** A request, and someone who has its link. */
async function linkOf(client: WorkspaceClient) {
  const items = [{ id: 'a', title: 'Anything' }]
  const created = await client.post('/v1/requests', { title: 'Access review', items })
  const supplier = supplierClient(service, (created.json['link'] as { readonly url: string }).url)
  let count = 0
  const name = (): string => `a/${(count += 1)}.bin`
  return {
    client: supplier,
    form: async (bytes: Uint8Array): Promise<Answer> =>
      supplier.upload(await supplier.draft(), { [name()]: bytes }),
    tus: async (bytes: Uint8Array): Promise<Answer> =>
      supplier.call(`/v1/submissions/${await supplier.draft()}/uploads`, {
        method: 'POST',
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': String(bytes.length),
          'upload-metadata': metadata({ filename: name() }),
          'content-type': 'application/offset+octet-stream',
        },
        body: new Uint8Array(bytes),
      }),
    removeAll: async (): Promise<void> => {
      for (const { files } of await supplier.items())
        for (const { position } of files)
          assert.equal((await supplier.call(`/files/${position}`, { method: 'DELETE' })).status, 204)
    },
  }
}

async function storedBytes(): Promise<number> {
  await using store = await openStore(service.config)
  let sum = 0
  for await (const { sizeBytes } of store.objects.list()) sum += sizeBytes
  return sum
}

async function countedBytes({ workspaceId }: WorkspaceClient): Promise<number> {
  await using store = await openStore(service.config)
  const row = await store.db
    .selectFrom('workspaces')
    .select('stored_bytes')
    .where('workspace_id', '=', workspaceId as never)
    .executeTakeFirstOrThrow()
  return Number(row.stored_bytes)
}

/** What maintenance does in the minutes to come. */
async function sweepLater(): Promise<void> {
  await using store = await openStore(service.config)
  await eraseObjects(store)
  await sweepUnaccepted({ ...store, config: service.config })
}

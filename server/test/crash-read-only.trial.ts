// Only in test:all: mounts file systems; crash-faults.trial.ts has full and read-only disks
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkedClient } from './checked-client.ts'
import { assertRecovers, assertServed, assertUnavailable, scene, type Scene } from './fault-scene.ts'
import { type JournaledDisk, journaledDisk, diskSkipReason } from './journaled-disk.ts'
import { serviceProcess } from './service-process.ts'
import { clientOf, form } from './workspace-client.ts'

const needsDisk = { skip: diskSkipReason() }

test(
  'with a read-only database writes are refused with 503 and reads work; the service recovers by itself',
  needsDisk,
  async () => {
    using disk = journaledDisk()
    await using at = await scene(join(disk.folder, 'data'))
    const { waiting, sent } = await twoSubmissions(at)
    freezeDatabase(disk, at, true)
    await isReadOnly(at, waiting)
    freezeDatabase(disk, at, false)
    assert.equal((await at.client.upload(waiting, form({ 'a.txt': 'again' }))).status, 202)
    for (const id of [waiting, sent]) assert.equal((await at.client.ended(id))['status'], 'PASS')
    await assertRecovers(at)
  },
)

test(
  'after the kernel makes the disk read-only, writes are refused with 503; after its repair all acknowledged evidence is there',
  needsDisk,
  async () => {
    using disk = journaledDisk()
    await using at = await scene(join(disk.folder, 'data'))
    const { waiting, sent } = await twoSubmissions(at)
    disk.turnReadOnly()
    await isReadOnly(at, waiting)
    await at.service.end('SIGTERM')
    await assert.rejects(serviceProcess({ KITSEAL_DATA: at.data }), /read-only .*you can write/s)

    disk.repair()
    const service = await serviceProcess({ KITSEAL_DATA: at.data, KITSEAL_LEASE_SECONDS: '2' })
    const { workspaceId, key } = at.client
    const client = clientOf({ call: checkedClient(service.base) }, workspaceId, key)
    await assertServed({ client, kitId: at.kitId })
    assert.equal((await client.upload(waiting, form({ 'a.txt': 'again' }))).status, 202)
    for (const id of [waiting, sent]) assert.equal((await client.ended(id))['status'], 'PASS')
    await assertRecovers({ data: at.data, client, service })
  },
)

/** One without evidence, and one whose evidence was just acknowledged. */
async function twoSubmissions({ client }: Scene): Promise<{ waiting: string; sent: string }> {
  const [waiting, sent] = [await client.submission(), await client.submission()]
  assert.equal((await client.upload(sent, form({ 'a.txt': 'acknowledged' }))).status, 202)
  return { waiting, sent }
}

/** The third file, `-shm`, is shared memory: it stays writable on a read-only disk. */
function freezeDatabase(disk: JournaledDisk, { data }: Scene, frozen: boolean): void {
  const files = ['kitseal.sqlite', 'kitseal.sqlite-wal']
  disk.freeze(
    files.map((name) => join(data, name)),
    frozen,
  )
}

async function isReadOnly(at: Scene, waiting: string): Promise<void> {
  const { client } = at
  for (let round = 0; round < 2; round += 1) {
    assertUnavailable(await client.post('/v1/submissions', { label: 'while nothing can be written' }))
    assertUnavailable(
      await client.post('/v1/intake/jobs', { tenant_id: client.workspaceId, scope_label: 'the same' }),
    )
    assertUnavailable(await client.upload(waiting, form({ 'a.txt': 'while nothing can be written' })))
    const { status, evidence } = (await client.get(`/v1/submissions/${waiting}`)).json
    assert.deepEqual([status, evidence], ['PENDING', []], 'a refused request changes nothing')
  }
  await assertServed(at)
  const receipt = (await client.get(`/v1/kits/${at.kitId}/receipt`)).bytes.toString()
  assert.equal((await client.post('/v1/verify/receipt', receipt)).json['status'], 'PASS')
  assert.equal((await client.get('/v1/submissions')).status, 200)
  assert.equal((await fetch(`${at.service.base}/healthz`)).status, 200)
}

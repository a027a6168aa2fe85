import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { assertServed, assertUnavailable, assertWorks, scene, type Scene } from './fault-scene.ts'
import { until } from '../../test/kit/until.ts'
import { form } from '../../test/kit/workspace.ts'

const DISK_MEGABYTES = 24
const WHOLE_MB = 1024 * 1024

async function assertUploadUnavailable({ client }: Scene, id: string, bytes: number): Promise<void> {
  assertUnavailable(await client.upload(id, form({ 'a.txt': Buffer.alloc(bytes, 'a') })))
}

const diskOrSkip = ((): { readonly skip: string | false } => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-disk-'))
  const mounted = mount(folder)
  if (mounted) spawnSync('umount', [folder])
  rmSync(folder, { recursive: true })
  const skip = mounted ? false : 'cannot mount a file system here: full and read-only disks were NOT tested'
  if (skip !== false) console.log(`skipped: ${skip}`)
  return { skip }
})()

function mount(folder: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', folder]).status === 0
}

function smallDisk(): Disposable & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-disk-'))
  assert.ok(mount(folder))
  return {
    folder,
    [Symbol.dispose]: () => {
      spawnSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

describe('on a small disk', diskOrSkip, () => {
  let disk: ReturnType<typeof smallDisk>
  let at: Scene
  before(async () => {
    disk = smallDisk()
    // Without the reserve, so that the disk is full
    at = await scene(join(disk.folder, 'data'), { KITSEAL_MIN_FREE_BYTES: '0' })
  })
  after(async () => {
    assert.equal(await at.service.end('SIGTERM'), 0)
    disk[Symbol.dispose]()
  })

  test('when it is full, uploads are refused with 503 and kits are served; freeing space is enough to recover', async () => {
    const id = await at.client.submission()
    const filler = join(disk.folder, 'filler')
    fill(filler)
    await assertUploadUnavailable(at, id, 3 * WHOLE_MB)
    await assertServed(at)
    assert.equal((await fetch(`${at.service.base}/healthz`)).status, 200)
    assert.match(await notReady(at), /disk \(the disk of the data folder is full\)/)
    rmSync(filler)
    await until(async () => (await notReady(at)) === '')
    await assertWorks(at)
  })

  test('an upload that fills it is refused with 503 and leaves nothing behind', async () => {
    const id = await at.client.submission()
    await assertUploadUnavailable(at, id, DISK_MEGABYTES * WHOLE_MB)
    assert.equal((await at.client.get(`/v1/submissions/${id}`)).json['status'], 'PENDING')
    await assertServed(at)
    await assertWorks(at)
  })

  test('with a read-only object store uploads are refused with 503 and kits are served; the service recovers by itself', async () => {
    const id = await at.client.submission()
    const objects = join(at.data, 'objects')
    assert.equal(spawnSync('mount', ['--bind', objects, objects]).status, 0)
    assert.equal(spawnSync('mount', ['-o', 'remount,bind,ro', objects]).status, 0)
    await assertUploadUnavailable(at, id, 1000)
    await assertServed(at)
    assert.equal(spawnSync('mount', ['-o', 'remount,bind,rw', objects]).status, 0)
    await assertWorks(at)
    spawnSync('umount', ['-l', objects])
  })
})

describe('on a disk with errors', () => {
  const data = mkdtempSync(join(tmpdir(), 'kitseal-faulty-'))
  const file = join(data, 'fault')
  let at: Scene
  before(async () => {
    const preload = new URL('./faulty-disk.ts', import.meta.url).href
    at = await scene(data, { FAULT_FILE: file, NODE_OPTIONS: `--import=${preload}` })
  })
  after(async () => {
    assert.equal(await at.service.end('SIGTERM'), 0)
    rmSync(data, { recursive: true })
  })

  for (const fault of ['write EIO', 'sync EIO'])
    test(`uploads are refused with 503 while it reports ${fault}, and nothing counts as stored`, async () => {
      const id = await at.client.submission()
      writeFileSync(file, fault)
      // Large enough to be written during the upload.
      await assertUploadUnavailable(at, id, 20 * WHOLE_MB)
      await assertServed(at)
      rmSync(file)
      await assertWorks(at)
    })

  test('a stuck disk delays uploads only', async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, () => at.client.submission()))
    writeFileSync(file, 'stuck')
    let acknowledged = 0
    const uploads = ids.map(async (id) => {
      const { status } = await at.client.upload(id, form({ 'a.txt': `slow ${id}` }))
      acknowledged += 1
      return status
    })
    for (let count = 0; count < 20; count += 1)
      assert.equal((await at.client.get(`/v1/submissions/${ids[0]}`)).status, 200)
    assert.equal(acknowledged, 0)
    rmSync(file)
    assert.deepEqual(await Promise.all(uploads), [202, 202, 202])
    for (const id of ids) assert.equal((await at.client.ended(id))['status'], 'PASS')
    await assertWorks(at)
  })
})

async function notReady({ service }: Scene): Promise<string> {
  const response = await fetch(`${service.base}/readyz`)
  return response.ok ? '' : String(((await response.json()) as { message: string }).message)
}

function fill(file: string): void {
  for (const unit of ['1M', '1k'])
    spawnSync('dd', ['if=/dev/zero', `of=${file}`, `bs=${unit}`, 'oflag=append', 'conv=notrunc'])
}

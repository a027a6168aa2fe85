// With S3: without a server, its tests are skipped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { readObjectsLocation } from '../src/settings/parse.ts'
import { type CutProxy, cutProxy } from '../../test/kit/proxy.ts'
import { testService } from '../../test/kit/service.ts'
import { until } from '../../test/kit/until.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../test/kit/workspace.ts'

const objects = process.env['KITSEAL_TEST_OBJECTS'] ?? ''
const location = readObjectsLocation(objects)
const skip = location?.is === 's3' ? false : 'no S3 server: "npm run test:all" starts one'

const CLIENTS = 4
const EACH = 5

test(
  'while the object store fails repeatedly, every acknowledged submission passes once, and clients see no error but 503',
  { skip },
  async () => {
    assert.ok(location?.is === 's3' && location.endpoint !== undefined)
    await using proxy = await cutProxy(location.endpoint)
    const { bucket, prefix, region } = location
    const place = `s3://${bucket}/${prefix}away-${Date.now()}?endpoint=${proxy.url}&region=${region}&path_style=true`
    await using service = await testService({ KITSEAL_OBJECTS: place, TEST_MAX_ATTEMPTS: '2' })
    const acme = await workspaceClient(service, { credits: CLIENTS * EACH })
    const progress = { accepted: 0, refused: 0 }
    const cutting = cutRepeatedly(proxy, progress)
    const sent = await Promise.all(
      Array.from({ length: CLIENTS }, (_, client) => submitAll(acme, client, progress)),
    )
    await cutting
    const kits = new Set<string>()
    for (const id of sent.flat()) {
      const ended = await acme.ended(id)
      assert.equal(ended['status'], 'PASS', JSON.stringify(ended['blockers']))
      kits.add(String(ended['kit_id']))
    }
    assert.equal(kits.size, CLIENTS * EACH)
    assert.deepEqual(await acme.credits(), { available: 0, held: 0 })
    for (const kitId of kits) {
      const receipt = (await service.call(`/v1/kits/${kitId}/receipt`)).bytes.toString()
      const verified = await service.post('/v1/verify/receipt', receipt)
      assert.equal(verified.json['status'], 'PASS', JSON.stringify(verified.json))
    }
    assert.ok(progress.refused >= 3, 'uploads are rejected while the store is unavailable')
  },
)

test(
  'while the object store is down, reads and verification return 503 with Retry-After, and /readyz names it',
  { skip },
  async () => {
    assert.ok(location?.is === 's3' && location.endpoint !== undefined)
    await using proxy = await cutProxy(location.endpoint)
    const { bucket, prefix, region } = location
    const place = `s3://${bucket}/${prefix}away-${Date.now()}?endpoint=${proxy.url}&region=${region}&path_style=true`
    await using service = await testService({ KITSEAL_OBJECTS: place })
    const { kitId } = await service.issue()
    const receipt = (await service.call(`/v1/kits/${kitId}/receipt`)).bytes.toString()
    proxy.cut()
    for (const path of ['manifest', 'download']) {
      const response = await service.call(`/v1/kits/${kitId}/${path}`)
      assert.deepEqual([response.status, response.json['code']], [503, 'store_unavailable'])
      assert.ok(Number(response.headers.get('retry-after')) > 0)
    }
    assert.equal((await service.post('/v1/verify/receipt', receipt)).status, 503)
    const ready = await service.call('/readyz')
    assert.match(String(ready.json['message']), /^Not ready: objects/)
    proxy.mend()
    assert.equal((await service.call(`/v1/kits/${kitId}/download`)).status, 200)
    assert.equal((await service.post('/v1/verify/receipt', receipt)).json['status'], 'PASS')
  },
)

/** Cuts the connection three times, each time until an upload was refused. */
async function cutRepeatedly(
  proxy: CutProxy,
  progress: { accepted: number; refused: number },
): Promise<void> {
  for (const accepted of [2, 7, 12]) {
    await until(() => progress.accepted >= accepted)
    const { refused } = progress
    proxy.cut()
    await until(() => progress.refused > refused)
    proxy.mend()
  }
}

/** Uploads one submission after the other, and retries after 503. */
async function submitAll(
  acme: WorkspaceClient,
  client: number,
  progress: { accepted: number; refused: number },
): Promise<readonly string[]> {
  const ids: string[] = []
  for (let round = 0; round < EACH; round += 1) {
    const id = await acme.submission()
    const content = `client ${client}, round ${round}\n`.repeat(round === 0 ? 100_000 : 10)
    for (;;) {
      const { status, headers } = await acme.upload(id, form({ 'evidence.txt': content }))
      if (status === 202) break
      assert.equal(status, 503)
      assert.ok(Number(headers.get('retry-after')) > 0)
      progress.refused += 1
      await pause(200)
    }
    ids.push(id)
    progress.accepted += 1
  }
  return ids
}

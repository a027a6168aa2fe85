import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openZip, parseManifest, parseReceipt, parseStrictJson, trustKeys, verifyKit } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { until } from '../../../test/kit/until.ts'
import type { KitEntry } from '../database/schema.ts'
import { kitsUnderTest } from '../../test/test-kits.ts'

test('manifest and receipt are served as in the kit', async () => {
  await using place = await kitsUnderTest()
  const { kit } = await place.issue()
  const manifest = await place.app.inject(`/v1/kits/${kit.kit_id}/manifest`)
  const receipt = await place.app.inject(`/v1/kits/${kit.kit_id}/receipt`)
  for (const response of [manifest, receipt]) {
    assert.equal(response.statusCode, 200)
    assert.match(String(response.headers['content-type']), /^application\/json/)
  }
  assert.equal(parseManifest(parseStrictJson(manifest.rawPayload)).ok, true)
  assert.equal(parseReceipt(parseStrictJson(receipt.rawPayload)).ok, true)
  assert.equal(receipt.json().manifest_sha256, manifest.json().manifest_sha256)
  const zip = await openZip(
    inMemory((await place.app.inject(`/v1/kits/${kit.kit_id}/download`)).rawPayload),
    nodeHost,
  )
  assert.deepEqual(Buffer.from(await zip.read('manifest.json', 1e6)), manifest.rawPayload)
  assert.deepEqual(Buffer.from(await zip.read('receipt.json', 1e6)), receipt.rawPayload)
})

test('a matching If-None-Match is 304', async () => {
  await using place = await kitsUnderTest()
  const { kit } = await place.issue()
  for (const name of ['manifest', 'receipt', 'download']) {
    const url = `/v1/kits/${kit.kit_id}/${name}`
    const { etag } = (await place.app.inject(url)).headers
    assert.match(String(etag), /^"[\w-]{43}"$/)
    const again = await place.app.inject({ url, headers: { 'if-none-match': String(etag) } })
    assert.equal(again.statusCode, 304)
    assert.equal(again.body, '')
    assert.equal(again.headers.etag, etag)
  }
})

test('an unknown kit and a malformed ID are 404', async () => {
  await using place = await kitsUnderTest()
  for (const id of [
    'kit_AAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'kit_',
    'x',
    '%00',
    '..%2f..%2fetc',
    "kit_'%20or%201=1",
  ]) {
    for (const name of ['manifest', 'receipt', 'download']) {
      const response = await place.app.inject(`/v1/kits/${id}/${name}`)
      assert.equal(response.statusCode, 404, id)
      assert.equal(response.json().code, 'kit_not_found')
    }
  }
})

test('a download verifies and has length, name and ETag', async () => {
  await using place = await kitsUnderTest()
  const { kit } = await place.issue()
  const response = await place.app.inject(`/v1/kits/${kit.kit_id}/download`)
  assert.equal(response.statusCode, 200)
  assert.equal(response.headers['content-type'], 'application/zip')
  assert.equal(response.headers['content-length'], String(response.rawPayload.length))
  assert.equal(response.headers['content-disposition'], `attachment; filename="${kit.kit_id}.zip"`)
  assert.equal(response.headers['accept-ranges'], 'bytes')
  const report = await verifyKit(
    await openZip(inMemory(response.rawPayload), nodeHost),
    trustKeys(await place.keys.publicKeys()),
    nodeHost,
  )
  assert.deepEqual(report.errors, [])
})

test('a download always has the same bytes and ETag', async () => {
  await using place = await kitsUnderTest()
  const { kit } = await place.issue()
  const first = await place.app.inject(`/v1/kits/${kit.kit_id}/download`)
  place.clock.time += 86_400_000
  await place.keys.rotate()
  const later = await place.app.inject(`/v1/kits/${kit.kit_id}/download`)
  assert.equal(later.headers.etag, first.headers.etag)
  assert.deepEqual(later.rawPayload, first.rawPayload)
  const other = await place.issue()
  const another = await place.app.inject(`/v1/kits/${other.kit.kit_id}/download`)
  assert.notEqual(another.headers.etag, first.headers.etag)
})

test('any range of a download returns exactly that part', async () => {
  await using place = await kitsUnderTest({ startPage: Buffer.alloc(200_000, 'page') })
  const { kit } = await place.issue()
  const url = `/v1/kits/${kit.kit_id}/download`
  const whole = (await place.app.inject(url)).rawPayload
  const size = whole.length
  for (let start = 0; start < size; start += 9_973) {
    const end = Math.min(size, start + 12_345)
    const part = await place.app.inject({ url, headers: { range: `bytes=${start}-${end - 1}` } })
    assert.equal(part.statusCode, 206)
    assert.equal(part.headers['content-range'], `bytes ${start}-${end - 1}/${size}`)
    assert.equal(part.headers['content-length'], String(end - start))
    assert.ok(part.rawPayload.equals(whole.subarray(start, end)), `bytes ${start}-${end}`)
  }
})

test('a range outside the download is 416 with the total size', async () => {
  await using place = await kitsUnderTest()
  const { kit } = await place.issue()
  const url = `/v1/kits/${kit.kit_id}/download`
  const size = (await place.app.inject(url)).rawPayload.length
  const response = await place.app.inject({ url, headers: { range: `bytes=${size}-` } })
  assert.equal(response.statusCode, 416)
  assert.equal(response.headers['content-range'], `bytes */${size}`)
  assert.equal(response.json().code, 'range_not_satisfiable')
})

test('a range with another ETag in If-Range returns the whole kit', async () => {
  await using place = await kitsUnderTest()
  const { kit } = await place.issue()
  const url = `/v1/kits/${kit.kit_id}/download`
  const whole = await place.app.inject(url)
  const download = (ifRange: string) =>
    place.app.inject({ url, headers: { range: 'bytes=0-9', 'if-range': ifRange } })
  assert.equal((await download(String(whole.headers.etag))).statusCode, 206)
  const stale = await download('"another"')
  assert.equal(stale.statusCode, 200)
  assert.deepEqual(stale.rawPayload, whole.rawPayload)
})

test('a failed If-Match is 412', async () => {
  await using place = await kitsUnderTest()
  const { kit } = await place.issue()
  for (const name of ['manifest', 'receipt', 'download']) {
    const url = `/v1/kits/${kit.kit_id}/${name}`
    const { etag } = (await place.app.inject(url)).headers
    const download = (ifMatch: string) => place.app.inject({ url, headers: { 'if-match': ifMatch } })
    for (const mine of [String(etag), '*', `"another", ${etag}`])
      assert.equal((await download(mine)).statusCode, 200, name)
    for (const other of ['"another"', `W/${etag}`]) {
      const refused = await download(other)
      assert.deepEqual([refused.statusCode, refused.json().code], [412, 'precondition_failed'], name)
      assert.equal(refused.headers.etag, etag, name)
    }
  }
})

test('HEAD returns the headers of GET', async () => {
  await using place = await kitsUnderTest()
  const { kit } = await place.issue()
  const url = `/v1/kits/${kit.kit_id}/download`
  const got = await place.app.inject(url)
  const head = await place.app.inject({ method: 'HEAD', url })
  assert.equal(head.statusCode, 200)
  assert.equal(head.body, '')
  for (const name of ['etag', 'content-length', 'content-type', 'content-disposition', 'accept-ranges']) {
    assert.equal(head.headers[name], got.headers[name], name)
  }
})

test('a damaged manifest is never served', async () => {
  await using place = await kitsUnderTest()
  const { kit, entries } = await place.issue()
  const [entry] = entries
  assert.ok(entry)
  await writeFile(place.pathOf(entry.object), 'x'.repeat(1_000_000))
  const response = await place.app.inject(`/v1/kits/${kit.kit_id}/manifest`)
  assert.equal(response.statusCode, 503)
  assert.equal(response.json().code, 'object_unavailable')
  await rm(place.pathOf(entry.object))
  const gone = await place.app.inject(`/v1/kits/${kit.kit_id}/manifest`)
  assert.equal(gone.json().code, 'object_unavailable')
  assert.doesNotMatch(gone.body, new RegExp(place.folder))
})

test('a download of a damaged file fails or is aborted', async () => {
  await using place = await kitsUnderTest({ startPage: Buffer.alloc(3_000_000, 'page') })
  const { kit, entries } = await place.issue()
  const page = entries.find((entry) => entry.path === 'START-HERE.html') ?? assert.fail('no page')
  await place.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = place.app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/v1/kits/${kit.kit_id}/download`
  const whole = async () => (await fetch(url)).arrayBuffer()
  assert.ok((await whole()).byteLength > 3_000_000)
  await writeFile(place.pathOf(page.object), Buffer.alloc(3_000_000, 'pagf'))
  await assert.rejects(whole())
  await rm(place.pathOf(page.object))
  const refused = await fetch(url)
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('etag'), null)
})

test('an aborted download closes its files', async () => {
  await using place = await kitsUnderTest()
  const stored = await place.objects.put(new Uint8Array(40_000_000))
  const evidence: KitEntry = { ...stored, path: 'data/large.bin', offset: 0 }
  const { kit } = await place.issue([evidence])
  await place.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = place.app.server.address() as AddressInfo
  const request = get(`http://127.0.0.1:${port}/v1/kits/${kit.kit_id}/download`)
  const [response] = await once(request, 'response')
  await once(response, 'readable')
  assert.notDeepEqual(await openFilesUnder(place.folder, '/objects/'), [])
  const closed = new Promise((resolve) => response.on('error', () => {}).on('close', resolve))
  request.destroy()
  await closed
  await until(async () => (await openFilesUnder(place.folder, '/objects/')).length === 0)
})

test('the key set is served as JSON with an ETag', async () => {
  await using place = await kitsUnderTest()
  const response = await place.app.inject('/.well-known/jwks.json')
  assert.equal(response.statusCode, 200)
  assert.match(String(response.headers['content-type']), /^application\/json/)
  assert.deepEqual(response.json(), await place.keys.publicKeys())
  const headers = { 'if-none-match': String(response.headers.etag) }
  assert.equal((await place.app.inject({ url: '/.well-known/jwks.json', headers })).statusCode, 304)
  await place.keys.rotate()
  const rotated = await place.app.inject({ url: '/.well-known/jwks.json', headers })
  assert.equal(rotated.statusCode, 200)
  assert.equal(rotated.json().keys.length, 2)
})

function inMemory(bytes: Uint8Array) {
  return {
    sizeBytes: bytes.length,
    read: (offset: number, length: number) => bytes.subarray(offset, offset + length),
  }
}

async function openFilesUnder(folder: string, within: string): Promise<readonly string[]> {
  const names = await readdir('/proc/self/fd')
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  return targets.filter((target) => target.startsWith(folder) && target.includes(within))
}

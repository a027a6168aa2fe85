import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { createServer, connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { describeObjectStore, type StoreUnderTest } from './object-store-contract.ts'
import { ObjectsUnavailable, ObjectUnreadable } from './object-store.ts'
import { loadS3, type S3 } from './s3-client.ts'
import { readObjectsLocation, type S3Location } from '../objects-location.ts'
import { s3Objects } from './s3-objects.ts'

const url = process.env['KITSEAL_TEST_OBJECTS']
const found = url === undefined ? undefined : readObjectsLocation(url)
const there = found?.is === 's3' ? found : undefined
if (there === undefined)
  test(
    's3 objects',
    { skip: 'no S3 server: "npm run test:s3" starts one and sets KITSEAL_TEST_OBJECTS' },
    () => {},
  )
else onS3(there)

function onS3(base: S3Location): void {
  let s3: S3
  before(async () => {
    s3 = await loadS3(base)
    await s3.client.send(new s3.CreateBucketCommand({ Bucket: base.bucket })).catch(() => {})
  })
  after(() => s3.client.destroy())

  const ownPlace = (): S3Location => ({ ...base, prefix: `${base.prefix}contract-${randomUUID()}/` })
  const open = async (place = ownPlace()): Promise<StoreUnderTest & { readonly place: S3Location }> => {
    const objects = s3Objects(place)
    return { objects, place, [Symbol.asyncDispose]: () => objects.close() }
  }
  const keys = async ({ bucket, prefix }: S3Location): Promise<readonly string[]> => {
    const { Contents = [] } = await s3.client.send(
      new s3.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }),
    )
    return Contents.map(({ Key = '' }) => Key.slice(prefix.length))
  }
  const uploads = async ({ bucket, prefix }: S3Location): Promise<number> =>
    (await s3.client.send(new s3.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }))).Uploads
      ?.length ?? 0

  describeObjectStore('s3', open)

  test('s3: a large object goes up in parts, and nothing stays beside it', async () => {
    await using store = await open()
    const content = Buffer.alloc(17 * 1024 * 1024, 'large ')
    const stored = await store.objects.put(inPieces(content))
    assert.equal(stored.sha256, createHash('sha256').update(content).digest('hex'))
    assert.deepEqual(await keys(store.place), [`objects/${stored.sha256}`])
    assert.equal(await uploads(store.place), 0)
  })

  test('s3: a large upload that is cut leaves no parts, and nothing under its name', async () => {
    await using store = await open()
    await assert.rejects(store.objects.stage(cutAfter(Buffer.alloc(12 * 1024 * 1024))), /the line was cut/)
    assert.deepEqual(await keys(store.place), [])
    assert.equal(await uploads(store.place), 0)
  })

  test('s3: what a dead node left aside is swept once it is old, and never before', async () => {
    await using store = await open()
    const { bucket: Bucket, prefix } = store.place
    await s3.client.send(new s3.PutObjectCommand({ Bucket, Key: `${prefix}tmp/left`, Body: 'left' }))
    await s3.client.send(new s3.CreateMultipartUploadCommand({ Bucket, Key: `${prefix}tmp/begun` }))
    assert.equal(await store.objects.sweepTemp(), 0)
    const tomorrow = s3Objects(store.place, () => Date.now() + 25 * 60 * 60 * 1000)
    assert.equal(await tomorrow.sweepTemp(), 2)
    assert.deepEqual([await keys(store.place), await uploads(store.place)], [[], 0])
    await tomorrow.close()
  })

  test('s3: an object that was damaged is mended by putting it again', async () => {
    await using store = await open()
    const content = Buffer.from('evidence')
    const { sha256 } = await store.objects.put(content)
    const { bucket: Bucket, prefix } = store.place
    const sound = await store.objects.fingerprint(sha256)
    await s3.client.send(new s3.PutObjectCommand({ Bucket, Key: `${prefix}objects/${sha256}`, Body: 'rot' }))
    assert.notEqual(await store.objects.fingerprint(sha256), sound)
    await assert.rejects(all(store.objects.read(sha256, 0, content.length)), ObjectUnreadable)
    await store.objects.put(content)
    assert.deepEqual(await all(store.objects.read(sha256)), content)
  })

  test('s3: a bucket that is not there, and a server that is not there, are the store’s failure, not the object’s', async () => {
    const nobody = { ...base, endpoint: 'http://127.0.0.1:9' }
    for (const place of [{ ...base, bucket: 'no-such-bucket' }, nobody]) {
      const objects = s3Objects(place)
      const name = '0'.repeat(64)
      await assert.rejects(objects.check(), ObjectsUnavailable)
      await assert.rejects(objects.put(Buffer.from('x')), ObjectsUnavailable)
      await assert.rejects(all(objects.read(name)), ObjectsUnavailable)
      if (place === nobody) await assert.rejects(objects.has(name), ObjectsUnavailable)
      await objects.close()
    }
  })

  test('s3: a read that is cut half-way goes on where it was cut', async () => {
    await using proxy = await cuttingProxy(base.endpoint ?? '', 700_000)
    await using direct = await open()
    const content = Buffer.alloc(3_000_000, 'a long story ')
    const { sha256 } = await direct.objects.put(content)
    const objects = s3Objects({ ...direct.place, endpoint: proxy.url })
    assert.deepEqual(await all(objects.read(sha256)), content)
    assert.ok(proxy.cuts() > 0)
    await objects.close()
  })
}

async function* inPieces(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
}

async function* cutAfter(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* inPieces(content)
  throw new Error('the line was cut')
}

async function all(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const bytes of chunks) parts.push(bytes)
  return Buffer.concat(parts)
}

/** Passes everything on, and cuts the first two answers after so many bytes. */
async function cuttingProxy(endpoint: string, afterBytes: number) {
  const { hostname, port } = new URL(endpoint)
  let cuts = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let passed = 0
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream)
    upstream.on('data', (bytes: Buffer) => {
      passed += bytes.length
      client.write(bytes)
      if (passed < afterBytes || cuts === 2) return
      cuts += 1
      client.destroy()
      upstream.destroy()
    })
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const own = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${own}`,
    cuts: () => cuts,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

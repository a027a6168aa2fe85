// With S3: without a server, its tests are skipped.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { createServer, connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { describeObjectStore, type StoreUnderTest } from '../../test/object-store-contract.ts'
import {
  newObjectName,
  type ObjectStore,
  ObjectsUnavailable,
  ObjectUnreadable,
  type PartialProgress,
} from './object-store.ts'
import { loadS3, type S3 } from './s3-client.ts'
import { readObjectsLocation, type S3Location } from '../settings/parse.ts'
import { s3Objects } from './s3-objects.ts'

const url = process.env['KITSEAL_TEST_OBJECTS']
const configured = url === undefined ? undefined : readObjectsLocation(url)
const configuredS3 = configured?.is === 's3' ? configured : undefined
if (configuredS3 === undefined)
  test(
    's3 objects',
    { skip: 'no S3 server: "npm run test:all" starts one and sets KITSEAL_TEST_OBJECTS' },
    () => {},
  )
else testAgainstS3(configuredS3)

function testAgainstS3(base: S3Location): void {
  let s3: S3
  before(async () => {
    s3 = await loadS3(base)
    await s3.client.createBucket({ Bucket: base.bucket }).catch(() => {})
  })
  after(() => s3.client.destroy())

  const newLocation = (): S3Location => ({ ...base, prefix: `${base.prefix}contract-${randomUUID()}/` })
  const open = async (
    location = newLocation(),
  ): Promise<StoreUnderTest & { readonly location: S3Location }> => {
    const objects = s3Objects(location)
    const reopen = (): ObjectStore => s3Objects(location)
    return { objects, location, reopen, [Symbol.asyncDispose]: () => objects.close() }
  }
  const keys = async ({ bucket, prefix }: S3Location): Promise<readonly string[]> => {
    const { Contents = [] } = await s3.client.listObjectsV2({ Bucket: bucket, Prefix: prefix })
    return Contents.map(({ Key = '' }) => Key.slice(prefix.length))
  }
  const uploads = async ({ bucket, prefix }: S3Location): Promise<number> =>
    (await s3.client.listMultipartUploads({ Bucket: bucket, Prefix: prefix })).Uploads?.length ?? 0

  describeObjectStore('s3', open)

  test('s3: a large object is a multipart upload and leaves nothing else', async () => {
    await using store = await open()
    const content = Buffer.alloc(17 * 1024 * 1024, 'large ')
    const stored = await store.objects.put(inChunks(content))
    assert.equal(stored.sha256, createHash('sha256').update(content).digest('hex'))
    assert.deepEqual(await keys(store.location), [`objects/${stored.object}`])
    assert.equal(await uploads(store.location), 0)
  })

  test('s3: an upload in pieces is sent in parts, and leaves nothing but the object', async () => {
    await using store = await open()
    const { resumable } = store.objects
    const content = Buffer.alloc(17 * 1024 * 1024, 'pieces ')
    let partial = { object: newObjectName(), sizeBytes: content.length, offset: 0, state: '' }
    const commit = async (progress: PartialProgress): Promise<void> =>
      void (partial = { ...partial, ...progress })
    await resumable.append(partial, inChunks(content.subarray(0, 10_000_000)), { commit, atomic: false })
    assert.equal(await uploads(store.location), 1)
    assert.deepEqual(await keys(store.location), [`partial/${partial.object}/tail-1`])
    await resumable.append(partial, inChunks(content.subarray(10_000_000)), { commit, atomic: false })
    const { object } = await resumable.finish(partial)
    assert.deepEqual(await keys(store.location), [`objects/${object}`])
    assert.equal(await uploads(store.location), 0)
  })

  test('s3: a large upload that fails leaves no parts and no object', async () => {
    await using store = await open()
    await assert.rejects(store.objects.put(failingAfter(Buffer.alloc(12 * 1024 * 1024))), /connection lost/)
    assert.deepEqual(await keys(store.location), [])
    assert.equal(await uploads(store.location), 0)
  })

  test('s3: what a crashed node left unfinished is deleted when no upload can still need it, and not earlier', async () => {
    await using store = await open()
    const { bucket: Bucket, prefix } = store.location
    await s3.client.putObject({ Bucket, Key: `${prefix}partial/x/tail-0`, Body: 'left' })
    await s3.client.createMultipartUpload({ Bucket, Key: `${prefix}objects/begun` })
    assert.equal(await store.objects.sweepTemp(), 0)
    const later = s3Objects(store.location, () => Date.now() + 16 * 24 * 60 * 60 * 1000)
    assert.equal(await later.sweepTemp(), 2)
    assert.deepEqual([await keys(store.location), await uploads(store.location)], [[], 0])
    await later.close()
  })

  test('s3: a damaged object is unreadable, and putting it again under its name repairs it', async () => {
    await using store = await open()
    const content = Buffer.from('evidence')
    const { object } = await store.objects.put(content)
    const { bucket: Bucket, prefix } = store.location
    const intact = await store.objects.fingerprint(object)
    await s3.client.putObject({ Bucket, Key: `${prefix}objects/${object}`, Body: 'damaged' })
    assert.notEqual(await store.objects.fingerprint(object), intact)
    await assert.rejects(collect(store.objects.read(object, 0, content.length)), ObjectUnreadable)
    await store.objects.put(content, object)
    assert.deepEqual(await collect(store.objects.read(object)), content)
  })

  test('s3: a missing bucket or server is reported as ObjectsUnavailable, not as a missing object', async () => {
    const noServer = { ...base, endpoint: 'http://127.0.0.1:9' }
    for (const location of [{ ...base, bucket: 'no-such-bucket' }, noServer]) {
      const objects = s3Objects(location)
      const name = '0'.repeat(32)
      await assert.rejects(objects.check(), ObjectsUnavailable)
      await assert.rejects(objects.put(Buffer.from('x')), ObjectsUnavailable)
      await assert.rejects(collect(objects.read(name)), ObjectsUnavailable)
      if (location === noServer) await assert.rejects(objects.inspect(name), ObjectsUnavailable)
      await objects.close()
    }
  })

  test('s3: an interrupted read resumes where it stopped', async () => {
    await using proxy = await interruptingProxy(base.endpoint ?? '', 700_000)
    await using direct = await open()
    const content = Buffer.alloc(3_000_000, 'content ')
    const { object } = await direct.objects.put(content)
    const objects = s3Objects({ ...direct.location, endpoint: proxy.url })
    assert.deepEqual(await collect(objects.read(object)), content)
    assert.ok(proxy.interruptions() > 0)
    await objects.close()
  })
}

async function* inChunks(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
}

async function* failingAfter(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* inChunks(content)
  throw new Error('connection lost')
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const bytes of chunks) parts.push(bytes)
  return Buffer.concat(parts)
}

/** A proxy that drops the connection of the first two responses after `afterBytes` bytes. */
async function interruptingProxy(endpoint: string, afterBytes: number) {
  const { hostname, port } = new URL(endpoint)
  let interruptions = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let forwarded = 0
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream)
    upstream.on('data', (bytes: Buffer) => {
      forwarded += bytes.length
      client.write(bytes)
      if (forwarded < afterBytes || interruptions === 2) return
      interruptions += 1
      client.destroy()
      upstream.destroy()
    })
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const ownPort = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${ownPort}`,
    interruptions: () => interruptions,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

// With S3: without a server, its tests are skipped.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, request } from 'node:http'
import { after, before, test } from 'node:test'
import { memoryObjects } from '../../test/memory-objects.ts'
import { type ObjectStore, ObjectsUnavailable } from '../objects/object-store.ts'
import { s3Objects } from '../objects/s3-objects.ts'
import { readObjectsLocation, type S3Location } from '../settings/objects-location.ts'
import { copyObjects } from './copy-objects.ts'
import { paceFor } from './many-at-once.ts'
import type { Pace } from './pace.ts'

const url = process.env['KITSEAL_TEST_OBJECTS']
const configured = url === undefined ? undefined : readObjectsLocation(url)
if (configured?.is === 's3') testAgainstS3(configured)
else
  test(
    'maintenance on s3',
    { skip: 'no S3 server: "npm run test:all" starts one and sets KITSEAL_TEST_OBJECTS' },
    () => {},
  )

function testAgainstS3(base: S3Location): void {
  const COUNT = 150
  const source = memoryObjects()
  const names: string[] = []
  before(async () => {
    for (let n = 0; n < COUNT; n += 1) names.push((await source.put(Buffer.from(`object ${n}`))).sha256)
    names.sort()
  })
  const opened: ObjectStore[] = []
  after(async () => {
    for (const objects of opened) await objects.close()
  })
  const open = (endpoint: string | undefined, prefix = `${base.prefix}upkeep-${randomUUID()}/`) => {
    const objects = s3Objects({ ...base, endpoint, prefix })
    opened.push(objects)
    return { objects, prefix }
  }

  test('s3: a copy takes one PUT and one GET per object, and no HEAD', async () => {
    await using proxy = await slowProxy(base.endpoint ?? '', () => false)
    const { objects } = open(proxy.url)
    const { copied, bad } = await copyObjects(each(names), source, objects, { verify: true })
    assert.deepEqual([copied, bad], [COUNT, []])
    const { PUT, GET, HEAD = 0 } = proxy.methods()
    assert.deepEqual([PUT, HEAD], [COUNT, 0])
    assert.ok((GET ?? 0) <= COUNT + 2, `${GET} GET requests, with the listing`)
  })

  test('s3: a store that answers SlowDown gets fewer requests at once, and everything is copied', async () => {
    // First the listing, then requests for longer than the S3 client itself retries.
    const state = { asked: 0 }
    const isSlow = (): boolean => (state.asked += 1) <= 4 || (state.asked > 30 && state.asked <= 200)
    await using proxy = await slowProxy(base.endpoint ?? '', isSlow)
    const { objects, prefix } = open(proxy.url)
    const pace = recorded(paceFor({ isRemote: true }))
    const { copied, bad } = await copyObjects(each(names), source, objects, { pace })
    assert.deepEqual([copied, bad], [COUNT, []])
    assert.ok(pace.slowed > 0 && pace.least < 16, `${pace.slowed} times, ${pace.least} at once`)
    const listed: string[] = []
    for await (const { sha256 } of open(base.endpoint, prefix).objects.list()) listed.push(sha256)
    assert.deepEqual(listed, names)
  })

  test('s3: a store that never recovers ends the copy as unavailable, and a second one resumes', async () => {
    const state = { answered: 0 }
    await using proxy = await slowProxy(base.endpoint ?? '', () => (state.answered += 1) > 60)
    const { objects, prefix } = open(proxy.url)
    await assert.rejects(copyObjects(each(names), source, objects, { wait: noWait }), ObjectsUnavailable)
    const second = await copyObjects(each(names), source, open(base.endpoint, prefix).objects, {
      verify: true,
    })
    assert.ok(second.present > 0 && second.present < COUNT, `${second.present}`)
    assert.equal(second.present + second.copied, COUNT)
  })
}

function recorded(pace: Pace): Pace & { slowed: number; least: number } {
  const counts = { slowed: 0, least: Number.POSITIVE_INFINITY }
  return Object.assign(counts, {
    limit: () => pace.limit(),
    done: (sizeBytes: number) => pace.done(sizeBytes),
    slowDown: () => {
      pace.slowDown()
      counts.slowed += 1
      counts.least = Math.min(counts.least, pace.limit())
    },
  })
}

const noWait = async (): Promise<void> => {}

const SLOW_DOWN =
  '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>'

/** Forwards requests, except those that are answered with SlowDown. */
async function slowProxy(endpoint: string, isSlow: () => boolean) {
  const methods: Record<string, number> = {}
  const { hostname, port } = new URL(endpoint)
  const server = createServer((incoming, outgoing) => {
    const { method = '', url: path, headers } = incoming
    methods[method] = (methods[method] ?? 0) + 1
    if (isSlow()) {
      incoming.resume()
      outgoing.writeHead(503, { 'content-type': 'application/xml' }).end(SLOW_DOWN)
      return
    }
    const forwarded = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    methods: (): Readonly<Record<string, number>> => methods,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function* each(items: readonly string[]): AsyncGenerator<string> {
  yield* items
}

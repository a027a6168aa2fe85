import { spawnSync } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyObjects } from '../server/src/maintenance/copy-objects.ts'
import { manyAtOnce, paceFor } from '../server/src/maintenance/many-at-once.ts'
import { filesystemObjects } from '../server/src/objects/filesystem-objects.ts'
import type { ObjectStore } from '../server/src/objects/object-store.ts'
import { loadS3 } from '../server/src/objects/s3-client.ts'
import { s3Objects } from '../server/src/objects/s3-objects.ts'
import { freePort } from '../test/kit/free-port.ts'
import { reportFact, reportFigure } from './report.ts'

/**
 * `npm run bench:upkeep [-- OBJECTS]`: what scrub, backup, restore and move do with the objects in S3, many at once,
 * compared in the same run with one at a time. Uses the S3 server at S3_ENDPOINT, or starts Ceph.
 */

const count = Number(process.argv[2] ?? '1000')
if (!Number.isSafeInteger(count) || count < 10) throw new Error('usage: npm run bench:upkeep [-- OBJECTS]')
const folder = mkdtempSync(join(tmpdir(), 'kitseal-bench-'))
const server = join(import.meta.dirname, '../test/kit/s3-server.sh')
const isOurs = process.env['S3_ENDPOINT'] === undefined
try {
  if (isOurs) await startServer()
  await measure()
} finally {
  if (isOurs) spawnSync(server, ['down', join(folder, 's3')])
  rmSync(folder, { recursive: true, force: true })
}

async function startServer(): Promise<void> {
  const up = spawnSync(server, ['up', join(folder, 's3'), String(await freePort())], { encoding: 'utf8' })
  if (up.status !== 0) throw new Error(`there is no S3 server: ${up.stderr.trim()}`)
  for (const line of up.stdout.trim().split('\n')) {
    const [name = '', value = ''] = line.split('=', 2)
    process.env[name] = value
  }
}

async function measure(): Promise<void> {
  const files = filesystemObjects(join(folder, 'files'))
  const names: string[] = []
  for (let made = 0; made < count; made += 1) names.push((await files.put(randomBytes(4000))).sha256)
  names.sort()
  await using first = await bucket()
  await using second = await bucket()
  // Loads and compiles the S3 client.
  await copyOneByOne(names.slice(0, 20), files, first.objects)

  const copy = await perObject('copy to S3, many at once', count, async () => {
    const { copied } = await copyObjects(each(names), files, first.objects, { verify: true })
    if (copied + 20 !== count) throw new Error(`${copied} objects were copied`)
  })
  const sample = names.slice(0, Math.ceil(count / 5))
  const oldCopy = await perObject('copy to S3, one at a time', sample.length, () =>
    copyOneByOne(sample, files, second.objects),
  )
  const read = await perObject('read from S3, many at once', count, async () => {
    for await (const _ of readAll(first.objects, names));
  })
  const oldRead = await perObject('read from S3, one at a time', sample.length, async () => {
    for (const sha256 of sample) await rehash(first.objects, sha256)
  })
  compare('scrub and backup: reading an object of S3', oldRead, read)
  // One at a time, every kit was read again from S3 after the copy.
  compare('restore and move: writing an object to S3', oldCopy + oldRead, copy)
}

function compare(what: string, before: number, after: number): void {
  reportFigure({
    what: `${what}, many at once`,
    against: 'one at a time',
    ours: `${after.toFixed(2)} ms`,
    theirs: `${before.toFixed(2)} ms`,
    ratio: before / after,
    goal: { least: 20 },
  })
}

async function bucket() {
  const endpoint = process.env['S3_ENDPOINT']
  const name = 'kitseal-bench'
  const location = {
    bucket: name,
    prefix: `${randomUUID()}/`,
    endpoint,
    region: 'us-east-1',
    pathStyle: true,
  }
  const { client, CreateBucketCommand } = await loadS3(location)
  await client.send(new CreateBucketCommand({ Bucket: name })).catch(() => {})
  client.destroy()
  const objects = s3Objects(location)
  return { objects, [Symbol.asyncDispose]: () => objects.close() }
}

async function copyOneByOne(names: readonly string[], from: ObjectStore, to: ObjectStore): Promise<void> {
  for (const sha256 of names) if (!(await to.has(sha256))) await to.put(from.read(sha256))
}

function readAll(objects: ObjectStore, names: readonly string[]): AsyncIterable<unknown> {
  const hash = async (sha256: string) => ({ sizeBytes: await rehash(objects, sha256) })
  return manyAtOnce(each(names), hash, { pace: paceFor(objects) })
}

async function rehash(objects: ObjectStore, sha256: string): Promise<number> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const bytes of objects.read(sha256)) {
    hash.update(bytes)
    sizeBytes += bytes.length
  }
  if (hash.digest('hex') !== sha256) throw new Error(`${sha256} is damaged`)
  return sizeBytes
}

/** Milliseconds of wall time for each object. */
async function perObject(what: string, objects: number, work: () => Promise<void>): Promise<number> {
  const [started, used] = [performance.now(), process.cpuUsage()]
  await work()
  const wall = (performance.now() - started) / objects
  const { user, system } = process.cpuUsage(used)
  reportFact(
    what,
    `${wall.toFixed(2)} ms per object, ${((user + system) / 1000 / objects).toFixed(2)} ms of processor time`,
  )
  return wall
}

async function* each(names: readonly string[]): AsyncGenerator<string> {
  yield* names
}

// With S3: without a server, its tests are skipped.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from '../settings/config.ts'
import { readObjectsLocation } from '../settings/parse.ts'
import { highestOf, type LogHead } from './high-water-mark.ts'
import { openMarks, s3Mark } from './high-water-mark.ts'

const given = readObjectsLocation(process.env['KITSEAL_TEST_OBJECTS'] ?? '')
const location = given?.is === 's3' ? { ...given, prefix: `${given.prefix}mark-${randomUUID()}/` } : undefined
const skip = { skip: location === undefined && '"npm run test:all" starts an S3 server' }

const head = (size: number, fill = size): LogHead => ({
  size,
  root: Buffer.alloc(32, fill).toString('base64'),
})

test(
  'a mark in S3 keeps the largest entry in any order of writes, and both of two histories',
  skip,
  async () => {
    assert.ok(location !== undefined)
    const [one, two] = [s3Mark(location, 'key'), s3Mark(location, 'key')]
    assert.deepEqual(await one.read(), [])
    await one.record(head(7))
    await two.record(head(9))
    await one.record(head(8))
    assert.deepEqual(highestOf(await two.read()), [head(9)])
    await two.record(head(10))
    assert.deepEqual(highestOf(await one.read()), [head(10)])
    await one.record(head(10))
    assert.deepEqual(await one.read(), [head(10)], 'smaller entries are removed')
    await one.record(head(10, 1))
    assert.equal(highestOf(await two.read()).length, 2)
    assert.deepEqual(await s3Mark(location, 'other').read(), [])
    await Promise.all([one.close(), two.close()])
  },
)

test('the mark is in the bucket if objects are, unless a folder is given', async () => {
  const settings = {
    KITSEAL_OBJECTS: 's3://bucket/prefix?region=eu',
    KITSEAL_DATABASE_URL: 'postgres://a/b',
    HOME: '/root-of-a-user',
  }
  const markIn = async (more: object): Promise<[string, boolean]> => {
    const config = readConfig({ ...settings, ...more })
    assert.ok(config.ok)
    const marks = openMarks(config.value)
    return [(await marks.of({ kid: '_w' })).location, marks.isOnlyMark]
  }
  assert.deepEqual(await markIn({}), ['s3://bucket/prefix/log-mark/ff/', true])
  assert.deepEqual(await markIn({ KITSEAL_LOG_MARK: '/marks' }), ['/marks/ff', false])
})

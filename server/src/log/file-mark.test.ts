import assert from 'node:assert/strict'
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileMark } from './file-mark.ts'
import { highestOf, type LogHead, type LogMark } from './log-mark.ts'

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-mark-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'marks')
}

const head = (size: number, fill = size): LogHead => ({
  size,
  root: Buffer.alloc(32, fill % 251).toString('base64'),
})

async function highest(mark: LogMark): Promise<readonly LogHead[]> {
  return highestOf(await mark.read())
}

test('what was recorded is read by every process, and only the owner can read the file', async (t) => {
  const folder = newFolder(t)
  assert.deepEqual(await fileMark(folder, 'key').read(), [])
  await fileMark(folder, 'key').record(head(7))
  await fileMark(folder, 'key').record(head(9))
  await fileMark(folder, 'key').record(head(8))
  assert.deepEqual(await highest(fileMark(folder, 'key')), [head(9)])
  assert.deepEqual(await fileMark(folder, 'other').read(), [], 'each key has its own')
  assert.equal(statSync(join(folder, 'key')).mode & 0o777, 0o600)
})

test('a line that was not written completely does not count, and the next one is complete', async (t) => {
  const folder = newFolder(t)
  const mark = fileMark(folder, 'key')
  await mark.record(head(7))
  for (const torn of ['9', '9 ', `9 ${head(9).root}`, `9 ${head(9).root.slice(0, 20)}`]) {
    appendFileSync(mark.location, torn)
    assert.deepEqual(await highest(mark), [head(7)], torn)
    await mark.record(head(7))
    await mark.record(head(8))
    assert.deepEqual(await highest(mark), [head(8)])
    rmSync(mark.location)
    await mark.record(head(7))
  }
})

test('the same entry is stored once', async (t) => {
  const mark = fileMark(newFolder(t), 'key')
  await mark.record(head(7))
  await mark.record(head(7))
  assert.equal(readFileSync(mark.location, 'utf8'), `7 ${head(7).root}\n`)
})

test('two roots of the same size are both kept', async (t) => {
  const mark = fileMark(newFolder(t), 'key')
  await mark.record(head(7, 1))
  await mark.record(head(7, 2))
  assert.deepEqual(await highest(mark), [head(7, 1), head(7, 2)])
})

test('the file stays small, and writers at the same time lose nothing', async (t) => {
  const folder = newFolder(t)
  const first = fileMark(folder, 'key')
  await first.record(head(0))
  appendFileSync(first.location, `0 ${head(0).root}\n`.repeat(1300))
  const count = 240
  const record = async (start: number): Promise<void> => {
    const mark = fileMark(folder, 'key')
    for (let size = start; size <= count; size += 4) {
      await mark.record(head(size))
      assert.ok(
        (await highest(mark)).every((each) => each.size >= size),
        `${size} was lost`,
      )
    }
  }
  await Promise.all([record(1), record(2), record(3), record(4)])
  assert.deepEqual(await highest(first), [head(count)])
  assert.ok(statSync(first.location).size <= 8192 + 4 * 64)
  assert.deepEqual(readdirSync(folder), ['key'])
})

test('a process that ended while it replaced the file loses nothing', async (t) => {
  const folder = newFolder(t)
  const mark = fileMark(folder, 'key')
  await mark.record(head(7))
  renameSync(mark.location, `${mark.location}.old-1`)
  assert.deepEqual(await highest(mark), [head(7)])
  await mark.record(head(6))
  appendFileSync(mark.location, `5 ${head(5).root}\n`.repeat(300))
  await mark.record(head(4))
  assert.deepEqual(await highest(mark), [head(7)])
  assert.deepEqual(readdirSync(folder), ['key'])
})

test('an entry that cannot be written is an error', async (t) => {
  const folder = newFolder(t)
  const mark = fileMark(folder, 'key')
  await mark.record(head(7))
  chmodSync(mark.location, 0o400)
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    rmSync(folder, { recursive: true })
    appendFileSync(folder, 'a file where the folder should be')
  }
  await assert.rejects(mark.record(head(8)))
})

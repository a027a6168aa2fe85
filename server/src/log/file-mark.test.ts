import assert from 'node:assert/strict'
import { appendFileSync, chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileMark } from './high-water-mark.ts'
import { highestOf, type LogHead, type LogMark } from './high-water-mark.ts'

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

test('what was recorded is read by every process, and only the owner can read it', async (t) => {
  const folder = newFolder(t)
  assert.deepEqual(await fileMark(folder, 'key').read(), [])
  await fileMark(folder, 'key').record(head(7))
  await fileMark(folder, 'key').record(head(9))
  await fileMark(folder, 'key').record(head(8))
  assert.deepEqual(await highest(fileMark(folder, 'key')), [head(9)])
  assert.deepEqual(await fileMark(folder, 'other').read(), [], 'each key has its own')
  for (const name of readdirSync(folder, { recursive: true }))
    assert.equal(statSync(join(folder, String(name))).mode & 0o077, 0)
})

test('files with other names do not count', async (t) => {
  const mark = fileMark(newFolder(t), 'key')
  await mark.record(head(7))
  for (const name of ['9', '9-', '.DS_Store', `09-${'0'.repeat(64)}`, `9-${'0'.repeat(63)}`])
    appendFileSync(join(mark.location, name), '')
  assert.deepEqual(await mark.read(), [head(7)])
})

test('two roots of the same size are both kept', async (t) => {
  const mark = fileMark(newFolder(t), 'key')
  await mark.record(head(7, 1))
  await mark.record(head(7, 2))
  assert.deepEqual(await highest(mark), [head(7, 1), head(7, 2)])
})

test('the folder stays small, and writers at the same time lose nothing', async (t) => {
  const folder = newFolder(t)
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
  const last = fileMark(folder, 'key')
  assert.deepEqual(await highest(last), [head(count)])
  await last.record(head(count + 1))
  assert.ok((await last.read()).length <= 2)
})

test('an entry that cannot be written is an error', async (t) => {
  const folder = newFolder(t)
  const mark = fileMark(folder, 'key')
  await mark.record(head(7))
  chmodSync(mark.location, 0o500)
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    rmSync(folder, { recursive: true })
    appendFileSync(folder, 'a file where the folder should be')
  }
  await assert.rejects(mark.record(head(8)))
})

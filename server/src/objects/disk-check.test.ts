import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkedFolder } from './disk-check.ts'

const HOUR_MS = 3_600_000
const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs }

test('a folder is checked by writing to it, which leaves nothing behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-disk-check-'))
  assert.equal(await checkedFolder('data', folder, clock).check(), true)
  assert.deepEqual(readdirSync(folder), [])
  rmSync(folder, { recursive: true })
})

test('what is wrong with a folder is said without its path, which anyone could read', async () => {
  const missing = join(tmpdir(), 'kitseal-no-such-folder')
  assert.equal(
    await checkedFolder('objects', missing, clock).check(),
    'the disk of the objects folder is not writable: ENOENT',
  )
})

test('a clock that differs from the file system’s is measured, in both directions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-disk-check-'))
  const checked = checkedFolder('data', folder, clock)
  for (const hours of [2, -2, 0]) {
    clock.aheadMs = hours * HOUR_MS
    await checked.check()
    assert.ok(Math.abs(checked.skewMs() - hours * HOUR_MS) < HOUR_MS, `${checked.skewMs()}`)
  }
  rmSync(folder, { recursive: true })
})

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findEvidence, withOwnPaths } from './gather-evidence.ts'

test('blockers name files as the user typed them, not as entries of a ZIP that the user never made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-own-'))
  try {
    mkdirSync(join(folder, 'q3/bad'), { recursive: true })
    writeFileSync(join(folder, 'q3/bad/a.txt'), 'a')
    writeFileSync(join(folder, 'q3/report.zip'), 'b')
    const files = await findEvidence([join(folder, 'q3/bad/'), join(folder, 'q3/report.zip')])
    const own = (path: string | null, message = ''): object =>
      withOwnPaths([{ path, message }], files)[0] ?? {}
    const shown = (path: string) => ({ path: join(folder, path), message: '' })
    assert.deepEqual(own('bad.zip/bad/a.txt'), shown('q3/bad/a.txt'))
    assert.deepEqual(own('bad.zip'), { path: join(folder, 'q3/bad/'), message: '' })
    assert.deepEqual(own('report.zip/inner/b.txt'), shown('q3/report.zip/inner/b.txt'))
    assert.deepEqual(own('report.zip'), shown('q3/report.zip'))
    assert.deepEqual(own('report.zipped'), { path: 'report.zipped', message: '' })
    assert.deepEqual(own(null, 'See bad.zip/bad/a.txt.'), {
      path: null,
      message: `See ${join(folder, 'q3/bad/a.txt')}.`,
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

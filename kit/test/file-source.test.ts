import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileSource } from '../node/internal.ts'

test('a copy of bytes that were read is not overwritten by the next read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-source-'))
  try {
    writeFileSync(join(folder, 'file'), 'firstother')
    using source = fileSource(join(folder, 'file'))
    const first = (await source.read(0, 5)).slice()
    await source.read(5, 5)
    assert.equal(new TextDecoder().decode(first), 'first')
    assert.equal((await source.read(8, 5)).length, 2)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

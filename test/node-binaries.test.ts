import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fetchNodeBinary, NODE_BINARIES } from '../scripts/release-program.ts'

test('a binary other than the pinned one is not unpacked', () => {
  const cache = mkdtempSync(join(tmpdir(), 'kitseal-binaries-'))
  try {
    const [binary] = NODE_BINARIES
    assert.ok(binary !== undefined)
    const name = `${binary.name}-${binary.version}.tgz`
    writeFileSync(join(cache, name), 'something else')
    assert.throws(() => fetchNodeBinary(binary, cache, cache), /is not the pinned file: sha512-/)
    assert.deepEqual(readdirSync(cache), [name])
  } finally {
    rmSync(cache, { recursive: true })
  }
})

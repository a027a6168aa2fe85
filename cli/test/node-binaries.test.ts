import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fetchNodeBinary, NODE_BINARIES } from '../node-binaries.ts'

test('executables have the version of Node.js that the project is tested with, pinned as in the lock file', () => {
  const { packages } = JSON.parse(
    readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
  ) as {
    packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>
  }
  const versions = new Set(NODE_BINARIES.map(({ version }) => version))
  assert.equal(versions.size, 1, 'a blob fits one version')
  const locked = NODE_BINARIES.filter(({ platform }) => platform.startsWith('linux-'))
  assert.equal(locked.length, 2)
  for (const { package: name, version, integrity } of locked) {
    assert.equal(packages[`node_modules/${name}`]?.version, version)
    assert.equal(packages[`node_modules/${name}`]?.integrity, integrity)
  }
})

test('a binary other than the pinned one is not unpacked', () => {
  const cache = mkdtempSync(join(tmpdir(), 'kitseal-binaries-'))
  try {
    const [binary] = NODE_BINARIES
    assert.ok(binary !== undefined)
    const name = `${binary.package}-${binary.version}.tgz`
    writeFileSync(join(cache, name), 'something else')
    assert.throws(() => fetchNodeBinary(binary, cache, cache), /is not the pinned file: sha512-/)
    assert.deepEqual(readdirSync(cache), [name])
  } finally {
    rmSync(cache, { recursive: true })
  }
})

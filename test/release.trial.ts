// Only in test:all: builds a release twice, for releases
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { buildRelease } from '../scripts/release.ts'

test('two builds of the same sources give the same release, byte for byte', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-release-'))
  try {
    const first = buildRelease(path.join(folder, 'first'))
    const second = buildRelease(path.join(folder, 'another folder'))
    assert.equal(second, first)
    assert.equal(first.trim().split('\n').length, 12, first)
    assert.match(first, /^[0-9a-f]{64}  kitseal-\d+\.\d+\.\d+(-rc\.\d+)?\.tgz$/m)
    assert.match(first, /^[0-9a-f]{64}  kitseal-\d+\.\d+\.\d+(rc\d+)?-py3-none-any\.whl$/m)
    assert.match(first, /^[0-9a-f]{64}  kitseal-verify\.py$/m)
    // The script of CI jobs installs the executable, on a machine without Node.js.
    const env = { PATH: '/usr/bin:/bin', HOME: folder, KITSEAL_RELEASE: path.join(folder, 'first') }
    const installed = execFileSync('sh', [path.join(folder, 'first/kitseal-ci.sh')], {
      env,
      encoding: 'utf8',
    })
    assert.match(installed, /^kitseal \d+\.\d+\.\d+(-rc\.\d+)?$/m)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

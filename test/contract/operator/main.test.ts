import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))

/** Runs main.ts in a temp folder. */
function start(...args: readonly string[]) {
  const cwd = mkdtempSync(join(tmpdir(), 'kitseal-main-'))
  try {
    const done = spawnSync(process.execPath, [entry, ...args], { cwd, encoding: 'utf8', timeout: 240_000 })
    return { ...done, leftData: existsSync(join(cwd, 'data')) }
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

test('main.ts --help prints help and starts nothing', () => {
  const { status, stdout, stderr, leftData } = start('--help')
  assert.match(stdout, /^usage: node server\/src\/main\.ts \[FLAG VALUE\]…\n/)
  assert.match(
    stdout,
    /KITSEAL_PORT for --port\.\nSecrets have no flag: .*KITSEAL_PREVIOUS_KEY_PASSPHRASE\.\n/,
  )
  assert.match(stdout, /^ {2}--port +Port to listen on\. .* \(0 to 65535; default 8080\)$/m)
  assert.deepEqual({ status, stderr, leftData }, { status: 0, stderr: '', leftData: false })
})

test('main.ts reports every unknown flag and missing value, and starts nothing', () => {
  const { status, stdout, stderr, leftData } = start('--prot', '8081', '--port')
  const expected = [
    'node server/src/main.ts: unknown option --prot. See node server/src/main.ts --help.',
    'node server/src/main.ts: --port needs a value.',
    '',
  ]
  assert.deepEqual(stderr.split('\n'), expected)
  assert.deepEqual({ status, stdout, leftData }, { status: 2, stdout: '', leftData: false })
})

test('main.ts accepts every setting as a flag', () => {
  const { status, stderr } = start('--port', 'eighty')
  assert.equal(status, 2)
  assert.match(stderr, /^kitseal: invalid settings:\n.*KITSEAL_PORT/)
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(new URL('./main.ts', import.meta.url))

/** Starts the service as a user does who has no command line, in a folder that is gone afterwards. */
function start(...args: readonly string[]) {
  const cwd = mkdtempSync(join(tmpdir(), 'kitseal-main-'))
  try {
    const done = spawnSync(process.execPath, [entry, ...args], { cwd, encoding: 'utf8', timeout: 240_000 })
    return { ...done, leftData: existsSync(join(cwd, 'data')) }
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

test('the entry of the service helps whoever asks for help, and starts nothing', () => {
  const { status, stdout, stderr, leftData } = start('--help')
  assert.match(stdout, /^usage: node server\/src\/main\.ts \[FLAG VALUE\]…\n/)
  assert.match(stdout, /KITSEAL_PORT for --port\. Secrets have\nno flag: .*KITSEAL_KEY_PASSPHRASE\.\n/)
  assert.match(stdout, /^ {2}--port +The port it listens on; .* \(0 to 65535; default 8080\)$/m)
  assert.deepEqual({ status, stderr, leftData }, { status: 0, stderr: '', leftData: false })
})

test('the entry of the service refuses what it does not know, in a sentence for each, and starts nothing', () => {
  const { status, stdout, stderr, leftData } = start('--prot', '8081', '--port')
  const said = [
    'node server/src/main.ts: there is no --prot; see node server/src/main.ts --help.',
    'node server/src/main.ts: --port needs a value.',
    '',
  ]
  assert.deepEqual(stderr.split('\n'), said)
  assert.deepEqual({ status, stdout, leftData }, { status: 2, stdout: '', leftData: false })
})

test('the entry of the service takes every setting as a flag', () => {
  const { status, stderr } = start('--port', 'eighty')
  assert.equal(status, 2)
  assert.match(stderr, /^kitseal: the settings need mending:\n.*KITSEAL_PORT/)
})

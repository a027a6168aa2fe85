import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { serveCommand } from '@kitseal/server'

/** What main.ts does with arguments, on data in a temp folder. */
async function start(...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-main-'))
  let [stdout, stderr] = ['', '']
  try {
    const status = await serveCommand('node server/src/main.ts', args, {
      env: { KITSEAL_DATA: join(folder, 'data') },
      stdout: { write: (text) => void (stdout += String(text)) },
      stderr: { write: (text) => void (stderr += String(text)) },
    })
    return { status, stdout, stderr, leftData: existsSync(join(folder, 'data')) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('main.ts --help prints help and starts nothing', async () => {
  const { status, stdout, stderr, leftData } = await start('--help')
  assert.match(stdout, /^usage: node server\/src\/main\.ts \[FLAG VALUE\]…\n/)
  assert.match(
    stdout,
    /KITSEAL_PORT for --port\.\nSecrets have no flag: .*KITSEAL_PREVIOUS_KEY_PASSPHRASE\.\n/,
  )
  assert.match(stdout, /^ {2}--port +Port to listen on\. .* \(0 to 65535; default 8080\)$/m)
  assert.deepEqual({ status, stderr, leftData }, { status: 0, stderr: '', leftData: false })
})

test('main.ts reports every unknown flag and missing value, and starts nothing', async () => {
  const { status, stdout, stderr, leftData } = await start('--prot', '8081', '--port')
  const expected = [
    'node server/src/main.ts: unknown option --prot. See node server/src/main.ts --help.',
    'node server/src/main.ts: --port needs a value.',
    '',
  ]
  assert.deepEqual(stderr.split('\n'), expected)
  assert.deepEqual({ status, stdout, leftData }, { status: 2, stdout: '', leftData: false })
})

test('main.ts accepts every setting as a flag', async () => {
  const { status, stderr } = await start('--port', 'eighty')
  assert.equal(status, 2)
  assert.match(stderr, /^kitseal: invalid settings:\n.*KITSEAL_PORT/)
})

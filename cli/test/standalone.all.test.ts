import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { keySetOf, makeKit, testSigner } from '../../kit/test/make-kit.ts'
import { testService } from '../../test/kit/service.ts'
import { writeScript } from '../build-standalone.ts'
import { needs } from '../../test/kit/needs.ts'

let folder = ''
let script = ''

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kitseal-standalone-'))
  script = writeScript(folder)
  // Large enough for a second thread, whose code the builds carry too.
  const { zip } = await makeKit({
    'a.bin': new Uint8Array(40_000_000),
    'b.bin': new Uint8Array(30_000_000).fill(1),
  })
  mkdirSync(join(folder, 'empty'))
  writeFileSync(join(folder, 'empty', 'kit.zip'), zip)
  writeFileSync(join(folder, 'empty', 'jwks.json'), JSON.stringify(keySetOf(testSigner())))
})
after(() => rmSync(folder, { recursive: true }))

function run(...args: readonly string[]): ReturnType<typeof spawnSync> {
  return spawnSync(process.execPath, [script, ...args], {
    cwd: join(folder, 'empty'),
    encoding: 'utf8',
    env: { HOME: folder },
  })
}

test('the one-file script verifies a kit in an empty folder', () => {
  const verified = run('verify', 'kit.zip', '--jwks', 'jwks.json')
  assert.equal(verified.status, 0, `${verified.stdout}${verified.stderr}`)
  assert.match(String(verified.stdout), /^PASS /m)
  assert.equal(run('verify', 'kit.zip').status, 3)
})

test('it seals a folder, including START-HERE.html', needs('unzip'), () => {
  mkdirSync(join(folder, 'empty', 'evidence'))
  writeFileSync(join(folder, 'empty', 'evidence', 'a.txt'), 'a')
  assert.equal(run('keygen', 'issuer.key').status, 0)
  const sealed = run(
    'seal',
    'evidence',
    '--key',
    'issuer.key',
    '--issuer',
    'https://x.example',
    '--out',
    'own.zip',
  )
  assert.equal(sealed.status, 0, String(sealed.stderr))
  assert.match(
    String(spawnSync('unzip', ['-l', join(folder, 'empty', 'own.zip')]).stdout),
    /START-HERE\.html/,
  )
})

test('commands that need the server say that it is not included', () => {
  const served = run('serve')
  assert.equal(served.status, 2)
  assert.match(String(served.stderr), /this build does not include the server/)
})

test('its completion lists only included commands', () => {
  const { status, stdout, stderr } = run('completion', 'bash')
  assert.equal(status, 0, String(stderr))
  assert.match(String(stdout), /'verify'\*\) words='[^']*--jwks/)
  assert.doesNotMatch(String(stdout), /serve/)
})

test('it checks evidence with the built-in rules and profiles', () => {
  writeFileSync(join(folder, 'empty', 'users.csv'), 'account,right\na,admin\n')
  assert.equal(run('check', 'users.csv').status, 0)
  const checked = run('check', 'users.csv', '--profile', 'access-review')
  assert.equal(checked.status, 1, String(checked.stderr))
  assert.match(String(checked.stdout), /profile_item_missing/)
})

test('it submits evidence and saves the verified kit', async () => {
  await using service = await testService()
  const env = { HOME: folder, KITSEAL_URL: service.base, KITSEAL_API_KEY: service.service.firstApiKey }
  writeFileSync(join(folder, 'empty', 'report.txt'), 'all is well\n')
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'submit', 'report.txt', '--json'], {
    cwd: join(folder, 'empty'),
    env,
  })
  const { status, kit } = JSON.parse(stdout)
  assert.equal(status, 'PASS')
  assert.equal(run('verify', kit.path, '--use-kit-keys').status, 3)
})

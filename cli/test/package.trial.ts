import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { keySetOf, makeKit, testSigner } from '../../kit/test/make-kit.ts'
import { testService } from '../../server/test/test-service.ts'
import { buildCliPackage } from '../build-standalone.ts'

const MAX_PACKED_BYTES = 500_000

test('the npm package has no dependencies, installs offline, and verifies, checks, logs in and submits', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-npm-'))
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const env = { PATH: path, HOME: folder, npm_config_cache: join(folder, '.npm') }
  const npm = (...args: readonly string[]): string =>
    execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
  try {
    const [packed] = JSON.parse(npm('pack', buildCliPackage(join(folder, 'made')), '--json')) as {
      filename: string
    }[]
    const tarball = join(folder, packed?.filename ?? '')
    assert.ok(statSync(tarball).size < MAX_PACKED_BYTES, `${statSync(tarball).size} bytes`)
    npm('install', '--offline', '--global', '--prefix', join(folder, 'installed'), tarball)
    const kitseal = (args: readonly string[], more: Record<string, string> = {}) =>
      promisify(execFile)(join(folder, 'installed/bin/kitseal'), args, {
        cwd: folder,
        env: { ...env, ...more },
      })

    const { zip } = await makeKit({ 'report.txt': 'all is well\n' })
    writeFileSync(join(folder, 'kit.zip'), zip)
    writeFileSync(join(folder, 'jwks.json'), JSON.stringify(keySetOf(testSigner())))
    mkdirSync(join(folder, 'evidence'))
    writeFileSync(join(folder, 'evidence/a.txt'), 'a\n')
    assert.match((await kitseal(['verify', 'kit.zip', '--jwks', 'jwks.json'])).stdout, /^PASS {2}Verified$/m)
    assert.match((await kitseal(['check', 'evidence'])).stdout, /Ready to submit/)

    await using service = await testService()
    writeFileSync(join(folder, 'key.txt'), service.service.firstApiKey ?? '')
    await kitseal(['login', service.base, '--yes', '--key-file', 'key.txt'])
    assert.match((await kitseal(['submit', 'evidence'])).stdout, /verified {2}with the key you pinned on /)
    await assert.rejects(kitseal(['serve']), /this build does not include the server/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

// Own process: it sets an environment variable that SoftHSM reads.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { describeKeyProvider } from '../../test/key-provider-contract.ts'
import { pkcs11Keys } from './pkcs11-signer.ts'
import { needs } from '../../../test/kit/needs.ts'

const LIBRARIES = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/pkcs11/libsofthsm2.so',
  '/usr/local/lib/softhsm/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
]
const library = LIBRARIES.find((path) => existsSync(path))

const skip =
  needs('softhsm2-util').skip || (library === undefined && 'libsofthsm2.so is not where it is looked for')

if (skip !== false || library === undefined) test('the PKCS#11 signer', { skip }, () => {})
else testAgainstSoftHsm(library)

function testAgainstSoftHsm(module: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-hsm-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'tokens'))
  writeFileSync(join(folder, 'softhsm2.conf'), `directories.tokendir = ${folder}/tokens\nlog.level = ERROR\n`)
  process.env['SOFTHSM2_CONF'] = join(folder, 'softhsm2.conf')
  const initialize = ['--init-token', '--free', '--label', 'kitseal', '--pin', '1234', '--so-pin', '5678']
  execFileSync('softhsm2-util', initialize, { stdio: 'ignore' })
  const pinFile = join(folder, 'pin')
  writeFileSync(pinFile, '1234\n')

  const again = () => pkcs11Keys({ module, token: 'kitseal', pinFile })
  describeKeyProvider('pkcs11', async () => {
    const provider = again()
    return { provider, again, [Symbol.asyncDispose]: () => provider.close() }
  })

  test('the error for a missing token names it and the setting to fix', async () => {
    const provider = pkcs11Keys({ module, token: 'other', pinFile })
    await assert.rejects(
      provider.create(),
      /there is no token with the label "other"; set KITSEAL_PKCS11_TOKEN/,
    )
  })

  test('the error for a missing library names the setting to fix', async () => {
    const provider = pkcs11Keys({ module: join(folder, 'none.so'), token: 'kitseal', pinFile })
    await assert.rejects(provider.create(), /is not a PKCS#11 library; set KITSEAL_PKCS11_MODULE/)
  })

  test('the error for a missing PIN file names the setting to fix', async () => {
    const provider = pkcs11Keys({ module, token: 'kitseal', pinFile: join(folder, 'none') })
    await assert.rejects(provider.create(), /set KITSEAL_PKCS11_PIN_FILE/)
  })
}

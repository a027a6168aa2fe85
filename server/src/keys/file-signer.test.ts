import assert from 'node:assert/strict'
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileKeys } from './file-signer.ts'
import { describeKeyProvider, type ProviderUnderTest } from '../../test/key-provider-contract.ts'
import { KeyUnusable } from './signer.ts'

describeKeyProvider('file', () => openKeyFolder())

test('only the owner can access a key file and its folder', async () => {
  await using folder = await openKeyFolder()
  const { reference } = await folder.provider.create()
  assert.equal((await stat(join(folder.directory, reference))).mode & 0o777, 0o600)
  assert.equal((await stat(folder.directory)).mode & 0o777, 0o700)
  assert.deepEqual(await readdir(folder.directory), [reference])
})

test('a key file that other users can read is rejected, with the fix', async () => {
  await using folder = await openKeyFolder()
  const key = await folder.provider.create()
  for (const mode of [0o640, 0o604, 0o660]) {
    await chmod(join(folder.directory, key.reference), mode)
    await assert.rejects(folder.provider.open(key), {
      name: 'KeyUnusable',
      message: /is readable by other users .*chmod 600/,
    })
  }
})

test('a folder that other users can write to is rejected, with the fix', async () => {
  await using folder = await openKeyFolder()
  const key = await folder.provider.create()
  await chmod(folder.directory, 0o770)
  await assert.rejects(folder.provider.open(key), { name: 'KeyUnusable', message: /chmod 700/ })
})

test('a symbolic link instead of a key file is rejected', async () => {
  await using folder = await openKeyFolder()
  const key = await folder.provider.create()
  const path = join(folder.directory, key.reference)
  await copyFile(path, `${path}.moved`)
  await rm(path)
  await symlink(`${path}.moved`, path)
  await assert.rejects(folder.provider.open(key), KeyUnusable)
})

test('a file without a key is rejected, and the error does not quote it', async () => {
  await using folder = await openKeyFolder()
  const key = await folder.provider.create()
  for (const content of ['', 'no key at all', '{', '{}', '{"format":"other"}', 'null']) {
    await writeFile(join(folder.directory, key.reference), content, { mode: 0o600 })
    await assert.rejects(folder.provider.open(key), (error: unknown) => {
      assert.ok(error instanceof KeyUnusable)
      assert.doesNotMatch(error.message, /no key at all/)
      return true
    })
  }
})

test('with a passphrase, private keys are written encrypted', async () => {
  await using folder = await openKeyFolder('correct horse')
  const key = await folder.provider.create()
  const text = await readFile(join(folder.directory, key.reference), 'utf8')
  assert.doesNotMatch(text, /PRIVATE KEY/)
  assert.match(text, /scrypt.*AES-256-GCM/)
  assert.equal((await (await folder.provider.open(key)).sign(Buffer.from('m'))).length, 64)
})

test('an encrypted key cannot be opened without its passphrase', async () => {
  await using folder = await openKeyFolder('correct horse')
  const key = await folder.provider.create()
  const { directory } = folder
  await assert.rejects(fileKeys({ directory }).open(key), /is encrypted; set KITSEAL_KEY_PASSPHRASE/)
  await assert.rejects(fileKeys({ directory, passphrase: 'wrong' }).open(key), /cannot be decrypted/)
})

test('an unencrypted key is encrypted when a passphrase is set', async () => {
  await using folder = await openKeyFolder()
  const key = await folder.provider.create()
  const path = join(folder.directory, key.reference)
  assert.match(await readFile(path, 'utf8'), /BEGIN PRIVATE KEY/)
  const encrypting = fileKeys({ directory: folder.directory, passphrase: 'battery staple' })
  await encrypting.open(key)
  assert.doesNotMatch(await readFile(path, 'utf8'), /PRIVATE KEY/)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  await encrypting.open(key)
  await assert.rejects(folder.provider.open(key), /is encrypted/)
})

test('no unencrypted key is created next to encrypted ones', async () => {
  await using folder = await openKeyFolder('correct horse')
  await folder.provider.create()
  const { directory } = folder
  await assert.rejects(fileKeys({ directory }).create(), /are encrypted.*set KITSEAL_KEY_PASSPHRASE/)
  assert.equal((await readdir(directory)).length, 1)
  await fileKeys({ directory, passphrase: 'a new one' }).create()
})

test('an encrypted key file cannot replace that of another key', async () => {
  await using folder = await openKeyFolder('correct horse')
  const [a, b] = [await folder.provider.create(), await folder.provider.create()]
  await copyFile(join(folder.directory, a.reference), join(folder.directory, b.reference))
  await assert.rejects(folder.provider.open(b), KeyUnusable)
})

interface KeyFolder extends ProviderUnderTest {
  readonly directory: string
}

async function openKeyFolder(passphrase?: string): Promise<KeyFolder> {
  const temp = await mkdtemp(join(tmpdir(), 'kitseal-keys-'))
  const directory = join(temp, 'keys')
  const again = () => fileKeys(passphrase === undefined ? { directory } : { directory, passphrase })
  return {
    directory,
    provider: again(),
    again,
    [Symbol.asyncDispose]: () => rm(temp, { recursive: true, force: true }),
  }
}

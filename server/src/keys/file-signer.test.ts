import assert from 'node:assert/strict'
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileKeys } from './file-signer.ts'
import { describeKeyProvider, type ProviderUnderTest } from './key-provider-contract.ts'
import { KeyUnusable } from './signer.ts'

describeKeyProvider('file', () => openPlace())

test('a key file and its folder are for their owner alone', async () => {
  await using place = await openPlace()
  const { reference } = await place.provider.create()
  assert.equal((await stat(join(place.directory, reference))).mode & 0o777, 0o600)
  assert.equal((await stat(place.directory)).mode & 0o777, 0o700)
  assert.deepEqual(await readdir(place.directory), [reference])
})

test('a key file that other users can read is rejected, with the fix', async () => {
  await using place = await openPlace()
  const key = await place.provider.create()
  for (const mode of [0o640, 0o604, 0o660]) {
    await chmod(join(place.directory, key.reference), mode)
    await assert.rejects(place.provider.open(key), {
      name: 'KeyUnusable',
      message: /is readable by other users .*chmod 600/,
    })
  }
})

test('a folder that other users can write to is rejected, with the fix', async () => {
  await using place = await openPlace()
  const key = await place.provider.create()
  await chmod(place.directory, 0o770)
  await assert.rejects(place.provider.open(key), { name: 'KeyUnusable', message: /chmod 700/ })
})

test('a link in the place of a key file is refused', async () => {
  await using place = await openPlace()
  const key = await place.provider.create()
  const path = join(place.directory, key.reference)
  await copyFile(path, `${path}.moved`)
  await rm(path)
  await symlink(`${path}.moved`, path)
  await assert.rejects(place.provider.open(key), KeyUnusable)
})

test('a key file that holds no key is refused without a word of its content', async () => {
  await using place = await openPlace()
  const key = await place.provider.create()
  for (const content of ['', 'no key at all', '{', '{}', '{"format":"other"}', 'null']) {
    await writeFile(join(place.directory, key.reference), content, { mode: 0o600 })
    await assert.rejects(place.provider.open(key), (error: unknown) => {
      assert.ok(error instanceof KeyUnusable)
      assert.doesNotMatch(error.message, /no key at all/)
      return true
    })
  }
})

test('with a passphrase a private key never lies on the disk in the clear', async () => {
  await using place = await openPlace('correct horse')
  const key = await place.provider.create()
  const text = await readFile(join(place.directory, key.reference), 'utf8')
  assert.doesNotMatch(text, /PRIVATE KEY/)
  assert.match(text, /scrypt.*AES-256-GCM/)
  assert.equal((await (await place.provider.open(key)).sign(Buffer.from('m'))).length, 64)
})

test('an encrypted key does not open without its passphrase, nor with another', async () => {
  await using place = await openPlace('correct horse')
  const key = await place.provider.create()
  const { directory } = place
  await assert.rejects(fileKeys({ directory }).open(key), /is encrypted; set KITSEAL_KEY_PASSPHRASE/)
  await assert.rejects(fileKeys({ directory, passphrase: 'wrong' }).open(key), /does not open/)
})

test('a key that was written in the clear is encrypted once a passphrase is set', async () => {
  await using place = await openPlace()
  const key = await place.provider.create()
  const path = join(place.directory, key.reference)
  assert.match(await readFile(path, 'utf8'), /BEGIN PRIVATE KEY/)
  const encrypting = fileKeys({ directory: place.directory, passphrase: 'battery staple' })
  await encrypting.open(key)
  assert.doesNotMatch(await readFile(path, 'utf8'), /PRIVATE KEY/)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  await encrypting.open(key)
  await assert.rejects(place.provider.open(key), /is encrypted/)
})

test('beside keys that are encrypted none is made in the clear', async () => {
  await using place = await openPlace('correct horse')
  await place.provider.create()
  const { directory } = place
  await assert.rejects(fileKeys({ directory }).create(), /are encrypted.*set KITSEAL_KEY_PASSPHRASE/)
  assert.equal((await readdir(directory)).length, 1)
  await fileKeys({ directory, passphrase: 'a new one' }).create()
})

test('an encrypted file of one key does not open in the place of another', async () => {
  await using place = await openPlace('correct horse')
  const [a, b] = [await place.provider.create(), await place.provider.create()]
  await copyFile(join(place.directory, a.reference), join(place.directory, b.reference))
  await assert.rejects(place.provider.open(b), KeyUnusable)
})

interface FilePlace extends ProviderUnderTest {
  readonly directory: string
}

async function openPlace(passphrase?: string): Promise<FilePlace> {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-keys-'))
  const directory = join(folder, 'keys')
  const again = () => fileKeys(passphrase === undefined ? { directory } : { directory, passphrase })
  return {
    directory,
    provider: again(),
    again,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

import { randomUUID, type KeyObject } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { allowsOthers, makeFolder, syncFolder } from '@kitseal/kit/internal/node'
import {
  keyText,
  newKeyPair,
  type Passphrases,
  readStoredKey,
  requirePassphrase,
  signerOf,
} from './key-file-format.ts'
import { KeyUnusable, type CreatedKey, type KeyProvider, type Signer } from './signer.ts'

export interface FileKeysOptions extends Passphrases {
  readonly directory: string
}

const KEY_FILE = /^[A-Za-z0-9_-]{43}\.key$/

/** Private keys as PKCS#8 files that only their owner can read. */
export function fileKeys(options: FileKeysOptions): KeyProvider {
  return {
    name: 'file',
    create: () => createKeyFile(options),
    open: (key) => openKeyFile(options, key),
    async destroy(reference) {
      await rm(pathOf(options.directory, reference), { force: true })
    },
    close: async () => {},
  }
}

async function createKeyFile(options: FileKeysOptions): Promise<CreatedKey> {
  const { kid, x, privateKey } = newKeyPair()
  const reference = `${kid}.key`
  await makeFolder(options.directory)
  requirePassphrase(await existingKeys(options.directory), options.passphrase, options.directory)
  await writeKeyFile(options, kid, privateKey, reference)
  return { kid, x, reference }
}

async function existingKeys(directory: string): Promise<readonly string[]> {
  const names = (await readdir(directory)).filter((name) => KEY_FILE.test(name))
  return Promise.all(names.map((name) => readFile(join(directory, name), 'utf8').catch(() => '')))
}

async function openKeyFile(options: FileKeysOptions, key: CreatedKey): Promise<Signer> {
  const path = pathOf(options.directory, key.reference)
  const text = await readPrivateFile(options.directory, path)
  const { privateKey, isStale } = await readStoredKey(key, text, options, path)
  if (isStale) await writeKeyFile(options, key.kid, privateKey, key.reference)
  return signerOf(key, privateKey)
}

async function writeKeyFile(
  options: FileKeysOptions,
  kid: string,
  privateKey: KeyObject,
  reference: string,
): Promise<void> {
  const { directory, passphrase } = options
  const text = await keyText(kid, privateKey, passphrase)
  const temp = join(directory, `.${randomUUID()}.tmp`)
  try {
    await using file = await open(temp, 'wx', 0o600)
    await file.writeFile(text)
    await chownToFolderOwner(file, directory)
    await file.sync()
    await rename(temp, pathOf(directory, reference))
  } catch (error) {
    await rm(temp, { force: true })
    throw error
  }
  await syncFolder(directory)
}

/** If root creates a key, it belongs to the owner of the folder, which the service runs as. */
async function chownToFolderOwner(file: FileHandle, directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await lstat(directory)
  await file.chown(uid, gid)
}

async function readPrivateFile(directory: string, path: string): Promise<string> {
  await checkFolderMode(directory)
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    const { mode } = await file.stat()
    if (allowsOthers(mode, 0o077)) {
      throw new KeyUnusable(
        `${path} is readable by other users (mode ${octal(mode)}); if nobody has read it, ` +
          `run "chmod 600 ${path}", otherwise rotate and revoke the key`,
      )
    }
    return await file.readFile('utf8')
  } catch (error) {
    if (error instanceof KeyUnusable) throw error
    throw new KeyUnusable(
      `cannot read ${path} (${codeOf(error)}); restore the file, or rotate to a new key`,
      {
        cause: error,
      },
    )
  }
}

/** Users who can write to the folder can replace the keys. */
async function checkFolderMode(directory: string): Promise<void> {
  const found = await lstat(directory).catch(() => undefined)
  if (found !== undefined && allowsOthers(found.mode, 0o022)) {
    throw new KeyUnusable(
      `${directory} is writable by other users (mode ${octal(found.mode)}); run "chmod 700 ${directory}"`,
    )
  }
}

/** References come from the database and must not lead out of the folder. */
function pathOf(directory: string, reference: string): string {
  if (!KEY_FILE.test(reference)) throw new KeyUnusable('the reference of the key is not a file name')
  return join(directory, reference)
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}

import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { thumbprint } from '@kitseal/kit'
import { makeFolder } from '@kitseal/kit/node'
import { keyText, publicX, readKeyText, refuseInTheClear } from './key-text.ts'
import { isSealedKey } from './sealed-key.ts'
import { KeyUnusable, type CreatedKey, type KeyProvider, type Signer } from './signer.ts'

export interface FileKeysOptions {
  readonly directory: string
  /** Where given, no private key lies on the disk unencrypted: one that did is encrypted when it is first opened. */
  readonly passphrase?: string
}

const KEY_FILE = /^[A-Za-z0-9_-]{43}\.key$/

/** Private keys as files: one PKCS#8 file per key, for its owner's eyes alone. */
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
  const { privateKey } = generateKeyPairSync('ed25519')
  const x = publicX(privateKey)
  const kid = thumbprint(x)
  const reference = `${kid}.key`
  await makeFolder(options.directory)
  refuseInTheClear(await keptTexts(options.directory), options.passphrase, options.directory)
  await writeKeyFile(options, kid, privateKey, reference)
  return { kid, x, reference }
}

async function keptTexts(directory: string): Promise<readonly string[]> {
  const names = (await readdir(directory)).filter((name) => KEY_FILE.test(name))
  return Promise.all(names.map((name) => readFile(join(directory, name), 'utf8').catch(() => '')))
}

async function openKeyFile(options: FileKeysOptions, key: CreatedKey): Promise<Signer> {
  const path = pathOf(options.directory, key.reference)
  const text = await readPrivateFile(options.directory, path)
  const privateKey = await readKeyText(key, text, options.passphrase, path)
  if (options.passphrase !== undefined && !isSealedKey(text)) {
    await writeKeyFile(options, key.kid, privateKey, key.reference)
  }
  return { kid: key.kid, x: key.x, sign: async (message) => sign(null, message, privateKey) }
}

async function writeKeyFile(
  options: FileKeysOptions,
  kid: string,
  privateKey: KeyObject,
  reference: string,
): Promise<void> {
  const { directory, passphrase } = options
  const text = await keyText(kid, privateKey, passphrase)
  const draft = join(directory, `.${randomUUID()}.tmp`)
  try {
    await using file = await open(draft, 'wx', 0o600)
    await file.writeFile(text)
    await giveToOwner(file, directory)
    await file.sync()
    await rename(draft, pathOf(directory, reference))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await using folder = await open(directory, 'r')
  await folder.sync()
}

/** A key that root makes beside a running service belongs to whoever the service runs as: the owner of the folder. */
async function giveToOwner(file: FileHandle, directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await lstat(directory)
  await file.chown(uid, gid)
}

async function readPrivateFile(directory: string, path: string): Promise<string> {
  await refuseOpenFolder(directory)
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    const { mode } = await file.stat()
    if ((mode & 0o077) !== 0) {
      throw new KeyUnusable(
        `${path} can be read by others (mode ${octal(mode)}); a key that others may have read is not secret: ` +
          `if nobody did, run "chmod 600 ${path}", otherwise rotate and revoke it`,
      )
    }
    return await file.readFile('utf8')
  } catch (error) {
    if (error instanceof KeyUnusable) throw error
    throw new KeyUnusable(
      `${path} can't be read (${codeOf(error)}); put the file back, or rotate to a new key`,
      {
        cause: error,
      },
    )
  }
}

/** Whoever may write in the folder may replace what is in it. */
async function refuseOpenFolder(directory: string): Promise<void> {
  const found = await lstat(directory).catch(() => undefined)
  if (found !== undefined && (found.mode & 0o022) !== 0) {
    throw new KeyUnusable(
      `${directory} can be written by others (mode ${octal(found.mode)}); run "chmod 700 ${directory}"`,
    )
  }
}

/** References come from the database: a name that is not ours must not lead out of the folder. */
function pathOf(directory: string, reference: string): string {
  if (!KEY_FILE.test(reference)) throw new KeyUnusable('the reference of the key is no file name')
  return join(directory, reference)
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}

import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { allowsOthers, makeFolder, syncFolder } from '@kitseal/kit/internal/node'
import { type Passphrases, storedKeys } from './key-file-format.ts'
import { KeyUnusable, type KeyProvider } from './signer.ts'

const KEY_FILE = /^[A-Za-z0-9_-]{43}\.key$/

/** Private keys as PKCS#8 files that only their owner can read. */
export function fileKeys({
  directory,
  ...passphrases
}: Passphrases & { readonly directory: string }): KeyProvider {
  const locate = (reference: string): string => pathOf(directory, reference)
  return storedKeys(
    {
      name: 'file',
      location: directory,
      locate,
      referenceOf: (kid) => `${kid}.key`,
      async existing() {
        await makeFolder(directory)
        const names = (await readdir(directory)).filter((name) => KEY_FILE.test(name))
        return Promise.all(names.map((name) => readFile(join(directory, name), 'utf8').catch(() => '')))
      },
      read: (reference) => readPrivateFile(directory, locate(reference)),
      write: (reference, text) => writeKeyFile(directory, locate(reference), text),
      remove: async (reference) => rm(locate(reference), { force: true }),
    },
    passphrases,
  )
}

async function writeKeyFile(directory: string, path: string, text: string): Promise<void> {
  const temp = join(directory, `.${randomUUID()}.tmp`)
  try {
    await using file = await open(temp, 'wx', 0o600)
    await file.writeFile(text)
    await chownToFolderOwner(file, directory)
    await file.sync()
    await rename(temp, path)
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
      { cause: error },
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

import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { formatBytes } from '@kitseal/kit/internal'
import {
  type FileKit,
  KeyFileError,
  type LocalFile,
  measureFolder,
  type NodeSigner,
  readPrivateKey,
  sealFiles,
  writeKit,
} from '@kitseal/kit/internal/node'
import { command } from '../command-line.ts'
import { removeOnInterrupt } from '../interruption.ts'
import { describeError, InputError, orInputError } from '../input-error.ts'
import { keyPassphrase } from './keygen.ts'
import { shellQuotePath, pluralize, printable, type Terminal } from '../terminal.ts'
import { transferProgress } from '../progress.ts'

const HELP = `usage: kitseal seal DIR --key FILE --issuer URL [OPTIONS]

Seals a folder into a kit without a service. The kit contains the files, a manifest of their hashes, a receipt signed with
your key, and START-HERE.html, a page that verifies the kit.

OPTIONS

Set KITSEAL_KEY_PASSPHRASE if the key is encrypted.

example:
  kitseal keygen issuer.key
  kitseal seal evidence --key issuer.key --issuer https://issuer.example --scope "Access review, third quarter"`

/** `kitseal seal`. */
export const run = command('seal', HELP, {
  options: {
    key: 'FILE  an Ed25519 private key (PKCS#8, PEM), such as "kitseal keygen" creates',
    issuer: 'URL  your URL as the issuer; reviewers pin your key for it',
    scope: 'TEXT  what the kit is about (default: the folder name)',
    out: 'FILE  where to write the kit (default: KIT_ID.zip in this folder)',
  },
  arguments: ['pass a folder to seal'],
  read: ({ positionals: [folder = ''], value, has, reject }) => {
    const [keyFile = '', issuer = ''] = [value('key'), value('issuer')]
    reject(
      !has('key') && '--key is required. Create a key with "kitseal keygen".',
      !has('issuer') && '--issuer is required: the URL that identifies you, such as https://issuer.example',
      ...(has('issuer') ? issuerProblems(issuer) : []),
    )
    return async (terminal) => {
      const signer = readSigner(keyFile, terminal)
      const scope = scopeOf(value('scope'), folder)
      const files = await readFolder(folder, terminal)
      rejectKeyInFolder(keyFile, folder, files)
      const kit = await sealFiles(files, { issuer, scope, signer })
      const { kit_id } = kit.sealed.manifest
      const path = value('out') ?? `${kit_id}.zip`
      await write(path, kit)
      const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      return {
        json: { status: 'OK', kit: path, kit_id, kid: signer.kid, files: files.length, size_bytes: total },
        out: [
          `Wrote ${printable(path)}: ${pluralize(files.length, 'file')}, ${formatBytes(total)}`,
          `To verify: kitseal verify ${shellQuotePath(path)} --kid ${signer.kid}`,
        ],
      }
    }
  },
})

/** Reviewers pin the key for this URL and look for the key set there. */
function issuerProblems(issuer: string): readonly string[] {
  const isAddress = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(issuer) && URL.canParse(issuer)
  return isAddress
    ? []
    : [`--issuer must be an http or https URL such as https://issuer.example, not ${JSON.stringify(issuer)}`]
}

function scopeOf(named: string | undefined, folder: string): string {
  const scope = named ?? basename(resolve(folder))
  if (!/\p{Cc}/u.test(scope)) return scope
  const source = named === undefined ? 'the folder name, the default for --scope,' : '--scope'
  const fix = named === undefined ? '. Pass --scope.' : ''
  throw new InputError(`${source} contains a line break or another control character${fix}`)
}

function readSigner(path: string, { env }: Terminal): NodeSigner {
  const passphrase = keyPassphrase(env)
  try {
    return readPrivateKey(path, { passphrase })
  } catch (error) {
    const problem = error instanceof KeyFileError ? KEY_PROBLEMS[error.problem] : describeError(error)
    throw new InputError(`cannot use the key ${path}: ${problem}`)
  }
}

const KEY_PROBLEMS: Readonly<Record<KeyFileError['problem'], string>> = {
  not_a_key: 'it is not an Ed25519 private key in PEM format',
  passphrase_missing: 'it is encrypted. Set KITSEAL_KEY_PASSPHRASE.',
  passphrase_wrong: 'KITSEAL_KEY_PASSPHRASE is not its passphrase',
}

const readFolder = (folder: string, terminal: Terminal): Promise<readonly LocalFile[]> =>
  orInputError(`cannot read ${folder}`, async () => {
    if (!statSync(folder).isDirectory()) throw new InputError(`${folder} is not a folder`)
    const progress = transferProgress(terminal, 'reading')
    const measured = await measureFolder(folder, 'data/', progress.of)
    progress.clear()
    if (measured.ok) return measured.files
    throw new InputError(...measured.problems.map((problem) => `cannot seal ${folder}: ${problem}`))
  })

/** Rejects a private key inside the folder: everyone who gets the kit would have it. */
function rejectKeyInFolder(keyFile: string, folder: string, files: readonly LocalFile[]): void {
  const { dev, ino } = statSync(keyFile)
  const same = files.find(({ diskPath }) => {
    const found = statSync(diskPath)
    return found.dev === dev && found.ino === ino
  })
  if (same !== undefined)
    throw new InputError(
      `cannot seal ${folder}: ${same.path} is your private key, and everyone who gets the kit would have it. Move it out of the folder.`,
    )
}

async function write(out: string, kit: FileKit): Promise<void> {
  if (existsSync(out)) throw new InputError(`${out} already exists. Choose another name with --out.`)
  await orInputError(`cannot write ${out}`, () => writeKit(out, kit, removeOnInterrupt))
}

import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { formatBytes } from '@kitseal/kit'
import {
  type FileKit,
  KeyFileError,
  type LocalFile,
  measureFolder,
  type NodeSigner,
  readPrivateKey,
  sealFiles,
  writeKit,
} from '@kitseal/kit/node'
import { readArguments } from '../arguments.ts'
import { removedByInterruption } from '../interruption.ts'
import { reason, sayUnreadable, UnreadableInput } from '../unreadable-input.ts'
import { shellPath } from '../shell-word.ts'
import { counted, EXIT, lines, plain, showHelp, type Terminal, usageError } from '../terminal.ts'

const HELP = `usage: kitseal seal DIR --key FILE --issuer URL [--scope TEXT] [--out FILE]

Seals a folder into a kit with no service at all: the files byte for byte, their manifest, a receipt signed with your
key, and the means to check it all.

  --key FILE      an Ed25519 private key (PKCS#8, PEM); "kitseal keygen" makes one
  --issuer URL    who issues the kit: the name that readers pin your key for
  --scope TEXT    what the kit is about (default: the folder's name)
  --out FILE      where to write it (default: the kit's ID and .zip, in this folder)

KITSEAL_KEY_PASSPHRASE opens an encrypted key.

example:
  kitseal keygen issuer.key
  kitseal seal evidence --key issuer.key --issuer https://issuer.example --scope "Access review, third quarter"`

/** `kitseal seal`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = { key: 'one', issuer: 'one', scope: 'one', out: 'one' } as const
  const { words, values, problems, wantsHelp } = readArguments(args, options)
  if (wantsHelp) return showHelp(terminal, HELP)
  const [folder, ...more] = words
  const [keyFile] = values.get('key') ?? []
  const [issuer] = values.get('issuer') ?? []
  const wrong = [
    ...problems,
    ...(folder === undefined ? ['which folder?'] : []),
    ...more.map((word) => `${JSON.stringify(word)} is one argument too many`),
    ...(keyFile === undefined ? ['--key is needed; "kitseal keygen" makes one'] : []),
    ...(issuer === undefined ? ['--issuer is needed: who vouches for the kit?'] : issuerProblems(issuer)),
  ]
  if (folder === undefined || keyFile === undefined || issuer === undefined || wrong.length > 0) {
    return usageError(terminal, 'seal', wrong)
  }
  try {
    const signer = readSigner(keyFile, terminal)
    const scope = scopeOf(values.get('scope')?.[0], folder)
    const files = readFolder(folder)
    refuseKey(keyFile, folder, files)
    const kit = await sealFiles(files, { issuer, scope, signer })
    const out = values.get('out')?.[0] ?? `${kit.sealed.manifest.kit_id}.zip`
    await write(out, kit)
    const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    lines(terminal.stdout, [
      `wrote ${plain(out)}: ${counted(files.length, 'file')}, ${formatBytes(total)}`,
      `check: kitseal verify ${shellPath(out)} --kid ${signer.kid}`,
    ])
    return EXIT.ok
  } catch (error) {
    return sayUnreadable(error, 'seal', terminal)
  }
}

/** Readers pin the key for this name, and look for the issuer's key set there. */
function issuerProblems(issuer: string): readonly string[] {
  const isAddress = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(issuer) && URL.canParse(issuer)
  return isAddress
    ? []
    : [`--issuer ${JSON.stringify(issuer)} is no http or https address, such as https://issuer.example`]
}

function scopeOf(named: string | undefined, folder: string): string {
  const scope = named ?? basename(resolve(folder))
  if (!/\p{Cc}/u.test(scope)) return scope
  const whose = named === undefined ? "the folder's name, which stands for the scope," : '--scope'
  const remedy = named === undefined ? ': give a --scope' : ''
  throw new UnreadableInput(`${whose} holds a line break or another control character${remedy}`)
}

function readSigner(path: string, { env }: Terminal): NodeSigner {
  try {
    return readPrivateKey(path, { passphrase: env['KITSEAL_KEY_PASSPHRASE'] })
  } catch (error) {
    const why = error instanceof KeyFileError ? KEY_PROBLEMS[error.problem] : reason(error)
    throw new UnreadableInput(`the key ${path} cannot be used: ${why}`)
  }
}

const KEY_PROBLEMS: Readonly<Record<KeyFileError['problem'], string>> = {
  not_a_key: 'it is no Ed25519 private key in PEM',
  passphrase_missing: 'it is encrypted: set KITSEAL_KEY_PASSPHRASE',
  passphrase_wrong: 'it is encrypted, and KITSEAL_KEY_PASSPHRASE does not open it',
}

function readFolder(folder: string): readonly LocalFile[] {
  try {
    if (!statSync(folder).isDirectory()) throw new UnreadableInput(`${folder} is no folder`)
    const measured = measureFolder(folder, 'data/')
    if (measured.ok) return measured.files
    throw new UnreadableInput(...measured.problems.map((problem) => `${folder} cannot be sealed: ${problem}`))
  } catch (error) {
    if (error instanceof UnreadableInput) throw error
    throw new UnreadableInput(`${folder} cannot be read: ${reason(error)}`)
  }
}

/** A key that lies beside the evidence would be handed to everybody. */
function refuseKey(keyFile: string, folder: string, files: readonly LocalFile[]): void {
  const { dev, ino } = statSync(keyFile)
  const same = files.find(({ place }) => {
    const found = statSync(place)
    return found.dev === dev && found.ino === ino
  })
  if (same !== undefined)
    throw new UnreadableInput(
      `${folder} cannot be sealed: ${same.path} is the key that signs, and every reader of the kit would have it: move it out`,
    )
}

async function write(out: string, kit: FileKit): Promise<void> {
  if (existsSync(out)) throw new UnreadableInput(`${out} is there already: name another file with --out`)
  try {
    await writeKit(out, kit, removedByInterruption)
  } catch (error) {
    throw new UnreadableInput(`${out} cannot be written: ${reason(error)}`)
  }
}

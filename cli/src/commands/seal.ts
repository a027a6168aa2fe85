import { createPrivateKey, randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import {
  formatBytes,
  base64url,
  hex,
  type Jwks,
  layOutZip,
  type MeasuredFile,
  sealKit,
  type SealedKit,
  trustKeys,
  VERIFIER_PAGE_PATH,
  verifyKit,
} from '@kitseal/kit'
import { nodeHost, nodeSigner, openKit, verifierPage } from '@kitseal/kit/node'
import { readArguments } from '../arguments.ts'
import { type LocalFile, measureFolder } from '../measure-folder.ts'
import { reason, sayUnreadable, UnreadableInput } from '../unreadable-input.ts'
import { readSmallFile } from '../read-small-file.ts'
import { shellPath } from '../shell-word.ts'
import { counted, EXIT, lines, plain, showHelp, type Terminal, usageError } from '../terminal.ts'
import { writeZip } from '../write-zip.ts'

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
    const kit = await seal(files, { issuer, scope, signer })
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

type Signer = ReturnType<typeof nodeSigner>

function readSigner(path: string, { env }: Terminal): Signer {
  const unusable = (why: string): UnreadableInput =>
    new UnreadableInput(`the key ${path} cannot be used: ${why}`)
  let key: string
  try {
    key = Buffer.from(readSmallFile(path, { what: 'a key', limitMiB: 1 })).toString()
  } catch (error) {
    throw unusable(reason(error))
  }
  const passphrase = env['KITSEAL_KEY_PASSPHRASE'] ?? ''
  const encrypted = key.includes('ENCRYPTED PRIVATE KEY')
  try {
    return nodeSigner(createPrivateKey({ key, format: 'pem', ...(encrypted ? { passphrase } : {}) }))
  } catch {
    // OpenSSL's own words for a file that is no key help nobody.
    if (!encrypted) throw unusable('it is no Ed25519 private key in PEM')
    throw unusable(
      `it is encrypted${passphrase === '' ? ': set KITSEAL_KEY_PASSPHRASE' : ', and KITSEAL_KEY_PASSPHRASE does not open it'}`,
    )
  }
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

interface Kit {
  readonly sealed: SealedKit
  readonly contents: ReadonlyMap<string, Uint8Array | { readonly place: string }>
  readonly jwks: Jwks
}

async function seal(
  files: readonly LocalFile[],
  { issuer, scope, signer }: { readonly issuer: string; readonly scope: string; readonly signer: Signer },
): Promise<Kit> {
  const page = verifierPage()
  const pageFile: MeasuredFile = {
    path: VERIFIER_PAGE_PATH,
    sha256: hex(nodeHost.digest(page)),
    sizeBytes: page.length,
    crc32: nodeHost.crc32(page, 0),
  }
  const { kid, x } = signer
  const jwks: Jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' }] }
  const sealed = await sealKit(
    {
      kitId: `kit_${base64url(randomBytes(20))}`,
      jobId: `job_${base64url(randomBytes(20))}`,
      issuedAt: new Date().toISOString(),
      issuer,
      scope,
      files: [...files, pageFile],
      jwks,
      signer,
    },
    nodeHost,
  )
  const contents = new Map<string, Uint8Array | { readonly place: string }>([[VERIFIER_PAGE_PATH, page]])
  for (const { path, place } of files) contents.set(path, { place })
  for (const { path, bytes } of sealed.generated) contents.set(path, bytes)
  return { sealed, contents, jwks }
}

/** Writes the kit, and verifies it as it lies there, with the engine that everybody else will use. */
async function write(out: string, { sealed, contents, jwks }: Kit): Promise<void> {
  if (existsSync(out)) throw new UnreadableInput(`${out} is there already: name another file with --out`)
  const check = async (path: string): Promise<void> => {
    using kit = await openKit(path)
    const { status, errors } = await verifyKit(kit, trustKeys(jwks), nodeHost)
    if (status === 'FAIL') throw new Error(`it would not verify: ${errors.join('; ')}`)
  }
  try {
    const layout = layOutZip(sealed.manifest.kit_id, sealed.files, sealed.manifest.issued_at)
    await writeZip(out, layout, (path) => contents.get(path) ?? new Uint8Array(0), check)
  } catch (error) {
    throw new UnreadableInput(`${out} cannot be written: ${reason(error)}`)
  }
}

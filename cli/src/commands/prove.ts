import { basename } from 'node:path'
import {
  ENVELOPE,
  ENVELOPE_LIMIT_BYTES,
  type FileProof,
  type JsonValue,
  type KitFiles,
  type Parsed,
  parseJwks,
  parseManifest,
  parseReceipt,
  parseStrictJson,
  proofBytes,
  proveFile,
  trustKeys,
  verifyFileProof,
} from '@kitseal/kit'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { readArguments, suggestion } from '../arguments.ts'
import { reading, reason, sayUnreadable, UnreadableInput } from '../unreadable-input.ts'
import { shellPath } from '../shell-word.ts'
import { EXIT, lines, plain, showHelp, type Terminal, usageError } from '../terminal.ts'
import { writeNewFile } from '../write-new-file.ts'

const HELP = `usage: kitseal prove KIT PATH [--out FILE]

Writes a proof that one file is in a kit. Hand the file and its proof to somebody: they can check both with
"kitseal verify FILE PROOF", and learn nothing of the other files. The whole kit stays with you. A proof shows that the
file is in the kit, not at which place or among how many: leaf_index and tree_size are not signed.

  PATH         the file in the kit; data/report.pdf or, for short, report.pdf
  --out FILE   where to write it (default: the file's name and .proof.json, in this folder)

example:
  kitseal prove kit.zip data/report.pdf
  kitseal verify report.pdf report.pdf.proof.json --jwks jwks.json`

/** `kitseal prove`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { words, values, problems, wantsHelp } = readArguments(args, { out: 'one' })
  if (wantsHelp) return showHelp(terminal, HELP)
  const [kitPath, path, ...more] = words
  if (kitPath === undefined || path === undefined || more.length > 0 || problems.length > 0) {
    const wrong = words.length === 2 ? [] : ['a kit and one path in it are needed']
    return usageError(terminal, 'prove', [...problems, ...wrong])
  }
  try {
    const proof = await makeProof(kitPath, path)
    const out = values.get('out')?.[0] ?? `${basename(proof.path)}.proof.json`
    write(out, proofBytes(proof))
    lines(terminal.stdout, [
      `wrote ${plain(out)}`,
      `check: kitseal verify ${shellPath(basename(proof.path))} ${shellPath(out)} --kid ${proof.receipt.public_key_kid}`,
    ])
    return EXIT.ok
  } catch (error) {
    return sayUnreadable(error, 'prove', terminal)
  }
}

async function makeProof(kitPath: string, path: string): Promise<FileProof> {
  using kit = await reading(kitPath, () => openKit(kitPath))
  const manifest = await readDocument(kit, 'manifest', parseManifest)
  const receipt = await readDocument(kit, 'receipt', parseReceipt)
  const jwks = await readDocument(kit, 'keySet', parseJwks)
  const prove = (name: string): FileProof | undefined =>
    proveFile(manifest, receipt, { keys: jwks.keys }, name, nodeHost)
  const proof = prove(path) ?? prove(`data/${path}`)
  if (proof === undefined) {
    const paths = manifest.artifacts.map((artifact) => artifact.path)
    const below = paths.find((known) => known.endsWith(`/${path}`))
    throw new UnreadableInput(
      `${path} is not listed in the kit's manifest${below === undefined ? suggestion(path, paths) : `; did you mean ${below}?`}`,
    )
  }
  // A proof from a kit that was changed would convince nobody: better to say so here.
  const file = { sha256: proof.sha256, sizeBytes: proof.size_bytes }
  const report = await verifyFileProof(proof as unknown as JsonValue, file, trustKeys(jwks), nodeHost)
  if (report.status === 'FAIL')
    throw new UnreadableInput(`the kit does not verify: ${report.errors.join('; ')}`)
  await assertUnchanged(kit, proof)
  return proof
}

/** A proof speaks of the bytes that were sealed: those that lie in the kit have to be the same. */
async function assertUnchanged(kit: KitFiles, { path, sha256 }: FileProof): Promise<void> {
  if (!kit.files.some((file) => file.path === path))
    throw new UnreadableInput(`${path} is listed in the kit's manifest, and is missing from the kit`)
  const measured = await kit.measure({ wanted: (name) => name === path, trustedCrc32: new Map() })
  const [problem] = [...kit.problems, ...measured.problems]
  if (problem !== undefined) throw new UnreadableInput(`the kit does not verify: ${problem}`)
  const found = measured.sha256.get(path)
  if (found !== sha256)
    throw new UnreadableInput(
      `${path} was changed in the kit: its SHA-256 is ${found ?? 'not to be had'}, listed is ${sha256}`,
    )
}

async function readDocument<T>(
  kit: KitFiles,
  name: keyof typeof ENVELOPE,
  parse: (value: JsonValue) => Parsed<T>,
): Promise<T> {
  return await reading(`${ENVELOPE[name]} of the kit`, async () => {
    const parsed = parse(parseStrictJson(await kit.read(ENVELOPE[name], ENVELOPE_LIMIT_BYTES[name])))
    if (parsed.ok) return parsed.value
    throw new Error(parsed.problems.join('; '))
  })
}

function write(path: string, bytes: Uint8Array): void {
  try {
    writeNewFile(path, bytes)
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST')
      throw new UnreadableInput(`${path} is there already: name another file with --out`)
    throw new UnreadableInput(`${path} cannot be written: ${reason(error)}`)
  }
}

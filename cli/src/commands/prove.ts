import { basename } from 'node:path'
import {
  type FileProof,
  type KitFiles,
  parseJwks,
  parseManifest,
  parseReceipt,
  proofBytes,
  proveFile,
  trustKeys,
  verifyFileProof,
} from '@kitseal/kit'
import { textOf } from '@kitseal/kit/internal'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { suggestion } from '../arguments.ts'
import { command } from '../command-line.ts'
import { readOrFail, InputError } from '../input-error.ts'
import { asJson, readDocument } from '../read-documents.ts'
import { shellQuotePath, printable } from '../terminal.ts'
import { writeOutput } from '../write-file.ts'

const HELP = `usage: kitseal prove KIT PATH [OPTIONS]

Writes a proof that a file is in a kit. Send someone the file and its proof: they can verify both with "kitseal verify
FILE PROOF" without seeing the other files. The proof does not show the position of the file or the number of files in
the kit: leaf_index and tree_size are not signed.

  PATH         the path in the kit: data/report.pdf, or report.pdf for short
OPTIONS

example:
  kitseal prove kit.zip data/report.pdf
  kitseal verify report.pdf report.pdf.proof.json --jwks jwks.json`

/** `kitseal prove`. */
export const run = command('prove', HELP, {
  options: {
    out: 'FILE  where to write the proof (default: NAME.proof.json in this folder)',
  },
  read: ({ positionals, value, reject }) => {
    const [kitPath = '', path = ''] = positionals
    reject(positionals.length !== 2 && 'pass a kit and the path of a file in it')
    return async () => {
      const proof = await makeProof(kitPath, path)
      const proofPath = value('out') ?? `${basename(proof.path)}.proof.json`
      writeOutput(proofPath, proofBytes(proof))
      const kid = proof.receipt.public_key_kid
      return {
        json: { status: 'OK', proof: proofPath, path: proof.path, kid },
        out: [
          `Wrote ${printable(proofPath)}`,
          `To verify: kitseal verify ${shellQuotePath(basename(proof.path))} ${shellQuotePath(proofPath)} --kid ${kid}`,
        ],
      }
    }
  },
})

async function makeProof(kitPath: string, path: string): Promise<FileProof> {
  using kit = await readOrFail(kitPath, () => openKit(kitPath))
  const manifest = await readDocument(kit, 'manifest', parseManifest)
  const receipt = await readDocument(kit, 'receipt', parseReceipt)
  const jwks = await readDocument(kit, 'keySet', parseJwks)
  const prove = (name: string): FileProof | undefined =>
    proveFile(manifest, receipt, { keys: jwks.keys }, name, nodeHost)
  const proof = prove(path) ?? prove(`data/${path}`)
  if (proof === undefined) {
    const paths = manifest.artifacts.map((artifact) => artifact.path)
    const below = paths.find((known) => known.endsWith(`/${path}`))
    throw new InputError(
      `${path} is not in the kit's manifest${below === undefined ? suggestion(path, paths) : `. Did you mean ${below}?`}`,
    )
  }
  // A proof from an altered kit would not verify, so report it now.
  const file = { sha256: proof.sha256, sizeBytes: proof.size_bytes }
  const report = await verifyFileProof(asJson(proof), file, trustKeys(jwks), nodeHost)
  if (report.status === 'FAIL') throw new InputError(`the kit does not verify: ${report.errors.join('; ')}`)
  await assertUnchanged(kit, proof)
  return proof
}

/** Checks that the file in the kit is the one that was sealed. */
async function assertUnchanged(kit: KitFiles, { path, sha256 }: FileProof): Promise<void> {
  if (!kit.files.some((file) => file.path === path))
    throw new InputError(`${path} is in the kit's manifest but missing from the kit`)
  const measured = await kit.measure({ wanted: new Set([path]), trustedCrc32: new Map() })
  const [problem] = [...kit.problems, ...measured.problems]
  if (problem !== undefined) throw new InputError(`the kit does not verify: ${textOf(problem)}`)
  const found = measured.sha256.get(path)
  if (found !== sha256)
    throw new InputError(`${path} was changed in the kit. SHA-256: ${found ?? 'unknown'}, expected ${sha256}`)
}

import { isDeepStrictEqual } from 'node:util'
import { parseAddCheckpoint } from '../../kit/witness.ts'
import { nodeHost } from '../../../kit/node/internal.ts'
import * as kit from '../../../kit/src/internal.ts'
import { ISSUER_KEYS } from '../../forge/keys.ts'
import { draftKit, type Files } from '../../forge/draft-kit.ts'
import { makeLogProof } from '../../forge/log-proof.ts'
import { POLICIES } from '../../forge/policies.ts'
import { damagedBytes } from '../byte-mutations.ts'
import { CaseFailure, type Outcome, type Target } from '../target.ts'

const { digest } = nodeHost
const { files, receipt } = draftKit({ logProof: makeLogProof() })
const proof = files.get(kit.LOG_PROOF_PATH)!
const policyBytes = kit.utf8(POLICIES['two-of-three'])
const trust = { ...kit.trustKeys(ISSUER_KEYS), logPolicy: kit.parsePolicy(policyBytes, digest) }
const { text, signatures } = kit.parseTlogProof(proof).checkpoint

interface Format {
  readonly original: Uint8Array
  /** Reads the bytes and writes them again. Formats with several spellings return nothing. */
  rewrite(bytes: Uint8Array): Uint8Array | undefined
}

const FORMATS: readonly Format[] = [
  { original: proof, rewrite: (bytes) => kit.tlogProofBytes(kit.parseTlogProof(bytes)) },
  { original: kit.noteBytes({ text, signatures }), rewrite: (bytes) => kit.noteBytes(kit.parseNote(bytes)) },
  {
    original: kit.noteBytes({ text, signatures }),
    rewrite: (bytes) => kit.noteBytes(kit.parseCheckpoint(bytes)),
  },
  {
    original: kit.leafBytes(kit.receiptLeaf(receipt, digest)),
    rewrite: (bytes) => kit.leafBytes(kit.parseLeaf(bytes)),
  },
  {
    original: kit.entryBundle([kit.utf8('one'), kit.utf8('another')]),
    rewrite: (bytes) => kit.entryBundle(kit.parseEntryBundle(bytes)),
  },
  {
    original: requestBytes({
      oldSize: 7,
      proof: kit.parseTlogProof(proof).hashes,
      checkpoint: { text, signatures },
    }),
    rewrite: (bytes) => requestBytes(parseAddCheckpoint(Buffer.from(bytes))),
  },
  { original: policyBytes, rewrite: (bytes) => void kit.parsePolicy(bytes, digest) },
]

interface WitnessRequest {
  readonly oldSize: number
  readonly proof: readonly Uint8Array[]
  readonly checkpoint: kit.SignedNote
}

function requestBytes({ oldSize, proof: hashes, checkpoint }: WitnessRequest): Uint8Array {
  const lines = [`old ${oldSize}`, ...hashes.map(kit.base64), '', '']
  return Buffer.concat([kit.utf8(lines.join('\n')), kit.noteBytes(checkpoint)])
}

/** Damaged notes, checkpoints, proofs, leaves, bundles, policies and requests to witnesses. */
export function logTarget(): Target {
  return {
    name: 'logs',
    async run(random) {
      const { original, rewrite } = random.pick(FORMATS)
      const bytes = damagedBytes(original, random)
      if (original === proof) await mustFail(bytes)
      return read(bytes, rewrite)
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}

function read(bytes: Uint8Array, rewrite: Format['rewrite']): Outcome {
  try {
    const again = rewrite(bytes)
    if (again !== undefined && !isDeepStrictEqual(Buffer.from(again), Buffer.from(bytes)))
      throw new CaseFailure('a value has two spellings', bytes)
    return 'accepted'
  } catch (error) {
    if (error instanceof kit.LogFormatError) return 'refused'
    throw error instanceof CaseFailure ? error : new CaseFailure(`threw ${String(error)}`, bytes)
  }
}

/** The policy needs every signature of the proof, so no other proof may pass. */
async function mustFail(bytes: Uint8Array): Promise<void> {
  const { status } = await kit.verifyKit(
    opened(new Map(files).set(kit.LOG_PROOF_PATH, bytes)),
    trust,
    nodeHost,
  )
  const isSame = isDeepStrictEqual(Buffer.from(bytes), Buffer.from(proof))
  if ((status === 'PASS') !== isSame) throw new CaseFailure(`${status} with a damaged log proof`, bytes)
}

function opened(all: Files): kit.KitFiles {
  const listed = [...all].map(([path, bytes]) => ({ path, sizeBytes: bytes.length }))
  const open = async function* (path: string): AsyncGenerator<Uint8Array> {
    yield all.get(path)!
  }
  return kit.storedKit(listed, open, nodeHost)
}

import { base64, checkpointText, leafHash, merkleRoot, noteBytes, utf8 } from '@kitseal/kit/internal'
import {
  consistencyProofFromTiles,
  type NoteSignature,
  rootFromTiles,
  type TileReader,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { type NoteSigner, testLogKey } from '../../kit/test/make-log.ts'

const { digest } = nodeHost

/** A log of up to 20,000 leaves, and what it sends to its witnesses. */
export interface WitnessedLog {
  readonly signer: NoteSigner
  readonly origin: string
  text(size: number): Promise<string>
  /** The signed checkpoint. */
  note(size: number, signatures?: readonly NoteSignature[]): Promise<string>
  proof(oldSize: number, size: number): Promise<readonly string[]>
  /** The body of add-checkpoint. */
  body(oldSize: number, size: number): Promise<string>
}

/** Logs with the same origin and another history have the same key and other leaves. */
export function witnessedLog(origin: string, history = 'first'): WitnessedLog {
  const signer = testLogKey(origin)
  const leaves = Array.from({ length: 20_000 }, (_, index) => leafHash(utf8(`${history} ${index}`), digest))
  const tile: TileReader = (level, index, width) =>
    Buffer.concat(
      level === 0
        ? leaves.slice(index * 256, index * 256 + width)
        : Array.from({ length: width }, (_, at) =>
            merkleRoot(leaves.slice(at * 256, at * 256 + 256), digest),
          ),
    )
  const text = async (size: number): Promise<string> =>
    checkpointText({ origin, size, root: await rootFromTiles(size, tile, digest) })
  const note: WitnessedLog['note'] = async (size, signatures) => {
    const signed = await text(size)
    const by = signatures ?? [signer.sign(signed)]
    return Buffer.from(noteBytes({ text: signed, signatures: by })).toString()
  }
  const proof = async (oldSize: number, size: number): Promise<readonly string[]> =>
    (await consistencyProofFromTiles(oldSize, size, tile, digest)).map(base64)
  return {
    signer,
    origin,
    text,
    note,
    proof,
    body: async (oldSize, size) =>
      [`old ${oldSize}`, ...(await proof(oldSize, size)), '', await note(size)].join('\n'),
  }
}

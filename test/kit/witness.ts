import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import {
  fromBase64,
  LogFormatError,
  noteBytes,
  type NoteKey,
  parseCheckpoint,
  signatureLine,
  type SignedCheckpoint,
  verifyNote,
  vkey,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { testWitness } from '../../kit/test/make-log.ts'
import { isConsistent } from '../../kit/test/consistency.ts'

export interface RunningWitness extends AsyncDisposable {
  readonly url: string
  readonly key: NoteKey
  readonly vkey: string
  /** Follows the log of this key, too. */
  learn(key: NoteKey): void
  post(body: string | Uint8Array<ArrayBuffer>): Promise<Response>
}

/** A witness of logs (C2SP tlog-witness) that remembers sizes and roots as long as it runs. */
export async function startWitness(
  keys: readonly NoteKey[],
  name = 'witness.example/w1',
): Promise<RunningWitness> {
  const signer = testWitness(name)
  const logs = new Map<string, { readonly key: NoteKey; last: Cosigned }>()
  const learn = (key: NoteKey): void =>
    void logs.set(key.name, { key, last: { size: 0, root: new Uint8Array(32), note: '' } })
  for (const key of keys) learn(key)

  async function addCheckpoint(body: Buffer): Promise<Answer> {
    const { oldSize, proof, checkpoint } = parseAddCheckpoint(body)
    const { origin, size, root, text } = checkpoint
    const log = logs.get(origin)
    if (log === undefined) return [404, 'this witness does not cosign for this log\n']
    const signers = await verifyNote(checkpoint, [log.key], nodeHost)
    if (signers === undefined || signers.length === 0) return [403, 'no valid signature of the log\n']
    if (oldSize > size) return [400, 'the old size is larger than the checkpoint\n']
    const { last } = log
    if (oldSize !== last.size) return [409, `${last.size}\n`]
    const isFork = size === last.size && Buffer.compare(root, last.root) !== 0
    if (isFork || (oldSize > 0 && !isConsistent(last, checkpoint, proof, nodeHost.digest)))
      return [422, 'the tree is not consistent with the one cosigned before\n']
    const cosignature = signer.cosign(text, Math.floor(Date.now() / 1000))
    const note = noteBytes({ text, signatures: [...checkpoint.signatures, cosignature] })
    log.last = { size, root, note: Buffer.from(note).toString() }
    return [200, signatureLine(cosignature)]
  }

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    try {
      const [, { last } = { last: undefined }] =
        [...logs].find(([origin]) => request.url === `/${sha256Hex(origin)}/checkpoint`) ?? []
      if (last !== undefined) return last.note === '' ? [404, ''] : [200, last.note]
      if (request.method !== 'POST' || request.url !== '/add-checkpoint') return [404, '']
      return await addCheckpoint(await buffer(request))
    } catch (error) {
      if (error instanceof LogFormatError) return [400, `${error.message}\n`]
      throw error
    }
  }
  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) =>
      response
        .writeHead(status, { 'content-type': status === 409 ? 'text/x.tlog.size' : 'text/plain' })
        .end(body),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    key: signer.key,
    vkey: vkey(signer.key),
    learn,
    post: (body) => fetch(`${url}/add-checkpoint`, { method: 'POST', body }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Cosigned {
  readonly size: number
  readonly root: Uint8Array
  readonly note: string
}

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

type Answer = readonly [status: number, body: string]

/** The body of a request to cosign. Nothing is verified. */
export function parseAddCheckpoint(body: Buffer): {
  readonly oldSize: number
  readonly proof: readonly Uint8Array[]
  readonly checkpoint: SignedCheckpoint
} {
  const end = body.indexOf('\n\n')
  const [first = '', ...lines] = body.toString('latin1', 0, end).split('\n')
  const oldSize = Number(/^old (0|[1-9][0-9]{0,15})$/.exec(first)?.[1])
  const proof = lines.map((line) => fromBase64(line))
  if (!Number.isSafeInteger(oldSize) || !proof.every((hash) => hash?.length === 32))
    throw new LogFormatError('not a request to cosign')
  return {
    oldSize,
    proof: proof.filter((hash) => hash !== undefined),
    checkpoint: parseCheckpoint(body.subarray(end + 2)),
  }
}

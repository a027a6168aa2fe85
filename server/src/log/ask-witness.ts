import {
  base64,
  fromUtf8,
  LogFormatError,
  noteBytes,
  type NoteKey,
  type NoteSignature,
  parseNote,
  signaturesBy,
  type SignedNote,
  utf8,
  verifyCosignature,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { Frozen } from './freeze-log.ts'
import type { WitnessEndpoint } from './witness-policy.ts'

/** A committed state of the log, signed by the log. */
export interface SignedHead {
  readonly size: number
  /** Base64. */
  readonly root: string
  readonly note: SignedNote
  /** Milliseconds since 1970. */
  readonly committedAt: number
  readonly frozen: Frozen | undefined
  /** Not yet. */
  readonly timeStamp: undefined
}

interface Cosignature extends NoteSignature {
  /** The key that it was verified with. */
  readonly key: NoteKey
}

export type WitnessAnswer =
  | { readonly is: 'cosigned'; readonly cosignatures: readonly Cosignature[] }
  /** The witness has cosigned a larger tree. */
  | { readonly is: 'larger'; readonly size: number }
  /** The witness has cosigned another tree of this size. */
  | { readonly is: 'other_tree'; readonly size: number }
  | { readonly is: 'failed'; readonly problem: string }

interface AskOptions {
  /** The size that the witness cosigned last, as far as known. */
  readonly knownSize: number
  /** The consistency proof from an older size to that of the checkpoint. */
  readonly proofFrom: (oldSize: number) => Promise<readonly Uint8Array[]>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly signal: AbortSignal
}

/** Room for many signature lines, also of the longest known type. */
const LIMIT_BYTES = 64 * 1024
const SIZE_TYPE = 'text/x.tlog.size'
/** Clocks of others may differ by this much. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000

/** Asks a witness to cosign a checkpoint (C2SP tlog-witness). Never throws for what the witness does. */
export async function askWitness(
  endpoint: WitnessEndpoint,
  head: SignedHead,
  options: AskOptions,
): Promise<WitnessAnswer> {
  const first = Math.min(options.knownSize, head.size)
  const answer = await askFrom(endpoint, head, first, options)
  // Once: a witness that names another size again is busy with another request, or lies.
  const second = answer.is === 'older' ? await askFrom(endpoint, head, answer.size, options) : answer
  return second.is === 'older'
    ? failed(`it said that it has cosigned size ${second.size}, after it had said another size`)
    : second
}

async function askFrom(
  endpoint: WitnessEndpoint,
  head: SignedHead,
  oldSize: number,
  options: AskOptions,
): Promise<WitnessAnswer | { readonly is: 'older'; readonly size: number }> {
  const proof = await options.proofFrom(oldSize)
  const note = fromUtf8(noteBytes(head.note)) ?? ''
  const reply = await postLimited(`${endpoint.url}/add-checkpoint`, {
    body: [`old ${oldSize}`, ...proof.map(base64), '', note].join('\n'),
    headers: HEADERS,
    limitBytes: LIMIT_BYTES,
    signal: options.signal,
  })
  if (typeof reply === 'string') return failed(reply)
  const { status, type, body } = reply
  if (status === 200) return verify(endpoint, head, body, options.now())
  if (status === 409 && type === SIZE_TYPE) {
    const size = sizeIn(body)
    if (size === undefined) return failed('it returned 409 with a size that is not a number')
    if (size > head.size) return { is: 'larger', size }
    return size === oldSize ? failed(`it returned 409 although size ${size} was sent`) : { is: 'older', size }
  }
  // The proof is valid, so the witness has another tree. Older witnesses say so with 409 if the sizes are equal.
  const isOtherTree = status === 422 || (status === 409 && oldSize === head.size)
  return isOtherTree && oldSize > 0 ? { is: 'other_tree', size: oldSize } : failed(describeReply(reply))
}

const failed = (problem: string) => ({ is: 'failed', problem }) as const

const HEADERS = { 'content-type': 'text/plain; charset=utf-8' }

function sizeIn(body: Uint8Array): number | undefined {
  const [, digits] = /^(0|[1-9][0-9]{0,15})\n$/.exec(fromUtf8(body) ?? '') ?? []
  const size = Number(digits)
  return Number.isSafeInteger(size) ? size : undefined
}

/** Signatures of other keys are ignored. One wrong signature of a known key rejects the answer. */
async function verify(
  { witnesses }: WitnessEndpoint,
  { note, committedAt }: SignedHead,
  body: Uint8Array,
  now: number,
): Promise<WitnessAnswer> {
  let answered: SignedNote
  try {
    answered = parseNote(Buffer.concat([utf8(`${note.text}\n`), body]))
  } catch (error) {
    if (error instanceof LogFormatError)
      return failed('its answer contains something other than signature lines')
    throw error
  }
  if (answered.text !== note.text) return failed('its answer contains an empty line')
  const cosignatures: Cosignature[] = []
  for (const { key } of witnesses) {
    const [signature, ...more] = signaturesBy(answered, key)
    if (signature === undefined) continue
    const time = await verifyCosignature(key, note.text, signature.signature, nodeHost)
    if (time === undefined || more.length > 0) return failed(`its cosignature is not valid for ${key.name}`)
    if (time * 1000 > now + CLOCK_TOLERANCE_MS || time * 1000 < committedAt - CLOCK_TOLERANCE_MS)
      return failed(`the time of its cosignature, ${describeTime(time)}, is wrong. Compare the clocks.`)
    cosignatures.push({ ...signature, key })
  }
  return cosignatures.length === 0
    ? failed('its answer has no signature of its key in the policy')
    : { is: 'cosigned', cosignatures }
}

function describeTime(seconds: number): string {
  const time = new Date(seconds * 1000)
  return Number.isNaN(time.getTime()) ? `${seconds} s` : time.toISOString()
}

interface PostOptions {
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
  /** Of the answer. */
  readonly limitBytes: number
  readonly signal: AbortSignal
}

interface Reply {
  readonly status: number
  /** Without parameters. */
  readonly type: string
  readonly body: Uint8Array
}

/** Posts to a service that nobody has to trust. Redirects are not followed. A string says what went wrong. */
export async function postLimited(url: string, options: PostOptions): Promise<Reply | string> {
  const { body, headers, limitBytes, signal: interrupted } = options
  const request = new AbortController()
  const signal = AbortSignal.any([request.signal, interrupted])
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      signal,
      redirect: 'manual',
      headers: { 'accept-encoding': 'identity', ...headers },
    })
    const parts: Uint8Array[] = []
    let total = 0
    for await (const part of response.body ?? []) {
      total += part.length
      if (total > limitBytes) return `it returned more than ${limitBytes} bytes`
      parts.push(part)
    }
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
    return { status: response.status, type: type.trim().toLowerCase(), body: Buffer.concat(parts) }
  } catch (error) {
    if (interrupted.aborted) return 'it did not answer in time'
    const { message, cause } = error as Error
    return `it cannot be reached: ${cause instanceof Error && cause.message !== '' ? cause.message : message}`
  } finally {
    // Closes the connection if the body was not read to the end.
    request.abort()
  }
}

/** Some words of the answer for the operator, without control characters. */
export function describeReply(
  { status, body }: Pick<Reply, 'status' | 'body'>,
  whereUrl = 'the policy',
): string {
  if (status >= 300 && status < 400)
    return `it returned ${status}, a redirect. Correct its URL in ${whereUrl}.`
  const words = Buffer.from(body.subarray(0, 200))
    .toString()
    .replaceAll(/[^ -~]+/g, ' ')
    .trim()
  return words === '' ? `it returned ${status}` : `it returned ${status}: ${words}`
}

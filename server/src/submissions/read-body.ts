import type { IncomingMessage } from 'node:http'
import { mayTakeLong } from '../http/slow-bodies.ts'
import { Refusal } from '../refusals.ts'

export interface Body extends AsyncDisposable {
  /** Never in memory as a whole: the next piece is read when it is asked for. */
  readonly pieces: AsyncIterable<Uint8Array>
}

/** How long a client whose upload was refused may go on sending before its connection is cut. */
const LINGER_MS = 5000

/**
 * The body of a request, for a reader who may stop early. A client that is still sending when it is refused would not
 * see the answer if its connection were cut at once: what is left is read and thrown away for a while.
 */
export function readBody(request: IncomingMessage, idleMs: number): Body {
  const long = mayTakeLong(request.socket)
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>
  const silence = Promise.withResolvers<never>()
  silence.promise.catch(() => {})
  const timer = setTimeout(() => silence.reject(tooSlow(idleMs)), idleMs)

  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    timer.refresh()
    try {
      return await Promise.race([pieces.next(), silence.promise])
    } catch (error) {
      throw error instanceof Refusal ? error : brokenOff(error)
    }
  }
  return {
    pieces: { [Symbol.asyncIterator]: () => ({ next }) },
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer)
      long[Symbol.dispose]()
      if (request.complete || request.destroyed) return
      void pieces.return?.()
      request.resume()
      const cut = setTimeout(() => request.destroy(), LINGER_MS).unref()
      request.once('close', () => clearTimeout(cut))
    },
  }
}

const tooSlow = (idleMs: number): Refusal =>
  new Refusal('request_timeout', `Nothing arrived for ${idleMs / 1000} s.`)

const brokenOff = (cause: unknown): Refusal =>
  new Refusal('request_malformed', 'The upload broke off.', { cause })

import type { IncomingMessage } from 'node:http'
import { mayTakeLong } from '../http/slow-bodies.ts'
import { lendChunks } from '../objects/chunks.ts'
import { Refusal } from '../refusals.ts'

export interface Body extends Disposable {
  /** Read on demand, never in memory as a whole. Each piece is valid until the next one is requested. */
  readonly pieces: AsyncIterable<Uint8Array>
}

/** How long a client whose upload was refused may go on sending before its connection is cut. */
const LINGER_MS = 5000

/**
 * The body of a request, for a reader who may stop early. An iterator of the stream itself would cut the connection
 * then, and a client that is still sending would not see why it was refused: here what is left is read and thrown away
 * for a while.
 */
export function readBody(request: IncomingMessage, idleMs: number): Body {
  const long = mayTakeLong(request.socket)
  const arrived = new Arrivals(request, idleMs)
  return {
    pieces: lendChunks(() => arrived.next()),
    [Symbol.dispose]: () => {
      long[Symbol.dispose]()
      arrived.ignore()
      if (request.complete || request.destroyed) return
      const cut = setTimeout(() => request.destroy(), LINGER_MS).unref()
      request.once('close', () => clearTimeout(cut))
    },
  }
}

type Next = IteratorResult<Uint8Array>

/** One piece at a time: the stream is paused until the next one is asked for. */
class Arrivals {
  readonly #request: IncomingMessage
  readonly #timer: NodeJS.Timeout
  #held: Uint8Array | undefined
  #end: Next | Refusal | undefined
  #waiting: PromiseWithResolvers<Next> | undefined

  constructor(request: IncomingMessage, idleMs: number) {
    this.#request = request
    // Only the client's silence counts: while what came is being stored, nobody waits for it.
    this.#timer = setTimeout(() => this.#waiting?.reject(tooSlow(idleMs)), idleMs)
    request.on('data', this.#take)
    request.once('end', () => this.#finish({ done: true, value: undefined }))
    request.once('error', (error) => this.#finish(brokenOff(error)))
    request.once('close', () => this.#finish(brokenOff(undefined)))
  }

  async next(): Promise<Next> {
    const held = this.#held
    this.#held = undefined
    if (held !== undefined) return { done: false, value: held }
    if (this.#end instanceof Refusal) throw this.#end
    if (this.#end !== undefined) return this.#end
    const waiting = Promise.withResolvers<Next>()
    this.#waiting = waiting
    this.#timer.refresh()
    this.#request.resume()
    return await waiting.promise
  }

  ignore(): void {
    clearTimeout(this.#timer)
    this.#request.off('data', this.#take)
    this.#request.resume()
  }

  readonly #take = (piece: Uint8Array): void => {
    this.#request.pause()
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting === undefined) this.#held = piece
    else waiting.resolve({ done: false, value: piece })
  }

  #finish(end: Next | Refusal): void {
    this.#end ??= end
    if (this.#end instanceof Refusal) this.#waiting?.reject(this.#end)
    else this.#waiting?.resolve(this.#end)
  }
}

const tooSlow = (idleMs: number): Refusal =>
  new Refusal('request_timeout', `Nothing arrived for ${idleMs / 1000} s.`)

const brokenOff = (cause: unknown): Refusal =>
  new Refusal('request_malformed', 'The upload broke off.', { cause })

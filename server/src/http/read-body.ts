import type { IncomingMessage } from 'node:http'
import { exemptFromTimeout } from './connections.ts'
import type { FreeSpace } from '../objects/disk-check.ts'
import { Refusal } from '../refusals.ts'
import { LIMITS } from '../settings/limits.ts'

export interface Body extends Disposable {
  /** Read on demand, never in memory as a whole. */
  readonly chunks: AsyncIterable<Uint8Array>
}

export interface BodyOptions {
  /** How long a client may send nothing. */
  readonly idleMs: number
  readonly space: Pick<FreeSpace, 'isLow'>
  readonly slowMs?: number
}

/** The rate of a body is looked at after waiting this long for its bytes. */
const SLOW_MS = 30_000

/** How long a client may keep sending a rejected upload before its connection is closed. */
const LINGER_MS = 5000

/**
 * The body of a request, for a reader that may stop early. Iterating over the stream itself would close the connection on
 * an early stop, before the client can read the error. Here the rest is discarded for a while instead.
 */
export function readBody(request: IncomingMessage, options: BodyOptions): Body {
  const exemption = exemptFromTimeout(request.socket)
  const reader = new ChunkReader(request, options)
  return {
    chunks: { [Symbol.asyncIterator]: () => ({ next: () => reader.next() }) },
    [Symbol.dispose]: () => {
      exemption[Symbol.dispose]()
      reader.discardRest()
      if (request.complete || request.destroyed) return
      const timer = setTimeout(() => request.destroy(), LINGER_MS).unref()
      request.once('close', () => clearTimeout(timer))
    },
  }
}

type Next = IteratorResult<Uint8Array>

/** Pauses the stream until the next chunk is requested. */
class ChunkReader {
  readonly #request: IncomingMessage
  readonly #slowMs: number
  readonly #space: BodyOptions['space']
  readonly #timer: NodeJS.Timeout
  #held: Uint8Array | undefined
  #end: Next | Refusal | undefined
  /** How long it has waited for the client, and for how many bytes, since it last looked at the rate. */
  #waitedMs = 0
  #bytes = 0
  #since = 0
  #waiting: PromiseWithResolvers<Next> | undefined

  constructor(request: IncomingMessage, { idleMs, space, slowMs = SLOW_MS }: BodyOptions) {
    this.#request = request
    this.#slowMs = slowMs
    this.#space = space
    // The idle timeout runs only while the reader waits for the client.
    this.#timer = setTimeout(() => this.#waiting?.reject(idle(idleMs)), idleMs)
    request.on('data', this.#take)
    request.once('end', () => this.#finish({ done: true, value: undefined }))
    request.once('error', (error) => this.#finish(aborted(error)))
    request.once('close', () => {
      if (this.#end === undefined) this.#finish(aborted(undefined))
    })
    // The client left before anyone read: no event will follow.
    if (request.destroyed) this.#finish(aborted(request.errored))
  }

  async next(): Promise<Next> {
    const held = this.#held
    this.#held = undefined
    if (held !== undefined) return { done: false, value: held }
    if (this.#end instanceof Refusal) throw this.#end
    if (this.#end !== undefined) return this.#end
    const waiting = Promise.withResolvers<Next>()
    this.#waiting = waiting
    this.#since = performance.now()
    this.#timer.refresh()
    this.#request.resume()
    return await waiting.promise
  }

  discardRest(): void {
    clearTimeout(this.#timer)
    this.#request.off('data', this.#take)
    this.#request.resume()
  }

  readonly #take = (chunk: Uint8Array): void => {
    this.#request.pause()
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting !== undefined) this.#waitedMs += performance.now() - this.#since
    this.#bytes += chunk.length
    const refusal = this.#refusal()
    if (refusal !== undefined) {
      this.#end ??= refusal
      waiting?.reject(refusal)
    } else if (waiting === undefined) this.#held = chunk
    else waiting.resolve({ done: false, value: chunk })
  }

  #refusal(): Refusal | undefined {
    if (this.#space.isLow()) return storageFull()
    if (this.#waitedMs <= this.#slowMs) return undefined
    const isSlow = this.#bytes < (this.#slowMs / 1000) * LIMITS.slowBody.value
    this.#waitedMs = this.#bytes = 0
    return isSlow ? tooSlow() : undefined
  }

  #finish(end: Next | Refusal): void {
    this.#end ??= end
    if (this.#end instanceof Refusal) this.#waiting?.reject(this.#end)
    else this.#waiting?.resolve(this.#end)
  }
}

const storageFull = (): Refusal =>
  new Refusal('storage_full', 'The service has too little disk space for uploads. Try again later.', {
    headers: { 'retry-after': '60' },
  })

const tooSlow = (): Refusal =>
  new Refusal(
    'request_timeout',
    'The upload is slower than 1 KB a second. Retry it with a faster connection.',
  )

const idle = (idleMs: number): Refusal =>
  new Refusal('request_timeout', `No data arrived for ${idleMs / 1000} s. Retry the upload.`)

const aborted = (cause: unknown): Refusal =>
  new Refusal('request_malformed', 'The connection closed before the upload was complete.', { cause })

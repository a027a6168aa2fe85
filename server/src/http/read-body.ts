import type { IncomingMessage } from 'node:http'
import { exemptFromTimeout } from './connections.ts'
import type { FreeSpace } from '../objects/disk-check.ts'
import { Refusal } from '../refusals.ts'
import { within } from '../runtime/promises.ts'
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
  const chunks = chunksOf(request, options)
  return {
    chunks,
    [Symbol.dispose]: () => {
      exemption[Symbol.dispose]()
      void chunks.return()
      // Not before the iterator has let go of the request: it keeps it from flowing.
      setImmediate(() => request.resume())
      if (request.complete || request.destroyed) return
      const timer = setTimeout(() => request.destroy(), LINGER_MS).unref()
      request.once('close', () => clearTimeout(timer))
    },
  }
}

/** The time limits count only while the reader waits for the client. */
async function* chunksOf(request: IncomingMessage, { idleMs, space, slowMs = SLOW_MS }: BodyOptions) {
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>
  let waitedMs = 0
  let bytes = 0
  try {
    for (;;) {
      const since = performance.now()
      const next = await within(idleMs, chunks.next().catch(aborted), undefined)
      if (next === undefined) throw idle(idleMs)
      if (next.done === true) return
      waitedMs += performance.now() - since
      bytes += next.value.length
      if (space.isLow()) throw storageFull()
      if (waitedMs > slowMs) {
        if (bytes < (slowMs / 1000) * LIMITS.slowBody.value) throw tooSlow()
        waitedMs = bytes = 0
      }
      yield next.value
    }
  } finally {
    // Without waiting for it: after a time limit, it waits for the client.
    void chunks.return?.()
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

function aborted(cause: unknown): never {
  throw new Refusal('request_malformed', 'The connection closed before the upload was complete.', { cause })
}

import { setTimeout as pause } from 'node:timers/promises'
import { ObjectsUnavailable } from '../objects/object-store.ts'
import { adaptivePace, type Pace } from './pace.ts'

export interface ManyOptions {
  readonly pace: Pace
  /** Waits before an operation is repeated. */
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

/** What an operation returns. */
export interface Sized {
  readonly sizeBytes: number
}

/** As many as the S3 client has connections. */
const MOST_REMOTE = 64
const MOST_LOCAL = 4
const FIRST_IN_COMMAND = 16
/** In the background, requests of clients come first. */
const MOST_REMOTE_IN_BACKGROUND = 16

export function paceFor(
  { isRemote }: { readonly isRemote?: boolean },
  where: 'command' | 'background' = 'command',
): Pace {
  if (where === 'background') return adaptivePace({ most: isRemote === true ? MOST_REMOTE_IN_BACKGROUND : 1 })
  return adaptivePace({ most: isRemote === true ? MOST_REMOTE : MOST_LOCAL, first: FIRST_IN_COMMAND })
}

/** Results that wait for an earlier one, such as that of a large object. */
const MAX_AHEAD = 4096

/**
 * Works on many items at once and returns the results in the order of the items, so that the last one is a cursor. If an
 * operation fails, the results before it are returned and then its error is thrown; the operations after it are aborted.
 */
export async function* manyAtOnce<Item, Result extends Sized>(
  items: AsyncIterable<Item>,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  { pace, wait = pause }: ManyOptions,
): AsyncGenerator<Result> {
  const stop = new AbortController()
  const results: Promise<Settled<Result>>[] = []
  const running = new Set<Promise<unknown>>()
  const source = items[Symbol.asyncIterator]()
  let [hasMore, hasFailed] = [true, false]
  let ended = Promise.withResolvers<undefined>()

  function start(item: Item): void {
    const result = settle(repeatIfBusy(() => work(item, stop.signal), { pace, wait, signal: stop.signal }))
    results.push(result)
    const ending = result.then((settled) => {
      running.delete(ending)
      if (settled.ok) pace.done(settled.value.sizeBytes)
      else hasFailed = true
      ended.resolve(undefined)
      ended = Promise.withResolvers()
    })
    running.add(ending)
  }

  async function fill(): Promise<void> {
    while (hasMore && !hasFailed && running.size < pace.limit() && results.length < MAX_AHEAD) {
      const next = await source.next()
      if (next.done === true) hasMore = false
      else start(next.value)
    }
  }

  try {
    for (;;) {
      await fill()
      const [first] = results
      if (first === undefined) return
      // Another operation may end first, and the next one start.
      const settled = await Promise.race([first, ended.promise])
      if (settled === undefined) continue
      results.shift()
      if (!settled.ok) throw settled.error
      yield settled.value
    }
  } finally {
    stop.abort()
    await source.return?.()
    await Promise.all(running)
  }
}

type Settled<Result> =
  | { readonly ok: true; readonly value: Result }
  | { readonly ok: false; readonly error: unknown }

async function settle<Result>(result: Promise<Result>): Promise<Settled<Result>> {
  try {
    return { ok: true, value: await result }
  } catch (error) {
    return { ok: false, error }
  }
}

const ATTEMPTS = { busy: 6, timeout: 2 } as const
const FIRST_WAIT_MS = 250

async function repeatIfBusy<Result>(
  operation: () => Promise<Result>,
  { pace, wait, signal }: Required<ManyOptions> & { readonly signal: AbortSignal },
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation()
    } catch (error) {
      const overload = error instanceof ObjectsUnavailable ? error.overload : undefined
      if (overload === undefined) throw error
      pace.slowDown()
      if (attempt >= ATTEMPTS[overload] || signal.aborted) throw error
      await wait(FIRST_WAIT_MS * 2 ** (attempt - 1))
    }
  }
}

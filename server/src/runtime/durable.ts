import { channel } from 'node:diagnostics_channel'

/** What a crash cannot undo any more is published here: a commit, a file. Crash tests copy the data folder at each. */
export const DURABLE_CHANNEL = 'kitseal:durable'
export type Durable = 'commit' | 'file'
const durable = channel(DURABLE_CHANNEL)

export function reportDurable(what: Durable): void {
  if (durable.hasSubscribers) durable.publish(what)
}

export const isWatched = (): boolean => durable.hasSubscribers

/** Of this thread alone. */
export function watchDurable(onDurable: (what: Durable) => void): Disposable {
  const receive = (what: unknown): void => onDurable(what as Durable)
  durable.subscribe(receive)
  return { [Symbol.dispose]: () => void durable.unsubscribe(receive) }
}

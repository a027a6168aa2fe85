import { channel } from 'node:diagnostics_channel'

/** What a crash cannot undo any more is published here: a commit, a file. Crash tests copy the data folder at each. */
export const DURABLE_CHANNEL = 'kitseal:durable'
const durable = channel(DURABLE_CHANNEL)

export function reportDurable(what: 'commit' | 'file'): void {
  if (durable.hasSubscribers) durable.publish(what)
}

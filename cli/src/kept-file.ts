import type { KitSink } from '@kitseal/client'
import { fileSink } from '@kitseal/client/node'
import { reason, UnreadableInput } from './unreadable-input.ts'

/** A file that a download goes into; where it cannot be written, that is said in a sentence. */
export function keptFile(path: string): KitSink<string> {
  const said = <T>(act: () => T): T => {
    try {
      return act()
    } catch (error) {
      throw new UnreadableInput(`${path} cannot be written: ${reason(error)}`)
    }
  }
  const sink = said(() => fileSink(path))
  return { ...sink, write: (bytes) => said(() => sink.write(bytes)), keep: () => said(() => sink.keep()) }
}

/** The name that a kit is kept under. Its ID may come from a service, and is then no more than a claim. */
export function kitFileName(kitId: string): string {
  if (/^kit_[A-Za-z0-9_-]{1,200}$/.test(kitId)) return `${kitId}.zip`
  throw new UnreadableInput(
    `${JSON.stringify(kitId)} is no ID of a kit: the service that gave it is not to be relied on`,
  )
}

import type { KitSink } from '@kitseal/client'
import { fileSink } from '@kitseal/client/node'
import { reason, UnreadableInput } from './read-key-set.ts'

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

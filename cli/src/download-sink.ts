import type { KitSink } from '@kitseal/client'
import { fileSink } from '@kitseal/client/node'
import { describeError, InputError } from './input-error.ts'

/** A `fileSink` whose write errors are input errors. */
export function downloadSink(path: string): KitSink<string> {
  const orInputError = <T>(act: () => T): T => {
    try {
      return act()
    } catch (error) {
      throw new InputError(`cannot write ${path}: ${describeError(error)}`)
    }
  }
  const sink = orInputError(() => fileSink(path))
  return {
    ...sink,
    write: (bytes) => orInputError(() => sink.write(bytes)),
    commit: () => orInputError(() => sink.commit()),
  }
}

/** The file name for a kit. Rejects IDs that could point outside the folder: a service may be hostile. */
export function kitFileName(kitId: string): string {
  if (/^kit_[A-Za-z0-9_-]{1,200}$/.test(kitId)) return `${kitId}.zip`
  throw new InputError(`the service returned an invalid kit ID: ${JSON.stringify(kitId)}`)
}

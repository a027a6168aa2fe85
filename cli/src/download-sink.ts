import { createHash } from 'node:crypto'
import type { ByteSink, KitSink } from '@kitseal/client'
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

/** Saves a deliverable only if it has the SHA-256 in the list of deliverables. Null means that none is listed. */
export function checkedSink<Saved>(
  sink: ByteSink<Saved>,
  name: string,
  listed: string | null,
): ByteSink<Saved> {
  let hash = createHash('sha256')
  return {
    write: (bytes) => {
      hash.update(bytes)
      return sink.write(bytes)
    },
    reset: () => {
      hash = createHash('sha256')
      return sink.reset()
    },
    commit: () => {
      const found = hash.digest('hex')
      if (listed !== null && found !== listed)
        throw new InputError(`${name} was not saved: its SHA-256 is ${found}, the service lists ${listed}`)
      return sink.commit()
    },
    discard: () => sink.discard(),
  }
}

/** The file name for a kit. Rejects IDs that could point outside the folder: a service may be hostile. */
export function kitFileName(kitId: string): string {
  if (/^kit_[A-Za-z0-9_-]{1,200}$/.test(kitId)) return `${kitId}.zip`
  throw new InputError(`the service returned an invalid kit ID: ${JSON.stringify(kitId)}`)
}

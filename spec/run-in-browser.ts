import * as kit from '../kit/src/internal.ts'
import { runVector } from './run-vector.ts'
import type { Vector } from './vector.ts'

/** Runs the vectors in a page. An exception is reported as text, which no vector expects. */
async function runInBrowser(
  vectors: readonly Vector[],
  filesInBase64: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const read = async (file: string): Promise<Uint8Array> =>
    Uint8Array.from(atob(filesInBase64[file] ?? ''), (character) => character.charCodeAt(0))
  const open = async (file: string): Promise<kit.KitFiles> => {
    const blob = new Blob([(await read(file)) as Uint8Array<ArrayBuffer>])
    const slice = async (offset: number, length: number): Promise<Uint8Array> =>
      new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer())
    return kit.openZip({ sizeBytes: blob.size, read: slice }, kit.webHost)
  }
  const results: Record<string, unknown> = {}
  for (const vector of vectors) {
    results[vector.name] = await runVector(vector, { kit, host: kit.webHost, open, read }).catch(String)
  }
  return results
}

Object.assign(globalThis, { runInBrowser })

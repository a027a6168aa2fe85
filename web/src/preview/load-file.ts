import { refusalOf } from '../fetch-json.ts'

/** Reads the first bytes of a file, all of them if it is not longer. */
export type LoadFile = (maxBytes: number, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>

/** Reads a file from this service by range. */
export const loadFrom =
  (url: string): LoadFile =>
  async (maxBytes, signal) => {
    const response = await fetch(url, {
      credentials: 'same-origin',
      headers: { Range: `bytes=0-${maxBytes - 1}` },
      signal,
    })
    if (!response.ok) throw new Error(refusalOf(await response.json().catch(() => undefined)).message)
    return new Uint8Array(await response.arrayBuffer())
  }

import { fetchHere } from '../../core/fetch-json.ts'

/** Reads the first bytes of a file, all of them if it is not longer. */
export type LoadFile = (maxBytes: number, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>

/** Reads a file from this service by range. */
export const loadFrom =
  (url: string): LoadFile =>
  async (maxBytes, signal) => {
    const response = await fetchHere(url, { headers: { Range: `bytes=0-${maxBytes - 1}` }, signal })
    return new Uint8Array(await response.arrayBuffer())
  }

import { fetchHere } from '../../core/fetch-json.ts'

/** Reads a file of this service and reports the bytes read so far. */
export async function readAll(
  url: string,
  signal: AbortSignal,
  onProgress?: (bytesRead: number) => void,
): Promise<Blob> {
  const response = await fetchHere(url, { signal })
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for await (const chunk of chunksOf(response)) {
    chunks.push(chunk)
    length += chunk.length
    onProgress?.(length)
  }
  return new Blob(chunks)
}

/** Not every browser can iterate a stream. */
export async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (body === null) return
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

import { refusalOf } from '../fetch-json.ts'

/** Reads a file of this service and reports the bytes read so far. */
export async function readAll(
  url: string,
  signal: AbortSignal,
  onProgress?: (bytesRead: number) => void,
): Promise<Blob> {
  const response = await fetch(url, { credentials: 'same-origin', signal })
  if (!response.ok) throw new Error(refusalOf(await response.json().catch(() => undefined)).message)
  if (response.body === null) return new Blob()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for await (const chunk of chunksOf(response.body)) {
    chunks.push(chunk)
    length += chunk.length
    onProgress?.(length)
  }
  return new Blob(chunks)
}

/** Not every browser can iterate a stream. */
export async function* chunksOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

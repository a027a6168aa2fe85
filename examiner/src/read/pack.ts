const BUFFER_BYTES = 256 * 1024

/** A label, then the content, buffered so that ten thousand small files do not become ten thousand writes. */
export async function* packed(
  label: Uint8Array,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let buffer = new Uint8Array(BUFFER_BYTES)
  buffer.set(label)
  let filled = label.length
  for await (const bytes of content) {
    if (filled + bytes.length > BUFFER_BYTES) {
      yield buffer.subarray(0, filled)
      buffer = new Uint8Array(BUFFER_BYTES)
      filled = 0
    }
    if (bytes.length >= BUFFER_BYTES) yield bytes
    else {
      buffer.set(bytes, filled)
      filled += bytes.length
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled)
}

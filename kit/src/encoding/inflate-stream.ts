import { brokenData } from './zip-fields.ts'

/** `Host.inflateStream` of browsers. */
export async function* inflateStream(
  deflated: AsyncIterable<Uint8Array>,
  sizeBytes: number,
): AsyncGenerator<Uint8Array> {
  const stream = new DecompressionStream('deflate-raw')
  const writer = stream.writable.getWriter()
  const reader = stream.readable.getReader()
  const feeding = feed(deflated, writer)
  feeding.catch(ignore)
  const read = (): ReturnType<typeof reader.read> =>
    reader.read().catch(async () => {
      // Prefers the error of the source to that of the stream it broke.
      await feeding
      throw brokenData()
    })
  let inflated = 0
  try {
    for (let next = await read(); !next.done; next = await read()) {
      inflated += next.value.length
      if (inflated > sizeBytes) throw brokenData()
      yield next.value
    }
    await feeding
  } finally {
    reader.cancel().catch(ignore)
    writer.abort().catch(ignore)
    await feeding.catch(ignore)
  }
  if (inflated !== sizeBytes) throw brokenData()
}

type Writer = ReturnType<DecompressionStream['writable']['getWriter']>

async function feed(deflated: AsyncIterable<Uint8Array>, writer: Writer): Promise<void> {
  try {
    // A copy, because the source may reuse its buffer.
    for await (const bytes of deflated) await writer.write(bytes.slice()).catch(corrupt)
    await writer.close().catch(corrupt)
  } catch (error) {
    // Otherwise the reader would wait forever.
    writer.abort(error).catch(ignore)
    throw error
  }
}

function corrupt(): never {
  throw brokenData()
}

function ignore(): void {}

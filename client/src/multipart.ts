import { utf8 } from '@kitseal/kit/internal'

/** One evidence file: text, bytes, a Blob, a stream of known size, or a browser's `File`. */
export type Evidence =
  | {
      readonly name: string
      readonly content: Blob | Uint8Array | string
      readonly resumeKey?: string | undefined
    }
  | {
      readonly name: string
      readonly sizeBytes: number
      read(): AsyncIterable<Uint8Array>
      /** Reads from an offset, to continue an upload. Without it, `read` is used and the beginning is skipped. */
      readFrom?(start: number): AsyncIterable<Uint8Array>
      /** Text that changes with the content, such as the time of the last change. Needed to continue after a restart. */
      readonly resumeKey?: string | undefined
    }
  | (Blob & { readonly name: string })

export interface MultipartBody {
  readonly contentType: string
  readonly sizeBytes: number
  /** The body as a Blob that refers to files without copying them. */
  blob(): Promise<Blob>
  /** The body for a request. Node streams it; in browsers that needs HTTP/2 and Chromium, so a Blob is sent there. */
  content(): Promise<Blob | AsyncIterable<Uint8Array>>
}

type Part = Uint8Array<ArrayBuffer> | Blob | Extract<Evidence, { readonly sizeBytes: number }>

/**
 * Builds a multipart/form-data body (RFC 7578) of known length without reading the files. `client.uploadEvidence` does
 * this for you.
 *
 * @example
 * ```ts
 * import { multipartBody } from '@kitseal/client'
 *
 * const body = multipartBody({ final: 'false' }, [{ name: 'note.txt', content: 'Approved.' }], 'boundary-7MA4YWxk')
 * console.log(body.contentType, body.sizeBytes, await body.blob())
 * ```
 */
export function multipartBody(
  fields: Readonly<Record<string, string>>,
  files: readonly Evidence[],
  boundary: string,
): MultipartBody {
  const parts: Part[] = []
  for (const [name, value] of Object.entries(fields)) {
    parts.push(
      line(`--${boundary}\r\ncontent-disposition: form-data; name="${escapeName(name)}"\r\n\r\n${value}`),
    )
  }
  for (const file of files) {
    const head = `content-disposition: form-data; name="file"; filename="${escapeName(file.name)}"${filenameStar(file.name)}`
    parts.push(line(`--${boundary}\r\n${head}\r\ncontent-type: application/octet-stream\r\n`))
    parts.push(contentOf(file), line(''))
  }
  parts.push(line(`--${boundary}--`))
  const blob = async (): Promise<Blob> => new Blob(await Promise.all(parts.map(asBlobPart)))
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: parts.reduce((sum, part) => sum + partBytes(part), 0),
    blob,
    content: async () => ('XMLHttpRequest' in globalThis ? blob() : readParts(parts)),
  }
}

const line = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(utf8(`${text}\r\n`))

/** Names are sent as UTF-8. Quotes and line breaks are percent-encoded, as browsers do. */
function escapeName(name: string): string {
  return name.toWellFormed().replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** A name with `%` or `\\` is also sent as `filename*` (RFC 5987), because it could be mistaken for an escape. */
function filenameStar(name: string): string {
  if (!/[%\\]/.test(name)) return ''
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  )
  return `; filename*=UTF-8''${encoded}`
}

function contentOf(file: Evidence): Exclude<Part, Uint8Array> {
  if (!('content' in file)) return file
  return file.content instanceof Blob
    ? file.content
    : new Blob([file.content as string | Uint8Array<ArrayBuffer>])
}

/** The file with a copy of its bytes, which the caller may change during an upload. */
export function ownedFile(file: Evidence): Evidence {
  return 'content' in file ? { ...file, content: contentOf(file) as Blob } : file
}

function partBytes(part: Part): number {
  if (part instanceof Uint8Array) return part.length
  return part instanceof Blob ? part.size : part.sizeBytes
}

export const sizeOf = (file: Evidence): number => partBytes(contentOf(file))

/** The content of a file from an offset. */
export function contentFrom(file: Evidence, start: number): Blob | AsyncIterable<Uint8Array> {
  const part = contentOf(file)
  if (part instanceof Blob) return part.slice(start)
  return part.readFrom?.(start) ?? skip(part.read(), start)
}

async function* skip(content: AsyncIterable<Uint8Array>, start: number): AsyncIterable<Uint8Array> {
  let left = start
  for await (const bytes of content) {
    if (bytes.length > left) yield bytes.subarray(left)
    left = Math.max(0, left - bytes.length)
  }
}

async function* readParts(parts: readonly Part[]): AsyncIterable<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Uint8Array) yield part
    else if (part instanceof Blob) yield* readStream(part.stream())
    else yield* readExactly(part)
  }
}

/** Fails if the file changes during the upload, because its length was already sent. */
async function* readExactly(part: Extract<Part, { sizeBytes: number }>): AsyncIterable<Uint8Array> {
  let left = part.sizeBytes
  for await (const bytes of part.read()) {
    left -= bytes.length
    if (left < 0) break
    yield bytes
  }
  if (left !== 0) throw new Error(`${part.name} changed while it was being read`)
}

async function asBlobPart(part: Part): Promise<Uint8Array<ArrayBuffer> | Blob> {
  if (part instanceof Uint8Array || part instanceof Blob) return part
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const bytes of readExactly(part)) pieces.push(bytes.slice())
  return new Blob(pieces)
}

/** Not every browser has async iteration of streams. `asError` is what a read error becomes. */
export async function* readStream(
  stream: ReadableStream<Uint8Array>,
  asError: (error: unknown) => unknown = (error) => error,
): AsyncIterable<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw asError(error)
      })
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

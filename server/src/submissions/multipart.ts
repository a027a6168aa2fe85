/** One part of a form. Unread content is skipped when the next part is requested. Each chunk is valid until the next one is read. */
export interface Part extends PartHeaders {
  readonly content: AsyncIterable<Uint8Array>
}

interface MultipartLimits {
  readonly parts: number
  /** Limit for everything but content: boundaries, headers, preamble and epilogue. */
  readonly framingBytes: number
}

const HEADERS_BYTES = 8192
const CRLF = Buffer.from('\r\n')
const HEADERS_END = Buffer.from('\r\n\r\n')

/** Strict streaming parser for multipart/form-data (RFC 7578, RFC 2046 section 5.1). Holds one chunk in memory, whatever the size of the form. */
export async function* readMultipart(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  limits: MultipartLimits,
): AsyncGenerator<Part> {
  const input = new Input(body, limits.framingBytes)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  await input.framing(delimiter)
  for (let count = 1; ; count += 1) {
    if (await input.isLast()) return await input.skipRest()
    if (count > limits.parts) throw new MultipartProblem(`The form has more than ${limits.parts} parts.`)
    const headers = partHeaders(nextLine(await input.framing(HEADERS_END, HEADERS_BYTES)))
    const content = input.upTo(delimiter)
    yield { ...headers, content }
    for await (const _ of content);
  }
}

/** What follows the line end of a boundary. RFC 2046 allows white space before it. A part without headers ends there. */
function nextLine(block: Buffer): Buffer {
  const end = block.findIndex((byte) => byte !== 0x20 && byte !== 0x09)
  if (end === -1) return block.subarray(block.length)
  if (!block.subarray(end, end + 2).equals(CRLF))
    throw new MultipartProblem('A boundary is not followed by a line end.')
  return block.subarray(end + 2)
}

/** Buffers bytes that have arrived and were not parsed yet. */
class Input {
  readonly #body: AsyncIterator<Uint8Array>
  // The first boundary may have no line end before it.
  #held: Buffer = CRLF
  #framingLeft: number

  constructor(body: AsyncIterable<Uint8Array>, framingBytes: number) {
    this.#body = body[Symbol.asyncIterator]()
    this.#framingLeft = framingBytes
  }

  async #more(): Promise<boolean> {
    // A copy: pieces of the body are valid until the next one is requested.
    this.#held = Buffer.from(this.#held)
    const next = await this.#body.next()
    if (next.done === true) return false
    const { buffer, byteOffset, byteLength } = next.value
    const piece = Buffer.from(buffer, byteOffset, byteLength)
    this.#held = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece])
    return true
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    return taken
  }

  #countFraming(length: number): void {
    this.#framingLeft -= length
    if (this.#framingLeft < 0) throw new MultipartProblem('The form has too much data outside its parts.')
  }

  /** After a delimiter, `--` closes the form. */
  async isLast(): Promise<boolean> {
    while (this.#held.length < 2) if (!(await this.#more())) throw truncated()
    return this.#held[0] === 0x2d && this.#held[1] === 0x2d
  }

  /** What is no content, up to the next delimiter, which is consumed too. */
  async framing(delimiter: Buffer, maxBytes = Infinity): Promise<Buffer> {
    const pieces: Uint8Array[] = []
    let length = 0
    for await (const piece of this.upTo(delimiter)) {
      this.#countFraming(piece.length)
      length += piece.length
      if (length > maxBytes)
        throw new MultipartProblem(`The headers of a part are larger than ${maxBytes} bytes.`)
      pieces.push(Buffer.copyBytesFrom(piece))
    }
    return Buffer.concat(pieces)
  }

  /** Content up to the next delimiter, which is consumed too. Iterating again continues with the rest. */
  upTo(delimiter: Buffer): AsyncIterable<Uint8Array> {
    let ended = false
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      while (!ended) {
        const at = this.#held.indexOf(delimiter)
        if (at !== -1) {
          ended = true
          const last = this.#take(at)
          this.#countFraming(this.#take(delimiter.length).length)
          if (last.length > 0) return { done: false, value: last }
        } else {
          const safe = this.#held.length - partialDelimiter(delimiter, this.#held)
          if (safe > 0) return { done: false, value: this.#take(safe) }
          if (!(await this.#more())) throw truncated()
        }
      }
      return { done: true, value: undefined }
    }
    return { [Symbol.asyncIterator]: () => ({ next }) }
  }

  async skipRest(): Promise<void> {
    do {
      this.#countFraming(this.#take(this.#held.length).length)
    } while (await this.#more())
  }
}

/** How many bytes at the end of the buffer may be the start of a delimiter. */
function partialDelimiter(delimiter: Buffer, held: Buffer): number {
  const from = Math.max(0, held.length - (delimiter.length - 1))
  for (let at = held.indexOf(0x0d, from); at !== -1; at = held.indexOf(0x0d, at + 1)) {
    const length = held.length - at
    if (held.compare(delimiter, 0, length, at) === 0) return length
  }
  return 0
}

const truncated = (): MultipartProblem => new MultipartProblem('The form ends before its closing boundary.')

/** A form that cannot be parsed. `message` is for the caller. */
export class MultipartProblem extends Error {
  override readonly name = 'MultipartProblem'
}

/** The headers of one part of a form. */
interface PartHeaders {
  readonly name: string
  /** As the client sent it. Undefined if the part is not a file. */
  readonly fileName: string | undefined
}

/** RFC 7578: each part has a Content-Disposition of type form-data, with a name. */
export function partHeaders(bytes: Uint8Array): PartHeaders {
  const all = parseHeaders(decodeUtf8(bytes))
  if (all.some(([name, value]) => name === 'content-transfer-encoding' && !IDENTITY_ENCODING.test(value)))
    throw new MultipartProblem(
      'A part has a Content-Transfer-Encoding. Send the bytes of the file unencoded.',
    )
  const disposition = all.filter(([name]) => name === 'content-disposition')
  const [, value = ''] = disposition[0] ?? []
  if (disposition.length !== 1 || !/^form-data\s*(;|$)/i.test(value))
    throw new MultipartProblem('Each part needs exactly one Content-Disposition: form-data header.')
  const parameters = parseParameters(value.slice('form-data'.length))
  const name = parameters.get('name')
  if (name === undefined) throw new MultipartProblem('A part has no name parameter.')
  return { name, fileName: extendedName(parameters.get('filename*')) ?? parameters.get('filename') }
}

/** RFC 7578 section 4.7 deprecates the header. Some readers decode such parts, others do not. */
const IDENTITY_ENCODING = /^(?:7bit|8bit|binary)$/i

/** Names are UTF-8 (RFC 7578 section 5.1). */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new MultipartProblem('The headers of a part are not UTF-8.')
  }
}

function parseHeaders(text: string): readonly (readonly [name: string, value: string])[] {
  if (text === '') return []
  return text.split('\r\n').map((line) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s.exec(line) ?? []
    if (name === undefined || value === undefined || /[\r\n\0]/.test(line))
      throw new MultipartProblem('A part has a malformed header.')
    return [name.toLowerCase(), value.trim()]
  })
}

/** The quoted form is unambiguous, so that the expression cannot backtrack exponentially. */
const PARAMETER = /\s*;\s*([\w*-]+)\s*=\s*(?:"((?:\\["\\]|[^"\\]|\\(?!["\\]))*\\?)"|([^\s;"]+))/suy

/** Parses `; name="a"; filename="b"`. Browsers send `%22` for a quote and older clients `\"`. Any other backslash is literal. */
function parseParameters(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  PARAMETER.lastIndex = 0
  let end = 0
  for (let match = PARAMETER.exec(text); match !== null; match = PARAMETER.exec(text)) {
    const [, name = '', quoted, token] = match
    const key = name.toLowerCase()
    if (found.has(key)) throw new MultipartProblem(`A part has two ${key} parameters.`)
    found.set(key, quoted === undefined ? (token ?? '') : unquoted(quoted))
    end = PARAMETER.lastIndex
  }
  if (text.slice(end).trim() !== '' && text.slice(end).trim() !== ';')
    throw new MultipartProblem('A part has a malformed Content-Disposition.')
  return found
}

const unquoted = (text: string): string =>
  text
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll(/%0D/gi, '\r')
    .replaceAll(/%0A/gi, '\n')
    .replaceAll('%22', '"')

/** `UTF-8''n%C3%A4me` (RFC 5987). RFC 7578 forbids it, but some clients send it. */
function extendedName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, encoded] = /^utf-8'[\w-]*'(.*)$/i.exec(text) ?? []
  try {
    const name = encoded === undefined ? undefined : decodeURIComponent(encoded)
    // Databases cannot store a NUL character.
    if (name !== undefined && !name.includes('\0')) return name
  } catch {
    // Reported below.
  }
  throw new MultipartProblem('A part has a malformed filename*.')
}

/** The boundary of a multipart/form-data body. Undefined if the header has none, two, or an invalid one. */
export function boundaryOf(contentType: string): string | undefined {
  const [mediaType = ''] = contentType.split(';', 1)
  try {
    const boundary = parseParameters(contentType.slice(mediaType.length)).get('boundary') ?? ''
    return /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary) ? boundary : undefined
  } catch {
    return undefined
  }
}

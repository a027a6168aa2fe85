import { MultipartProblem, type PartHeaders, partHeaders } from './part-headers.ts'

/** One part of a form. Unread content is skipped when the next part is requested. Each chunk is valid until the next one is read. */
export interface Part extends PartHeaders {
  readonly content: AsyncIterable<Uint8Array>
}

export interface MultipartLimits {
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
  await input.skipTo(delimiter)
  for (let count = 1; ; count += 1) {
    if (await input.isLast()) return await input.skipRest()
    if (count > limits.parts) throw new MultipartProblem(`The form has more than ${limits.parts} parts.`)
    const headers = partHeaders(await input.headers())
    const content = input.contentUpTo(delimiter)
    yield { ...headers, content }
    for await (const _ of content);
  }
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

  async #need(length: number): Promise<void> {
    while (this.#held.length < length) if (!(await this.#more())) throw truncated()
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

  async skipTo(delimiter: Buffer): Promise<void> {
    for await (const piece of this.contentUpTo(delimiter)) this.#countFraming(piece.length)
  }

  /** After a delimiter, `--` closes the form and a line end starts a part. */
  async isLast(): Promise<boolean> {
    await this.#need(2)
    if (this.#held[0] === 0x2d && this.#held[1] === 0x2d) return true
    // RFC 2046 allows white space between a boundary and its line end.
    for (; this.#held[0] === 0x20 || this.#held[0] === 0x09; await this.#need(2))
      this.#countFraming(this.#take(1).length)
    if (!this.#take(2).equals(CRLF)) throw new MultipartProblem('A boundary is not followed by a line end.')
    return false
  }

  async headers(): Promise<Buffer> {
    for (let searched = 0; ;) {
      // A part without headers starts with the empty line.
      if (this.#held.length >= 2 && this.#held.subarray(0, 2).equals(CRLF))
        return this.#take(2).subarray(0, 0)
      const end = this.#held.indexOf(HEADERS_END, Math.max(0, searched - HEADERS_END.length))
      if (end > HEADERS_BYTES || (end === -1 && this.#held.length > HEADERS_BYTES + HEADERS_END.length))
        throw new MultipartProblem(`The headers of a part are larger than ${HEADERS_BYTES} bytes.`)
      if (end !== -1) {
        const taken = this.#take(end + HEADERS_END.length)
        this.#countFraming(taken.length)
        return taken.subarray(0, end)
      }
      searched = this.#held.length
      if (!(await this.#more())) throw truncated()
    }
  }

  /** Content up to the next delimiter, which is consumed too. Iterating again continues with the rest. */
  contentUpTo(delimiter: Buffer): AsyncIterable<Uint8Array> {
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

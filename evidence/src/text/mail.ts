import { BytesFinder, eicarString } from '../detect/find-bytes.ts'
import { programIn } from '../detect/programs.ts'
import type { Finding } from '../rules.ts'
import { checkMailHeader } from './mail-header.ts'
import type { ReadText, TextCheck, TextReport } from './text-check.ts'

const MAX_LINE = 4096
const MAX_HEADER = 64 * 1024
const HEAD_BYTES = 64
const STEP_BYTES = 64 * 1024

const VALUES = new Uint8Array(128).fill(255)
for (const [value, letter] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  VALUES[letter.charCodeAt(0)] = value
}

/** Checks the header of a message, and searches its base64 parts for programs and the EICAR string. */
export class MailCheck implements TextCheck {
  readonly #decoder = new TextDecoder('latin1')
  #line = ''
  #header: string | undefined = ''
  #part: Base64Part | undefined
  #program: string | undefined
  #hasEicar = false

  /** In small steps: lines of a few bytes need many times their size in memory. */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += STEP_BYTES) this.#pushStep(bytes.subarray(at, at + STEP_BYTES))
  }

  #pushStep(bytes: Uint8Array): void {
    const lines = (this.#line + this.#decoder.decode(bytes)).split('\n')
    this.#line = lines.pop() ?? ''
    for (const line of lines) this.#read(line)
    // An overlong line is read in parts.
    if (this.#line.length > MAX_LINE) {
      this.#read(this.#line)
      this.#line = ''
    }
  }

  end({ head }: Pick<ReadText, 'head'>): TextReport {
    this.#read(this.#line)
    this.#endPart()
    const { findings, notes } = checkMailHeader(head)
    const attached: Finding[] = []
    if (this.#hasEicar) attached.push({ code: 'test_virus', detail: 'it is in an attachment' })
    if (this.#program !== undefined) {
      attached.push({ code: 'executable_content', detail: `an attachment is ${this.#program}` })
    }
    return { findings: [...findings, ...attached], notes }
  }

  #read(line: string): void {
    if (line.startsWith('--')) {
      this.#endPart()
      this.#header = ''
    } else if (this.#part !== undefined) this.#part.push(line)
    else if (this.#header === undefined) {
      // An embedded message starts without a boundary line.
      if (/^content-transfer-encoding:/i.test(line)) this.#header = `\n${line}`
    } else if (line.trim() !== '') {
      if (this.#header.length < MAX_HEADER) this.#header += /^[ \t]/.test(line) ? line : `\n${line}`
    } else {
      if (/\ncontent-transfer-encoding:\s*base64/i.test(this.#header.replaceAll('\r', ''))) {
        this.#part = new Base64Part()
      }
      this.#header = undefined
    }
  }

  #endPart(): void {
    if (this.#part === undefined) return
    const { head, hasEicar } = this.#part.end()
    this.#program ??= programIn(head)
    this.#hasEicar ||= hasEicar
    this.#part = undefined
  }
}

class Base64Part {
  readonly #eicar = new BytesFinder(eicarString())
  readonly #head = new Uint8Array(HEAD_BYTES)
  #headBytes = 0
  #bits = 0
  #bitCount = 0

  push(line: string): void {
    const bytes = new Uint8Array(line.length)
    let length = 0
    for (let at = 0; at < line.length; at++) {
      const value = VALUES[line.charCodeAt(at)] ?? 255
      // Other characters are skipped, as mail programs do.
      if (value === 255) continue
      this.#bits = ((this.#bits << 6) | value) & 0xffff
      this.#bitCount += 6
      if (this.#bitCount < 8) continue
      this.#bitCount -= 8
      bytes[length++] = (this.#bits >> this.#bitCount) & 255
    }
    const decoded = bytes.subarray(0, length)
    const start = decoded.subarray(0, HEAD_BYTES - this.#headBytes)
    this.#head.set(start, this.#headBytes)
    this.#headBytes += start.length
    if (length > 0) this.#eicar.push(decoded)
  }

  end(): { readonly head: Uint8Array; readonly hasEicar: boolean } {
    return { head: this.#head.subarray(0, this.#headBytes), hasEicar: this.#eicar.found }
  }
}

import { findBytes } from '../detect/find-bytes.ts'
import { executableName, programIn } from '../detect/programs.ts'
import { viewOf } from '../platform/sources.ts'
import { packagedFile } from '../structures/ole-package.ts'
import type { TextPart } from './text-check.ts'

const MAX_OBJECT_BYTES = 64 * 1024 * 1024
/** Names and programs are at the start. Later on, anything looks like one by chance. */
const START_LENGTH = 4096
const [BACKSLASH, OPEN, CLOSE, QUOTE] = [0x5c, 0x7b, 0x7d, 0x27]

/** Objects that are used to run something: file packages, links that load themselves, and the equation editor. */
const RUNS =
  /^(?:package|ole2link|equation\.\d|htmlfile|word\.document\.?\d*\.?macro|scriptlet|otkloadr|forms\.)/i
/** The same by their classes: equations, links to URLs and scripts. */
const CLASSES = [
  '02ce020000000000c000000000000046',
  '03ce020000000000c000000000000046',
  'e0c9ea79f9bace118c8200aa004ba90b',
  'c6afabec197fd211978e0000f8757e2a',
  '0303000000000000c000000000000046',
].map(bytesOfHex)
const COMPOUND = bytesOfHex('d0cf11e0a1b11ae1')

function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

/** TextDecoder's Latin-1 is Windows-1252, in which these bytes are other characters. */
const BYTE_OF = new Map(
  Array.from({ length: 32 }, (_, index) => [
    new TextDecoder('latin1').decode(Uint8Array.of(128 + index)).charCodeAt(0),
    128 + index,
  ]),
)

/**
 * The content of `\objdata`: hexadecimal digits between anything else that RTF allows. Programs differ in whether digits of
 * groups and escapes within it count, so it is read in two ways.
 */
export class RtfObject {
  isOver = false
  readonly #all = new HexBytes()
  readonly #own = new HexBytes()
  #depth = 0
  /** A control word that goes on in the next text. */
  #word: string | undefined
  #escaped = 0
  #binary = 0

  /** Returns where the object ends, or the end of the text. */
  read(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#binary > 0) {
        this.#binary--
        this.#all.byte(BYTE_OF.get(code) ?? code)
        this.#own.byte(BYTE_OF.get(code) ?? code)
      } else if (this.#escaped > 0) {
        this.#escaped--
        this.#own.digit(code)
      } else if (this.#word !== undefined) {
        if (!this.#readWord(code)) at--
      } else if (code === BACKSLASH) this.#word = ''
      else if (code === OPEN) this.#depth++
      else if (code === CLOSE) {
        if (--this.#depth < 0) {
          this.isOver = true
          return at
        }
      } else {
        this.#all.digit(code)
        if (this.#depth === 0) this.#own.digit(code)
      }
    }
    return text.length
  }

  /** False if the character is not part of the control word. */
  #readWord(code: number): boolean {
    const word = this.#word as string
    const letter = String.fromCharCode(code)
    const isLetter = /[a-z]/i.test(letter)
    if (word === '' && !isLetter) {
      this.#word = undefined
      if (code === QUOTE) this.#escaped = 2
      return true
    }
    const isMore =
      (isLetter && /^[a-z]*$/i.test(word)) || /\d/.test(letter) || (letter === '-' && /[a-z]$/i.test(word))
    if (isMore && word.length < 40) {
      this.#word = word + letter
      return true
    }
    this.#word = undefined
    const binary = /^bin(\d{1,9})$/i.exec(word)?.[1]
    if (binary !== undefined) this.#binary = Math.min(MAX_OBJECT_BYTES, Number(binary))
    // A space ends a control word, and belongs to it.
    return letter === ' '
  }

  *dangers(): Generator<string> {
    for (const bytes of this.#readings()) {
      const text = latin1(bytes)
      const { className, native } = readHeader(bytes)
      if (RUNS.test(className)) yield `an object of class ${className}`
      else if (CLASSES.some((id) => findBytes(bytes, id) !== -1))
        yield 'an object of a class that runs something'
      if (!/^[\w. -]{0,60}$/.test(className)) yield 'an object has a disguised header'
      const start = text.slice(0, START_LENGTH)
      const isNamed = start.split('\0').some((part) => executableName(part, false) !== undefined)
      const isProgram = programIn(native.subarray(4)) !== undefined || /\0MZ[^]{50}/.test(start)
      if (isNamed || isProgram || text.includes('This program cannot be run'))
        yield 'an embedded file is a program'
    }
  }

  *parts(number: number): Generator<TextPart> {
    for (const bytes of this.#readings()) {
      const { className, native } = readHeader(bytes)
      const compound = findBytes(bytes, COMPOUND)
      const name = `object ${number}`
      if (/^package/i.test(className)) {
        const file = packagedFile(native)
        yield { name: file.name, held: 'object', bytes: file.content }
      } else if (compound !== -1) yield { name, held: 'object', bytes: bytes.subarray(compound) }
      else if (native.length > 4) yield { name, held: 'part', bytes: native.subarray(4) }
    }
  }

  #readings(): readonly Uint8Array[] {
    const [all, own] = [this.#all.bytes, this.#own.bytes]
    const isSame = all.length === own.length && all.every((byte, index) => byte === own[index])
    return [all, ...(isSame ? [] : [own])].filter(({ length }) => length > 0)
  }
}

/** OLE 1.0: version, format, then class name, topic and item, each after its length, then the native data ([MS-OLEDS] 2.2.5). */
function readHeader(bytes: Uint8Array): { readonly className: string; readonly native: Uint8Array } {
  const view = viewOf(bytes)
  let at = 8
  const next = (): string => {
    const length = at + 4 <= bytes.length ? view.getUint32(at, true) : 0
    const text = latin1(bytes.subarray(at + 4, at + 4 + Math.min(length, 200)))
    at += 4 + length
    return text.replaceAll('\0', '')
  }
  const className = next()
  next()
  next()
  return { className, native: bytes.subarray(at) }
}

const latin1 = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes)

/** Bytes from hexadecimal digits; other characters are skipped. */
class HexBytes {
  #bytes = new Uint8Array(1024)
  #length = 0
  #high: number | undefined

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  digit(code: number): void {
    const value = code < 128 ? (VALUES[code] as number) : 255
    if (value === 255) return
    if (this.#high === undefined) this.#high = value
    else {
      const byte = this.#high * 16 + value
      this.#high = undefined
      this.byte(byte)
    }
  }

  byte(value: number): void {
    if (this.#length >= MAX_OBJECT_BYTES) return
    if (this.#length === this.#bytes.length) {
      const more = new Uint8Array(2 * this.#bytes.length)
      more.set(this.#bytes)
      this.#bytes = more
    }
    this.#bytes[this.#length++] = value
  }
}

const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(value) ? 255 : value
})

import type { Finding } from '../rules.ts'

const HEAD_LENGTH = 64 * 1024
const MAX_ENTITY_LENGTH = 1000
/** Characters that entities may add to a document. */
const MAX_EXPANDED = 20_000_000

const DECLARATION =
  /<!ENTITY\s{1,100}([\w.:-]{1,100})\s{1,100}(?:"([^"]{0,2000})"|'([^']{0,2000})'|(?:SYSTEM|PUBLIC)\b[^<>]{0,2000}?(\sNDATA\s[^<>]{0,100})?)\s{0,100}>/g
/** References to entities, and characters that become markup where the entity is used. */
const MARKUP = /[<%]|&(?!#)|&#0{0,20}(?:38|60);|&#x0{0,20}(?:26|3c);/i
/** Entities for the DOCTYPE itself. Those that are not used do no harm. */
const OF_DOCTYPE = /<!ENTITY\s{1,100}%[^<>]{0,2000}>/g

/** Finds entities that read files or grow, where they are declared. Short texts and files that are only named do no harm. */
export class EntityCheck {
  readonly #decoder = new TextDecoder('latin1')
  readonly #sizeBytes: number
  #head = ''

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes
  }

  push(utf8: Uint8Array): void {
    if (this.#head.length < HEAD_LENGTH) this.#head += this.#decoder.decode(utf8)
  }

  end(): readonly Finding[] {
    const from = this.#head.search(/<!DOCTYPE/i)
    const end = from === -1 ? 0 : endOfDoctype(this.#head, from)
    // One that is longer than this cannot be checked.
    const doctype = this.#head.slice(from === -1 ? 0 : from, end === -1 ? undefined : end)
    const isHarmful = end === -1 ? doctype.includes('<!ENTITY') : this.#isHarmful(doctype)
    return isHarmful ? [{ code: 'xml_entities' }] : []
  }

  #isHarmful(doctype: string): boolean {
    const plain = doctype.replaceAll(/<!--[^]*?-->/g, ' ')
    const first = plain.indexOf('<!ENTITY')
    if (first === -1) return false
    // They take effect where they are used.
    if (/%[\w.:-]{1,100};/.test(plain.slice(first))) return true
    const declarations = plain.replaceAll(OF_DOCTYPE, ' ')
    let read = 0
    for (const [, name = '', quoted, apostrophed, notation] of declarations.matchAll(DECLARATION)) {
      read++
      const text = quoted ?? apostrophed
      if (text === undefined ? notation === undefined : this.#grows(name, text)) return true
    }
    return read < declarations.split('<!ENTITY').length - 1
  }

  #grows(name: string, text: string): boolean {
    const added = (text.length * this.#sizeBytes) / (name.length + 2)
    return text.length > MAX_ENTITY_LENGTH || MARKUP.test(text) || added > MAX_EXPANDED
  }
}

/** After `]>`, or `>` if it declares nothing. */
function endOfDoctype(text: string, from: number): number {
  const bracket = text.indexOf('[', from)
  const close = text.indexOf('>', from)
  if (bracket === -1 || (close !== -1 && close < bracket)) return close === -1 ? -1 : close + 1
  const end = text.slice(bracket).search(/\]\s{0,100}>/)
  return end === -1 ? -1 : text.indexOf('>', bracket + end) + 1
}

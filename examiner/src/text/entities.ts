import type { Finding } from '../rules.ts'

const HEAD_LENGTH = 64 * 1024
const MAX_ENTITY_LENGTH = 1000
/** Characters that entities may add to a document. */
const MAX_EXPANDED = 20_000_000
const MAX_DECLARED = 10_000

const DECLARATION =
  /<!ENTITY\s{1,100}([\w.:-]{1,100})\s{1,100}(?:"([^"]{0,2000})"|'([^']{0,2000})'|((?:SYSTEM|PUBLIC)\b[^<>]{0,2000}?(?:\s(NDATA)\s[^<>]{0,100})?))\s{0,100}>/g
/** References to entities, and characters that become markup where the entity is used. */
const MARKUP = /[<%]|&(?!#)|&#0{0,20}(?:38|60);|&#x0{0,20}(?:26|3c);/i

/**
 * Finds entities that read files or grow, in the DOCTYPE and where they are used. Short texts, files that are only named,
 * and what is never used do no harm.
 */
export class EntityCheck {
  readonly #decoder = new TextDecoder('latin1')
  readonly #sizeBytes: number
  #head: string | undefined = ''
  #harmful: ReadonlySet<string> = new Set()
  #border = ''
  #isFound = false

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes
  }

  push(utf8: Uint8Array): void {
    if (this.#head !== undefined) {
      this.#head += this.#decoder.decode(utf8)
      if (this.#head.length >= HEAD_LENGTH) this.#readHead()
    } else if (this.#harmful.size > 0 && !this.#isFound) this.#search(this.#decoder.decode(utf8))
  }

  end(): readonly Finding[] {
    if (this.#head !== undefined) this.#readHead()
    return this.#isFound ? [{ code: 'xml_entities' }] : []
  }

  #readHead(): void {
    const head = this.#head ?? ''
    this.#head = undefined
    const from = head.search(/<!DOCTYPE/i)
    if (from === -1) return
    const end = endOfDoctype(head, from)
    // One that is longer than this cannot be checked.
    if (end === -1) {
      this.#isFound = head.includes('<!ENTITY', from)
      return
    }
    const doctype = head.slice(from, end).replaceAll(/<!--[^]*?-->/g, ' ')
    // Parameter entities take effect where they are declared.
    const marks = doctype.indexOf('<!ENTITY')
    this.#isFound = marks !== -1 && /%[\w.:-]{1,100};/.test(doctype.slice(marks))
    this.#harmful = this.#harmfulIn(doctype)
    if (this.#harmful.size > 0) this.#search(head.slice(end))
  }

  #harmfulIn(doctype: string): ReadonlySet<string> {
    const [harmful, all] = [new Set<string>(), new Set<string>()]
    for (const [, name = '', quoted, apostrophed, external, notation] of doctype.matchAll(DECLARATION)) {
      const text = quoted ?? apostrophed ?? ''
      // The first declaration of a name holds.
      if (all.has(name)) continue
      all.add(name)
      const grows = (text.length * this.#sizeBytes) / (name.length + 2) > MAX_EXPANDED
      const isHarmful =
        external === undefined
          ? text.length > MAX_ENTITY_LENGTH || MARKUP.test(text) || grows
          : notation === undefined
      if (isHarmful) harmful.add(name)
    }
    const declared = doctype.split('<!ENTITY').length - 1
    if (declared > MAX_DECLARED || declared > all.size) harmful.add('')
    return harmful
  }

  /** An empty name stands for declarations that could not be read: any entity that is used may be one of them. */
  #search(chunk: string): void {
    const text = this.#border + chunk
    const isAny = this.#harmful.has('')
    for (const [, name = ''] of text.matchAll(/&([A-Za-z_:][\w.:-]{0,99});/g))
      if (this.#harmful.has(name) || (isAny && !PREDEFINED.has(name))) this.#isFound = true
    this.#border = text.slice(-102)
  }
}

const PREDEFINED = new Set(['amp', 'lt', 'gt', 'quot', 'apos'])

/** After `]>`, or `>` if it declares nothing. */
function endOfDoctype(text: string, from: number): number {
  const bracket = text.indexOf('[', from)
  const close = text.indexOf('>', from)
  if (bracket === -1 || (close !== -1 && close < bracket)) return close === -1 ? -1 : close + 1
  const end = text.slice(bracket).search(/\]\s{0,100}>/)
  return end === -1 ? -1 : text.indexOf('>', bracket + end) + 1
}

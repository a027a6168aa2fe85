import { SaxesParser } from 'saxes'
import { type ElementReader, type Stated, UnexpectedShape } from './recogniser.ts'

const MAX_DEPTH = 100
const MAX_PATH = 1000
const MAX_TEXT = 1000

/** Reads XML one piece after the other. Expands no entities: a document that declares some is not read. */
export class XmlElements {
  readonly #parser = new SaxesParser({ xmlns: true })
  readonly #reader: ElementReader
  readonly #paths: string[] = []
  #text = ''
  #isLeaf = false
  #failed = false

  constructor(reader: ElementReader) {
    this.#reader = reader
    const parser = this.#parser
    parser.on('error', () => void (this.#failed = true))
    parser.on('doctype', (doctype) => {
      if (doctype.includes('<!ENTITY')) this.#failed = true
    })
    parser.on('opentag', ({ local, uri, attributes }) => {
      const parent = this.#paths.at(-1)
      const path = parent === undefined ? local : `${parent}/${local}`
      if (this.#paths.push(path) > MAX_DEPTH || path.length > MAX_PATH) throw new UnexpectedShape()
      this.#text = ''
      this.#isLeaf = true
      reader.open?.(path, {
        uri,
        attribute: (name) => (Object.hasOwn(attributes, name) ? attributes[name]?.value : undefined),
      })
    })
    parser.on('text', (text) => {
      if (this.#text.length < MAX_TEXT) this.#text += text
    })
    parser.on('closetag', () => {
      const path = this.#paths.pop() ?? ''
      if (this.#isLeaf) reader.text?.(path, this.#text.slice(0, MAX_TEXT).trim())
      this.#isLeaf = false
      reader.close?.(path)
    })
  }

  /** Decoding may fail like parsing. */
  push(decode: () => string): void {
    if (!this.#failed) this.#guarded(() => void this.#parser.write(decode()))
  }

  end(): Stated | undefined {
    let stated: Stated | undefined
    this.#guarded(() => {
      this.#parser.close()
      stated = this.#reader.end()
    })
    return this.#failed ? undefined : stated
  }

  #guarded(step: () => void): void {
    try {
      step()
    } catch {
      this.#failed = true
    }
  }
}

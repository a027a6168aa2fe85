import { filterName, type PdfFilters } from './pdf-filters.ts'
import { PdfLexer } from './pdf-lexer.ts'

export interface PdfStream {
  readonly contentAt: number
  /** As declared, if it is not in another object. */
  readonly lengthBytes: number | undefined
  readonly filters: PdfFilters
  /** The object that names the filters. */
  readonly filtersIn: number | undefined
}

const MAX_LISTED = 1000
const MAX_NAME_LENGTH = 1024
const FILE_KEYS = new Set(['/F', '/UF', '/DOS', '/Unix', '/Mac'])

/** What the tokens of an object show, of interest here. */
export class PdfObject {
  readonly number: number
  isDictionary = false
  launches = false
  /** Whether a launched program gets parameters. */
  hasParameters = false
  hasScript = false
  /** Strings that name files, as they are written. */
  readonly fileNames: string[] = []
  isAttachment = false
  /** Objects with the content of attached files, and the names beside them, as they are written. */
  readonly attached: { readonly number: number; readonly names: readonly string[] }[] = []
  readonly filters: string[] = []
  stream: PdfStream | undefined
  readonly #numbers = new Map<string, number>()
  #filtersIn: number | undefined
  #depth = 0
  #attachedDepth = 0
  /** Of the dictionary that is being read. */
  #contents: number[] = []
  #names: string[] = []
  #windowsDepth = 0
  #isInFilters = false
  #previous = ''
  #before = ''

  constructor(number: number) {
    this.number = number
  }

  /** Object streams have these two numbers, and readers ask for nothing else. */
  get isObjectStream(): boolean {
    return this.#numbers.has('/N') && this.#numbers.has('/First')
  }

  /** Reads the object at `at`. Returns where it ends, or undefined if the text ends before. */
  read(text: string, at: number, offset: number): number | undefined {
    const lexer = new PdfLexer(text, at)
    for (let token = lexer.next(); token !== undefined; token = lexer.next()) {
      if (token === 'endobj' || token === 'obj') return lexer.at
      if (token === 'stream') return this.#startStream(lexer.streamAt(), offset)
      this.#take(token)
      this.#before = this.#previous
      this.#previous = token
    }
    return undefined
  }

  #startStream(at: number | undefined, offset: number): number | undefined {
    if (at === undefined) return undefined
    this.stream = {
      contentAt: offset + at,
      lengthBytes: this.#numbers.get('/Length'),
      filters: { names: this.filters, rowBytes: this.#rowBytes },
      filtersIn: this.#filtersIn,
    }
    return at
  }

  #take(token: string): void {
    const first = token[0] as string
    if (first === '/') this.#takeName(token)
    else if (token === '<<') {
      this.isDictionary ||= this.#previous === ''
      this.#depth++
    } else if (first === '[') {
      if (this.#depth === 0) this.#isInFilters = true
      this.#depth++
    } else if (token === '>>' || first === ']') {
      this.#depth--
      if (this.#depth < this.#attachedDepth) this.#attachedDepth = 0
      if (this.#depth < this.#windowsDepth) this.#windowsDepth = 0
      if (first === ']') this.#isInFilters = false
      if (this.#depth === 0) this.#endDictionary()
    } else if (first === '(' || first === '<') this.#takeString(token)
    else this.#takeWord(token)
  }

  #endDictionary(): void {
    if (this.attached.length < MAX_LISTED)
      for (const number of this.#contents) this.attached.push({ number, names: this.#names })
    this.#contents = []
    this.#names = []
  }

  #takeName(name: string): void {
    // The name itself may be an object that the action refers to.
    const isAction = this.#previous === '/S' || this.#depth === 0
    if (name === '/Launch') this.launches ||= isAction
    else if (name === '/JavaScript') this.hasScript ||= isAction
    else if (name === '/EmbeddedFile') this.isAttachment ||= this.#previous === '/Type'
    else if (name === '/EF') this.#attachedDepth = this.#depth + 1
    else if (name === '/Win') this.#windowsDepth = this.#depth + 1
    else if (name === '/Filter') this.#isInFilters = true
    else if (this.#isInFilters || this.#depth === 0) this.#takeFilter(name.slice(1))
  }

  #takeFilter(name: string): void {
    if (this.filters.length < MAX_LISTED) this.filters.push(filterName(name))
    if (this.#previous === '/Filter') this.#isInFilters = false
  }

  #takeString(token: string): void {
    if (FILE_KEYS.has(this.#previous) && this.fileNames.length < MAX_LISTED) {
      this.fileNames.push(token.slice(0, MAX_NAME_LENGTH))
      this.#names.push(token.slice(0, MAX_NAME_LENGTH))
    }
    if (this.#windowsDepth > 0 && this.#previous === '/P') this.hasParameters = true
  }

  #takeWord(word: string): void {
    const value = Number(word)
    if (word === 'R') {
      const number = Number(this.#before)
      if (this.#attachedDepth > 0 && this.#contents.length < MAX_LISTED) this.#contents.push(number)
    } else if (this.#previous === '/Filter' && Number.isSafeInteger(value)) {
      this.#filtersIn = value
      this.#isInFilters = false
    } else if (
      this.#previous.startsWith('/') &&
      this.#numbers.size < MAX_LISTED &&
      Number.isSafeInteger(value)
    )
      this.#numbers.set(this.#previous, value)
  }

  get #rowBytes(): number | undefined {
    if ((this.#numbers.get('/Predictor') ?? 1) < 10) return undefined
    return Math.min(MAX_ROW_BYTES, Math.max(1, this.#numbers.get('/Columns') ?? 1))
  }
}

const MAX_ROW_BYTES = 65_536

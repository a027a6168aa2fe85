// One class each, so that the length of a match is not limited by a stack.
const SPACE = /[\0\t\n\f\r ]*/y
const COMMENT = /[^\n\r]*/y
const WORD = /[^\0\t\n\f\r ()<>[\]{}/%]*/y

/** Reads the tokens of a PDF. Strings are returned as they are written, names without escapes. */
export class PdfLexer {
  readonly #text: string
  at: number

  constructor(text: string, at: number) {
    this.#text = text
    this.at = at
  }

  /** Undefined at the end of the text. */
  next(): string | undefined {
    const text = this.#text
    let from = endOf(SPACE, text, this.at)
    while (text[from] === '%') from = endOf(SPACE, text, endOf(COMMENT, text, from))
    if (from >= text.length) {
      this.at = text.length
      return undefined
    }
    this.at = this.#endOf(text[from] as string, from)
    return decodeName(text.slice(from, this.at))
  }

  /** Where the content of a stream starts, after its keyword. Undefined if the text ends there. */
  streamAt(): number | undefined {
    const text = this.#text
    if (this.at + 2 > text.length) return undefined
    if (text[this.at] === '\n') return this.at + 1
    if (text[this.at] !== '\r') return this.at
    return text[this.at + 1] === '\n' ? this.at + 2 : this.at + 1
  }

  #endOf(first: string, from: number): number {
    const text = this.#text
    if (first === '(') return endOfString(text, from)
    if (first === '<' || first === '>') {
      if (text[from + 1] === first) return from + 2
      return first === '>' ? from + 1 : text.indexOf('>', from) + 1 || text.length
    }
    if ('[]{})'.includes(first)) return from + 1
    return endOf(WORD, text, from + 1)
  }
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  pattern.test(text)
  return pattern.lastIndex
}

export function endOfString(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return text.length
}

/** Names may escape any character as # and two hex digits. */
function decodeName(word: string): string {
  if (!word.startsWith('/') || !word.includes('#')) return word
  return word.replace(/#([0-9a-fA-F]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

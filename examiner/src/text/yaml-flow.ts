const NOT_PLAIN = -1
const MAX_DEPTH = 20

const WORD = String.raw`[A-Za-z0-9_](?:[\w./+@=~-]|:(?=[\w/])| (?=[\w./(]))*`
const VALUE = String.raw`(?:-?${WORD}|"[^"\\\x00-\x1f]*"|'[^'\x00-\x1f]*')`
const OPEN = /[[{] */y
const CLOSE = / *[\]}]/y
const ITEM = new RegExp(VALUE, 'y')
const KEY = new RegExp(`${VALUE}: +`, 'y')
const COMMA = / *, */y
const latin1 = new TextDecoder('latin1')

const IN_WORD = Uint8Array.from({ length: 256 }, (_, byte) => (/\w/.test(String.fromCharCode(byte)) ? 1 : 0))
const [SPACE, COMMA_BYTE, OPEN_LIST, CLOSE_LIST] = [0x20, 0x2c, 0x5b, 0x5d]

/** Where a flow collection of simple values on one line ends. */
export function flowEnd(bytes: Uint8Array, from: number, to: number): number {
  const end = wordListEnd(bytes, from, to)
  return end === NOT_PLAIN ? collectionEnd(bytes, from, to) : end
}

/** Most are lists of words or numbers. */
function wordListEnd(bytes: Uint8Array, from: number, to: number): number {
  if (bytes[from] !== OPEN_LIST) return NOT_PLAIN
  for (let at = from + 1; at < to; at++) {
    if (bytes[at] === SPACE) at++
    const start = at
    while (at < to && IN_WORD[bytes[at] as number] === 1) at++
    if (at === start) return NOT_PLAIN
    if (bytes[at] === CLOSE_LIST && at < to) return at + 1
    if (bytes[at] !== COMMA_BYTE) return NOT_PLAIN
  }
  return NOT_PLAIN
}

function collectionEnd(bytes: Uint8Array, from: number, to: number): number {
  const text = latin1.decode(bytes.subarray(from, to))
  const closers: string[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  for (;;) {
    // A value starts here, or an empty collection ends.
    if (closers.at(-1) === '}' && take(KEY) === undefined) return NOT_PLAIN
    const open = take(OPEN)
    if (open !== undefined) {
      if (closers.length === MAX_DEPTH) return NOT_PLAIN
      closers.push(open.startsWith('[') ? ']' : '}')
      if (text[at] !== closers.at(-1)) continue
    } else if (closers.length === 0 || take(ITEM) === undefined) return NOT_PLAIN
    for (let close = take(CLOSE); close !== undefined; close = take(CLOSE)) {
      if (close.at(-1) !== closers.pop()) return NOT_PLAIN
      if (closers.length === 0) return from + at
    }
    if (take(COMMA) === undefined) return NOT_PLAIN
  }
}

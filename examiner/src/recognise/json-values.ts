import { only } from './recogniser.ts'

const MAX_DEPTH = 200

/**
 * The JSON values in a text: one, or several one after the other, as JSON Lines have them and tools that append to a file.
 * Undefined if any of it is not JSON, or nested too deeply.
 */
export function jsonValues(text: string): readonly unknown[] | undefined {
  try {
    return valueTexts(text)?.map((value) => JSON.parse(value) as unknown)
  } catch {
    return undefined
  }
}

/** The one value in a text that is in another document. */
export function jsonValueIn(text: string): unknown {
  return only(jsonValues(text) ?? [])
}

/** Each object or array at the top. What is between them is left to the parser, which refuses it. */
function valueTexts(text: string): readonly string[] | undefined {
  const values: string[] = []
  let [depth, start] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = stringEnd(text, at)
    else if (character === OPEN_OBJECT || character === OPEN_ARRAY) {
      if (++depth > MAX_DEPTH) return undefined
    } else if ((character === CLOSE_OBJECT || character === CLOSE_ARRAY) && --depth === 0) {
      values.push(text.slice(start, at + 1))
      start = at + 1
    }
  }
  return depth === 0 && text.slice(start).trim() === '' ? values : undefined
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Where the string ends that starts at `from`. */
function stringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
  }
  return text.length
}

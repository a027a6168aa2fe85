import bidiModule from 'bidi-js'
import type { Bidi } from 'bidi-js'
import type { Direction } from '../fonts/shape-run.ts'

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** The direction of a text, and of each UTF-16 unit in it: odd levels run from right to left. */
export interface Levels {
  readonly base: Direction
  at(index: number): number
}

const ALL_LEFT_TO_RIGHT: Levels = { base: 'ltr', at: () => 0 }

/** @param isPath the folders of a path, and the extension of a name, are ordered from left to right in every script */
export function levelsOf(text: string, isPath: boolean): Levels {
  if (!RIGHT_TO_LEFT.test(text)) return ALL_LEFT_TO_RIGHT
  const classified = classify(text)
  if (!isPath) {
    const { levels, paragraphs } = BIDI.getEmbeddingLevels(classified)
    return { base: (paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr', at: (index) => levels[index] ?? 0 }
  }
  const levels = new Uint8Array(text.length)
  let start = 0
  for (const part of classified.split('/')) {
    levels.set(BIDI.getEmbeddingLevels(part, 'ltr').levels, start)
    start += part.length + 1
  }
  return { base: 'ltr', at: (index) => levels[index] ?? 0 }
}

export const mirrored = (character: string): string => BIDI.getMirroredCharacter(character) ?? character

/** The positions of parts from left to right, given the level of each (UAX #9, rule L2). */
export function visualOrder(levels: readonly number[]): readonly number[] {
  const order = levels.map((_, index) => index)
  const highest = levels.reduce((most, level) => Math.max(most, level), 0)
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from
      while (to < order.length && (levels[order[to] ?? 0] ?? 0) >= level) to++
      if (to === from) continue
      order.splice(from, to - from, ...order.slice(from, to).toReversed())
      from = to
    }
  }
  return order
}

// The module is the function itself; its types describe an ES module.
const makeBidi = bidiModule as unknown as typeof bidiModule.default
const BIDI: Bidi = makeBidi()

/** `bidi-js` knows only characters of one UTF-16 unit. An escape such as ‹U+202E› is one unit of text. */
const classify = (text: string): string =>
  text
    .replaceAll(/[\u{10000}-\u{10ffff}]/gu, (character) =>
      (RIGHT_TO_LEFT.test(character) ? '\u05d0' : /[\p{L}\p{N}]/u.test(character) ? 'a' : '\ufffc').repeat(2),
    )
    .replaceAll(/‹(U\+[0-9A-F]{4,6})›/g, '\u2066$1\u2069')

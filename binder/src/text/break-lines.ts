import type { GlyphSet, ShapedGlyph } from '../fonts/typeface.ts'
import { type Levels, levelsOf, visualOrder } from './bidi.ts'
import { graphemesOf } from './emoji-sequences.ts'

/** A line in thousandths of the font size. */
export interface BrokenLine {
  /** In reading order, each moved to its place. */
  readonly glyphs: readonly ShapedGlyph[]
  readonly width: number
  /** From the left edge of the text: lines from right to left end at the same place. */
  readonly indent: number
}

interface LineInput {
  readonly text: string
  readonly isPath: boolean
  readonly glyphSet: GlyphSet
  readonly limit: number
}

/** Breaks text of any script into lines, then orders each line (UAX #9, section 3.4). */
export function breakLines({ text, isPath, glyphSet, limit }: LineInput): readonly BrokenLine[] {
  const levels = levelsOf(text, isPath)
  const lines: Piece[][] = [[]]
  let filled = 0

  const measure = (word: string, start: number): readonly Piece[] =>
    shapePieces(glyphSet, text, word, start, levels)

  function add(pieces: readonly Piece[]): void {
    lines.at(-1)?.push(...pieces)
    filled += widthOf(pieces)
  }

  function startLine(): void {
    if (filled === 0) return
    lines.push([])
    filled = 0
  }

  function place(word: string, start: number, isWhole: boolean): void {
    const pieces = measure(word, start)
    const width = visibleWidth(pieces)
    const parts = filled + width > limit && isWhole ? splitByDictionary(word) : undefined
    if (parts !== undefined) {
      placeAll(parts, start, false)
      return
    }
    if (filled + width > limit) startLine()
    if (width <= limit) add(pieces)
    else placeLong(word, start, width)
  }

  function placeAll(words: readonly string[], start: number, isWhole: boolean): void {
    let at = start
    for (const word of words) {
      place(word, at, isWhole)
      at += word.length
    }
  }

  /** Splits a word that is longer than a line between graphemes. */
  function placeLong(word: string, start: number, width: number): void {
    let rest = graphemesOf(word)
    const fitting = Math.max(1, Math.floor((rest.length * limit) / width))
    let at = start
    while (rest.length > 0) {
      let taken = Math.min(fitting, rest.length)
      let pieces = measure(rest.slice(0, taken).join(''), at)
      while (taken > 1 && visibleWidth(pieces) > limit) {
        taken = Math.max(1, Math.min(taken - 1, Math.floor((taken * limit) / visibleWidth(pieces))))
        pieces = measure(rest.slice(0, taken).join(''), at)
      }
      if (filled + visibleWidth(pieces) > limit) startLine()
      add(pieces)
      at += rest.slice(0, taken).join('').length
      rest = rest.slice(taken)
    }
  }

  placeAll(splitWords(text), 0, true)
  const widest = lines.reduce((most, line) => Math.max(most, visibleWidth(line)), 0)
  return lines.map((line) => orderLine(line, levels, widest))
}

/** Text of one direction. */
interface Piece {
  readonly level: number
  readonly isSpace: boolean
  /** In reading order. */
  readonly glyphs: readonly ShapedGlyph[]
}

function shapePieces(
  glyphSet: GlyphSet,
  whole: string,
  word: string,
  start: number,
  levels: Levels,
): readonly Piece[] {
  const pieces: Piece[] = []
  for (let from = 0, to = 0; from < word.length; from = to) {
    const level = levels.at(start + from)
    const isSpace = word[from] === ' '
    while (to < word.length && levels.at(start + to) === level && (word[to] === ' ') === isSpace) to++
    const glyphs = glyphSet.shape(word.slice(from, to), whole, level % 2 === 1 ? 'rtl' : 'ltr')
    pieces.push({ level, isSpace, glyphs })
  }
  return pieces
}

const widthOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((total, { glyphs }) => total + advanceOf(glyphs), 0)

const advanceOf = (glyphs: readonly ShapedGlyph[]): number =>
  glyphs.reduce((total, { advance }) => total + advance, 0)

/** Without spaces at the end, which may extend beyond the line. */
const visibleWidth = (pieces: readonly Piece[]): number =>
  widthOf(pieces.slice(0, pieces.findLastIndex(({ isSpace }) => !isSpace) + 1))

function orderLine(line: readonly Piece[], { base }: Levels, widest: number): BrokenLine {
  const end = line.findLastIndex(({ isSpace }) => !isSpace) + 1
  const baseLevel = base === 'rtl' ? 1 : 0
  // Spaces at the end of a line go to its end in reading direction (rule L1).
  const pieces = line.map((piece, index) => (index < end ? piece : { ...piece, level: baseLevel }))
  const width = visibleWidth(line)
  const lefts: number[] = []
  let pen = base === 'rtl' ? width - widthOf(line) : 0
  for (const index of visualOrder(pieces.map(({ level }) => level))) {
    lefts[index] = pen
    pen += advanceOf(pieces[index]?.glyphs ?? [])
  }
  const glyphs: ShapedGlyph[] = []
  let written = 0
  for (const [index, piece] of pieces.entries()) {
    const left = lefts[index] ?? 0
    let x = piece.level % 2 === 1 ? left + advanceOf(piece.glyphs) : left
    for (const shaped of piece.glyphs) {
      if (piece.level % 2 === 1) x -= shaped.advance
      // Most glyphs stay where they are. They are kept, because copies would be half of the garbage of a binder.
      glyphs.push(x === written ? shaped : { ...shaped, dx: x + shaped.dx - written })
      if (piece.level % 2 === 0) x += shaped.advance
      written += shaped.advance
    }
  }
  return { glyphs, width, indent: base === 'rtl' ? widest - width : 0 }
}

/** Line break opportunities: after a space or slash, and between the parts of a name. */
const BREAKS = /(?<=[ /])|(?<=[\w)][-_.])(?=\w)/u

const CJK = String.raw`[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uff60\uff66-\uff9f\u{20000}-\u{3ffff}]`
// Closing punctuation, small kana and marks must not start a line; opening punctuation must not end one.
const NOT_FIRST = String.raw`[\p{M}\p{Pe}\p{Pf}\p{Po}々ー〜ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ]`
const NOT_LAST = String.raw`[\p{Ps}\p{Pi}]`
const CJK_BREAKS = new RegExp(
  `(?<=${CJK})(?<!${NOT_LAST})(?!${NOT_FIRST})(?=${CJK}|\\w)|(?<=\\w)(?=${CJK})(?!${NOT_FIRST})`,
  'u',
)
const BREAKS_OF_ANY_SCRIPT = new RegExp(`(?:${BREAKS.source})(?!\\p{M})|${CJK_BREAKS.source}`, 'u')

/** The parts between which a line may break. */
export const splitWords = (text: string): readonly string[] => text.split(BREAKS_OF_ANY_SCRIPT)

const WITHOUT_SPACES = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/
const SEGMENTER = new Intl.Segmenter('th', { granularity: 'word' })

/** Thai, Lao, Burmese and Khmer do not separate words by spaces. Undefined for other scripts. */
export function splitByDictionary(text: string): readonly string[] | undefined {
  if (!WITHOUT_SPACES.test(text)) return undefined
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment)
}

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { create } from 'fontkit'
import type { Font, Glyph as FontkitGlyph } from 'fontkit'
import decompress from 'woff2-encoder/decompress'
import { glyphOutline } from './glyph-outline.ts'

/** A glyph in thousandths of the font size. One object per form while its file is loaded. */
export interface Glyph {
  readonly advance: number
  readonly outline: Uint8Array
  /** The character it represents; empty if it is not exactly one. */
  readonly text: string
}

export interface PlacedGlyph {
  readonly glyph: Glyph
  /** Distance to the next glyph, including kerning. */
  readonly advance: number
  readonly dx: number
  readonly dy: number
}

export interface FontFile {
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
  has(codePoint: number): boolean
  /** The glyph of a single character. */
  letter(character: string): Glyph
  /** All characters must be in this file. */
  shape(text: string): readonly PlacedGlyph[]
  /** The glyph for characters that no file has. */
  readonly missing: Glyph
}

/** @param resource a variable WOFF2 file of an installed package */
export async function loadFontFile(resource: string, weight: number, fixedPitch: boolean): Promise<FontFile> {
  const compressed = await readFile(fileURLToPath(import.meta.resolve(resource)))
  const sfnt = await decompress(compressed)
  const opened = create(Buffer.from(sfnt.buffer, sfnt.byteOffset, sfnt.byteLength))
  if (!('layout' in opened)) throw new Error(`${resource} contains several fonts`)
  const font = opened.getVariation({ wght: weight })
  return fontFile(font, fixedPitch)
}

// Text that needs only kerning. Combining marks and complex scripts need full shaping.
const SIMPLE = /^[\p{L}\p{N}\p{P}\p{S} ]*$/u
const COMPLEX = /[\u0590-\u1cff]/
// Characters that are kerned: few enough to cache every pair.
const KERNED = /^[ -\u00ff\u0370-\u04ff]+$/
// No ligatures: one glyph per character keeps text extraction exact.
const FEATURES = { liga: false, clig: false, dlig: false }

function fontFile(font: Font, fixedPitch: boolean): FontFile {
  const scale = 1000 / font.unitsPerEm
  const glyphs = new Map<string, Glyph>()
  const letters = new Map<string, Glyph>()
  const kerning = new Map<string, number>()

  const glyphOf = (found: FontkitGlyph, text: string): Glyph =>
    cached(glyphs, `${found.id} ${text}`, () => ({
      advance: Math.round(found.advanceWidth * scale),
      outline: glyphOutline(found.path.commands, scale),
      text,
    }))

  const letterOf = (letter: string): Glyph =>
    cached(letters, letter, () => glyphOf(font.glyphForCodePoint(letter.codePointAt(0) ?? 0), letter))

  function kern(left: string, right: string | undefined): number {
    // Fixed-pitch glyphs are not kerned.
    if (fixedPitch || right === undefined || !KERNED.test(left + right)) return 0
    return cached(kerning, left + right, () => {
      const { glyphs: pair, positions } = font.layout(left + right, FEATURES)
      const [glyph, place] = [pair[0], positions[0]]
      return glyph === undefined || place === undefined
        ? 0
        : Math.round((place.xAdvance - glyph.advanceWidth) * scale)
    })
  }

  function shapeSimple(characters: readonly string[]): readonly PlacedGlyph[] {
    return characters.map((character, index) => {
      const glyph = letterOf(character)
      return { glyph, advance: glyph.advance + kern(character, characters[index + 1]), dx: 0, dy: 0 }
    })
  }

  function shape(text: string): readonly PlacedGlyph[] {
    const characters = [...text]
    const isComplex = COMPLEX.test(text)
    if (!isComplex && SIMPLE.test(text)) return shapeSimple(characters)
    const run = font.layout(text, FEATURES)
    const oneToOne = characters.length === run.glyphs.length && !isComplex
    return run.glyphs.map((found, index) => {
      const place = run.positions[index]
      const character = oneToOne ? characters[index] : font.stringsForGlyph(found.id)[0]
      const glyph = glyphOf(found, character ?? '')
      const moved = place === undefined ? 0 : Math.round((place.xAdvance - found.advanceWidth) * scale)
      return {
        glyph,
        advance: glyph.advance + moved,
        dx: Math.round((place?.xOffset ?? 0) * scale),
        dy: Math.round((place?.yOffset ?? 0) * scale),
      }
    })
  }

  return {
    ascent: Math.round(font.ascent * scale),
    descent: Math.round(font.descent * scale),
    capHeight: Math.round(font.capHeight * scale),
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    letter: letterOf,
    shape,
    missing: glyphOf(font.getGlyph(0), '\ufffd'),
  }
}

function cached<K, T>(map: Map<K, T>, key: K, make: () => T): T {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

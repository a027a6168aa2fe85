import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { create } from 'fontkit'
import type { Font, Glyph as FontkitGlyph } from 'fontkit'
import decompress from 'woff2-encoder/decompress'
import { glyphOutline } from './glyph-outline.ts'

/** A letter form, in thousandths of the type size. One object for each form, for as long as its file is loaded. */
export interface Glyph {
  readonly advance: number
  readonly outline: Uint8Array
  /** The text that it stands for; empty where that is not one character. */
  readonly text: string
}

export interface PlacedGlyph {
  readonly glyph: Glyph
  /** How far the next glyph lies, kerning included. */
  readonly advance: number
  readonly dx: number
  readonly dy: number
}

export interface FontFile {
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
  has(codePoint: number): boolean
  /** The form of one character alone. */
  letter(character: string): Glyph
  /** Every character must be one that this file has. */
  shape(text: string): readonly PlacedGlyph[]
  /** What is drawn for a character that no file has. */
  readonly missing: Glyph
}

/** @param resource a variable WOFF2 file of an installed package */
export async function loadFontFile(resource: string, weight: number, fixedPitch: boolean): Promise<FontFile> {
  const packed = await readFile(fileURLToPath(import.meta.resolve(resource)))
  const sfnt = await decompress(packed)
  const opened = create(Buffer.from(sfnt.buffer, sfnt.byteOffset, sfnt.byteLength))
  if (!('layout' in opened)) throw new Error(`${resource} holds several fonts`)
  const font = opened.getVariation({ wght: weight })
  return fontFile(font, fixedPitch)
}

// Letters that stand side by side and need nothing but kerning. The others (marks that sit on letters, scripts whose
// letters change with their neighbours) go the long way.
const SIMPLE = /^[\p{L}\p{N}\p{P}\p{S} ]*$/u
const COMPLEX = /[\u0590-\u1cff]/
// Where kerning is looked up: few enough letters that every pair of them can be remembered.
const KERNED = /^[ -\u00ff\u0370-\u04ff]+$/
// One glyph for one character each, so that text taken out of the document is the text that was put in.
const FEATURES = { liga: false, clig: false, dlig: false }

function fontFile(font: Font, fixedPitch: boolean): FontFile {
  const scale = 1000 / font.unitsPerEm
  const glyphs = new Map<string, Glyph>()
  const letters = new Map<string, Glyph>()
  const kerning = new Map<string, number>()

  const glyphOf = (found: FontkitGlyph, text: string): Glyph =>
    remember(glyphs, `${found.id} ${text}`, () => ({
      advance: Math.round(found.advanceWidth * scale),
      outline: glyphOutline(found.path.commands, scale),
      text,
    }))

  const letterOf = (letter: string): Glyph =>
    remember(letters, letter, () => glyphOf(font.glyphForCodePoint(letter.codePointAt(0) ?? 0), letter))

  function kern(left: string, right: string | undefined): number {
    // Letters of one width are not moved, and looking a pair up costs more than drawing it.
    if (fixedPitch || right === undefined || !KERNED.test(left + right)) return 0
    return remember(kerning, left + right, () => {
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
      const stands = oneToOne ? characters[index] : font.stringsForGlyph(found.id)[0]
      const glyph = glyphOf(found, stands ?? '')
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

function remember<K, T>(map: Map<K, T>, key: K, make: () => T): T {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

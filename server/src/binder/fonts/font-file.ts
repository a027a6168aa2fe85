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
  /** Every character must be one that this file has. */
  shape(text: string): readonly PlacedGlyph[]
  /** What is drawn for a character that no file has. */
  readonly missing: Glyph
}

/** @param resource a variable WOFF2 file of an installed package */
export async function loadFontFile(resource: string, weight: number): Promise<FontFile> {
  const packed = await readFile(fileURLToPath(import.meta.resolve(resource)))
  const sfnt = await decompress(packed)
  const opened = create(Buffer.from(sfnt.buffer, sfnt.byteOffset, sfnt.byteLength))
  if (!('layout' in opened)) throw new Error(`${resource} holds several fonts`)
  const font = opened.getVariation({ wght: weight })
  return fontFile(font)
}

// One glyph for one character each, so that text taken out of the document is the text that was put in.
const FEATURES = { liga: false, clig: false, dlig: false }
const COMPLEX = /[\u0900-\u1cff]/

function fontFile(font: Font): FontFile {
  const scale = 1000 / font.unitsPerEm
  const glyphs = new Map<string, Glyph>()
  const glyphOf = (found: FontkitGlyph, text: string): Glyph => {
    const key = `${found.id} ${text}`
    const known = glyphs.get(key)
    if (known !== undefined) return known
    const advance = Math.round(found.advanceWidth * scale)
    const glyph: Glyph = { advance, outline: glyphOutline(found.path.commands, scale), text }
    glyphs.set(key, glyph)
    return glyph
  }

  function shape(text: string): readonly PlacedGlyph[] {
    const run = font.layout(text, FEATURES)
    const characters = [...text]
    const oneToOne = characters.length === run.glyphs.length && !COMPLEX.test(text)
    return run.glyphs.map((found, index) => {
      const place = run.positions[index]
      const stands = oneToOne ? characters[index] : font.stringsForGlyph(found.id)[0]
      const glyph = glyphOf(found, stands ?? '')
      const kern = place === undefined ? 0 : Math.round((place.xAdvance - found.advanceWidth) * scale)
      return {
        glyph,
        advance: glyph.advance + kern,
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
    shape,
    missing: glyphOf(font.getGlyph(0), '\ufffd'),
  }
}

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Font } from 'fontkit'
import { codePointBox } from './code-point-box.ts'
import type { Glyph, PlacedGlyph } from './glyph-outline.ts'
import { glyphOutline } from './glyph-outline.ts'
import { movedPath, openForShaping, shapeRun } from './shape-run.ts'
import type { Direction, RunGlyph } from './shape-run.ts'

/** @param resource a variable WOFF2 file of an installed package */
export async function loadFontFile(resource: string, weight: number, fixedPitch: boolean): Promise<FontFile> {
  // Not loaded with the service, which may make no binder for long: both unpack tables when they are loaded.
  const [{ create }, { default: decompress }] = await Promise.all([
    import('fontkit'),
    import('woff2-encoder/decompress'),
  ])
  const compressed = await readFile(fileURLToPath(import.meta.resolve(resource)))
  const sfnt = await decompress(compressed)
  const opened = create(Buffer.from(sfnt.buffer, sfnt.byteOffset, sfnt.byteLength))
  if (!('layout' in opened)) throw new Error(`${resource} contains several fonts`)
  const font = opened.getVariation({ wght: weight })
  return fontFile(openForShaping(font), resource, fixedPitch)
}

// Text that needs only kerning. Combining marks and complex scripts need full shaping.
const SIMPLE = /^[\p{L}\p{N}\p{P}\p{S} ]*$/u
const LETTER_WITH_MARKS_OR_LETTERS = /\P{M}\p{M}+|\P{M}+?(?=\P{M}\p{M}|$)|\p{M}+/gu
/** Scripts whose letters change with their neighbours, and emoji sequences. */
export const COMPLEX =
  /[\u0590-\u1cff]|\u200c|\u200d|\ufe0f|\u20e3|\p{Regional_Indicator}|\p{Emoji_Modifier}/u
// Characters that are kerned: few enough to cache every pair.
const KERNED = /^[ -\u00ff\u0370-\u04ff]+$/
/** Joined glyphs are as many as the names that people invent. */
const MAX_CACHED_GLYPHS = 10_000
const MAX_CACHED_RUNS = 4096
const MAX_CACHED_RUN_LENGTH = 16
// No ligatures in Latin, Greek and Cyrillic, where they are optional.
const NO_LIGATURES = { liga: false, clig: false, dlig: false }

export type FontFile = ReturnType<typeof fontFile>

function fontFile(font: Font, resource: string, fixedPitch: boolean) {
  const scale = 1000 / font.unitsPerEm
  const glyphs = new Map<string, Glyph>()
  const letters = new Map<string, Glyph>()
  const kerning = new Map<string, number>()
  const runs = new Map<string, readonly PlacedGlyph[]>()

  function glyphOf({ id, text, width, attached }: Omit<RunGlyph, 'advance' | 'dx' | 'dy'>): Glyph {
    const parts = attached.map(({ id: part, dx, dy }) => `${part},${Math.round(dx)},${Math.round(dy)}`)
    const key = `${resource} ${id} ${text} ${Math.round(width)} ${parts.join(' ')}`
    if (glyphs.size > MAX_CACHED_GLYPHS) glyphs.clear()
    return cached(glyphs, key, () => ({
      advance: Math.round(width * scale),
      outline: glyphOutline(
        [{ id, dx: 0, dy: 0 }, ...attached].flatMap((part) =>
          movedPath(font.getGlyph(part.id).path.commands, Math.round(part.dx), Math.round(part.dy)),
        ),
        scale,
      ),
      text,
      key,
      ...(attached.length === 0 ? {} : { parts: [{ id, dx: 0, dy: 0 }, ...attached].map(partOf) }),
    }))
  }

  const partOf = ({ id, dx, dy }: RunGlyph['attached'][number]): PlacedGlyph => ({
    glyph: glyphOf({ id, text: '', width: font.getGlyph(id).advanceWidth, attached: [] }),
    advance: 0,
    dx: Math.round(dx * scale),
    dy: Math.round(dy * scale),
  })

  const single = (codePoint: number, text: string): Glyph => {
    const { id, advanceWidth } = font.glyphForCodePoint(codePoint)
    return glyphOf({ id, text, width: advanceWidth, attached: [] })
  }

  const letterOf = (letter: string, text = letter): Glyph =>
    cached(letters, letter === text ? letter : letter + text, () => single(letter.codePointAt(0) ?? 0, text))

  function kern(left: string, right: string | undefined): number {
    // Fixed-pitch glyphs are not kerned.
    if (fixedPitch || right === undefined || !KERNED.test(left + right)) return 0
    return cached(kerning, left + right, () => {
      const { glyphs: pair, positions } = font.layout(left + right, NO_LIGATURES)
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

  function shape(text: string, direction: Direction = 'ltr'): readonly PlacedGlyph[] {
    const isComplex = COMPLEX.test(text)
    if (!isComplex && SIMPLE.test(text)) return shapeSimple([...text])
    if (isComplex) return shapeCached(text, direction, {})
    return (text.match(LETTER_WITH_MARKS_OR_LETTERS) ?? []).flatMap((part) =>
      SIMPLE.test(part) ? shapeSimple([...part]) : shapeCached(part, direction, NO_LIGATURES),
    )
  }

  function shapeCached(
    text: string,
    direction: Direction,
    features: Record<string, boolean>,
  ): readonly PlacedGlyph[] {
    if (text.length > MAX_CACHED_RUN_LENGTH) return shapeAnew(text, direction, features)
    if (runs.size > MAX_CACHED_RUNS) runs.clear()
    return cached(runs, `${direction} ${text}`, () => shapeAnew(text, direction, features))
  }

  function shapeAnew(
    text: string,
    direction: Direction,
    features: Record<string, boolean>,
  ): readonly PlacedGlyph[] {
    return shapeRun(font, text, direction, features).map((shaped) => {
      const glyph = glyphOf(shaped)
      return {
        glyph,
        advance: glyph.advance + Math.round((shaped.advance - shaped.width) * scale),
        dx: Math.round(shaped.dx * scale),
        dy: Math.round(shaped.dy * scale),
      }
    })
  }

  return {
    ascent: Math.round(font.ascent * scale),
    descent: Math.round(font.descent * scale),
    capHeight: Math.round(font.capHeight * scale),
    has: (codePoint: number): boolean => font.hasGlyphForCodePoint(codePoint),
    /** The glyph of a single character. @param text what it represents, if that is another character */
    letter: letterOf,
    /** All characters must be in this file. @returns glyphs from left to right */
    shape,
    /** The glyph for unknown codes. */
    missing: glyphOf({ id: 0, text: '\ufffd', width: font.getGlyph(0).advanceWidth, attached: [] }),
    /** A box with the code point of a character that no file has. */
    box: (character: string): Glyph => codePointBox(character, font),
  }
}

function cached<K, T>(map: Map<K, T>, key: K, make: () => T): T {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

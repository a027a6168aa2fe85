import { familyIndex } from './font-family.ts'
import { loadFontFile } from './font-file.ts'
import type { FontFile, Glyph, PlacedGlyph } from './font-file.ts'
import { hanOf, cjkGlyphs } from './cjk-glyphs.ts'
import type { Han, CjkGlyphs } from './cjk-glyphs.ts'

/** A typeface of one weight. Loaded glyphs are cached across documents. */
export interface Typeface {
  readonly name: string
  readonly fixedPitch: boolean
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
  /** The glyph for characters that no family supports. */
  readonly missing: Glyph
  /** The glyphs of the binder's own text. Embedded in every document, so that most documents share the same fonts. */
  readonly basic: readonly Glyph[]
  /** Loads the glyphs for these texts. The result does not depend on what was loaded before. */
  loadGlyphs(texts: Iterable<string>): Promise<GlyphSet>
}

export interface GlyphSet {
  readonly typeface: Typeface
  /** @param whole the whole text that `text` is part of; it decides between Chinese and Japanese forms */
  shape(text: string, whole?: string): readonly ShapedGlyph[]
}

export interface ShapedGlyph extends PlacedGlyph {
  /**
   * The text that extraction returns for this glyph, if it is not the glyph's own: for missing glyphs the character; for
   * runs in complex scripts the whole run at the first glyph, and nothing at the others.
   */
  readonly actualText?: string
  /** Whether no family has a glyph for it. */
  readonly isMissing?: boolean
}

interface TypefaceInput {
  readonly name: string
  readonly weight: number
  readonly fixedPitch: boolean
  readonly families: readonly string[]
}

const BASIC_CHARACTERS = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => at + 32)) + '’–‹›…'
const MAX_CACHED_WORDS = 8192
const MAX_CACHED_WORD_LENGTH = 40
const NARROW = /^[\0-\u2dff]*$/

export async function loadTypeface({ families, weight, name, fixedPitch }: TypefaceInput): Promise<Typeface> {
  const files = new Map<string, Promise<FontFile>>()
  const wide = cjkGlyphs(weight)
  const words = new Map<string, readonly ShapedGlyph[]>()

  function load(resource: string): Promise<FontFile> {
    const known = files.get(resource)
    if (known !== undefined) return known
    const loading = loadFontFile(resource, weight, fixedPitch)
    files.set(resource, loading)
    loading.catch(() => files.delete(resource))
    return loading
  }

  async function find(codePoint: number): Promise<FontFile | undefined> {
    for (const family of families) {
      const resource = (await familyIndex(family)).fileOf(codePoint)
      if (resource === undefined) continue
      const file = await load(resource)
      if (file.has(codePoint)) return file
    }
    return undefined
  }

  async function loadGlyphs(texts: Iterable<string>): Promise<GlyphSet> {
    const narrow = new Map(ready)
    const others: Record<Han, Set<number>> = { chinese: new Set(), japanese: new Set() }
    for (const [codePoint, han] of charactersOf(texts)) {
      const file = narrow.get(codePoint) ?? (await find(codePoint))
      if (file === undefined) others[han].add(codePoint)
      else narrow.set(codePoint, file)
    }
    const cjkForms = await wide.read(others)
    return { typeface, shape: (text, whole = text) => shape(text, narrow, cjkForms[hanOf(whole)]) }
  }

  function shape(
    text: string,
    narrow: ReadonlyMap<number, FontFile>,
    cjkForms: CjkGlyphs,
  ): readonly ShapedGlyph[] {
    const known = words.get(text)
    if (known !== undefined) return known
    const shaped = runsOf(text, narrow).flatMap(({ file, run }) =>
      file === undefined
        ? [...run].map((character) => alone(character, cjkForms))
        : withActualText(file.shape(run), run),
    )
    // Only text that looks the same in every document is cached.
    if (text.length > MAX_CACHED_WORD_LENGTH || !NARROW.test(text)) return shaped
    if (words.size >= MAX_CACHED_WORDS) words.clear()
    words.set(text, shaped)
    return shaped
  }

  function alone(character: string, cjkForms: CjkGlyphs): ShapedGlyph {
    const found = cjkForms.get(character.codePointAt(0) ?? 0)
    const glyph = found ?? missing
    const placed = { glyph, advance: glyph.advance, dx: 0, dy: 0 }
    return found === undefined ? { ...placed, actualText: character, isMissing: true } : placed
  }

  const main = await find(0x20)
  if (main === undefined) throw new Error(`${name} has no space`)
  const { ascent, descent, capHeight, missing } = main
  const basic = [...BASIC_CHARACTERS]
    .filter((letter) => main.has(letter.codePointAt(0) ?? 0))
    .map(main.letter)
  const ready = new Map<number, FontFile>()
  for (const [codePoint] of charactersOf([BASIC_CHARACTERS])) {
    const file = await find(codePoint)
    if (file !== undefined) ready.set(codePoint, file)
  }
  const typeface: Typeface = { name, fixedPitch, ascent, descent, capHeight, missing, basic, loadGlyphs }
  return typeface
}

/** Each character once per Han variant. */
function* charactersOf(texts: Iterable<string>): Generator<readonly [codePoint: number, han: Han]> {
  const visited: Record<Han, Set<string>> = { chinese: new Set(), japanese: new Set() }
  for (const text of texts) {
    const han = hanOf(text)
    for (const character of text) {
      if (visited[han].has(character)) continue
      visited[han].add(character)
      yield [character.codePointAt(0) ?? 0, han]
    }
  }
}

/** If glyphs do not map to characters one by one, the run is marked as a whole. */
function withActualText(glyphs: readonly PlacedGlyph[], run: string): readonly ShapedGlyph[] {
  if (glyphs.map(({ glyph }) => glyph.text).join('') === run) return glyphs
  return glyphs.map((glyph, index) => ({ ...glyph, actualText: index === 0 ? run : '' }))
}

interface Run {
  readonly file: FontFile | undefined
  readonly run: string
}

function runsOf(text: string, files: ReadonlyMap<number, FontFile>): readonly Run[] {
  const runs: { file: FontFile | undefined; run: string }[] = []
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0
    const last = runs.at(-1)
    // A combining mark stays in the run of its base letter.
    const file = last?.file?.has(codePoint) ? last.file : files.get(codePoint)
    if (last !== undefined && last.file === file) last.run += character
    else runs.push({ file, run: character })
  }
  return runs
}

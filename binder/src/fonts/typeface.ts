import { familyIndex } from './font-family.ts'
import { loadFontFile } from './font-file.ts'
import type { FontFile, Glyph, PlacedGlyph } from './font-file.ts'
import { hanOf, wideLetters } from './wide-letters.ts'
import type { Han, WideLetters } from './wide-letters.ts'

/** Letters of one weight. What is read for one document is kept for the next. */
export interface Typeface {
  readonly name: string
  readonly fixedPitch: boolean
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
  /** Drawn for characters that no family has. */
  readonly missing: Glyph
  /** What the binder itself is written with: in every document, so that most have the very same fonts. */
  readonly basic: readonly Glyph[]
  /** Reads what these texts need. Nothing else decides how they look, least of all what was read before. */
  lettersFor(texts: Iterable<string>): Promise<Letters>
}

export interface Letters {
  readonly typeface: Typeface
  /** @param whole the text that this is a part of: it decides which forms shared characters take */
  shape(text: string, whole?: string): readonly ShapedGlyph[]
}

export interface ShapedGlyph extends PlacedGlyph {
  /**
   * What a reader who takes the text out is told in the place of this glyph: the character itself, where no family has a
   * letter form for it; where letters change with their neighbours, all of them at the first glyph and nothing at the rest.
   */
  readonly said?: string
  /** Whether no family has a letter form for it. */
  readonly isMissing?: boolean
}

interface TypefaceInput {
  readonly name: string
  readonly weight: number
  readonly fixedPitch: boolean
  readonly families: readonly string[]
}

const ALWAYS_READY = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => at + 32)) + '’–‹›…'
const REMEMBERED_WORDS = 8192
const LONGEST_REMEMBERED_WORD = 40
const NARROW = /^[\0-\u2dff]*$/

export async function loadTypeface({ families, weight, name, fixedPitch }: TypefaceInput): Promise<Typeface> {
  const files = new Map<string, Promise<FontFile>>()
  const wide = wideLetters(weight)
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

  async function lettersFor(texts: Iterable<string>): Promise<Letters> {
    const narrow = new Map(ready)
    const others: Record<Han, Set<number>> = { chinese: new Set(), japanese: new Set() }
    for (const [codePoint, han] of charactersOf(texts)) {
      const file = narrow.get(codePoint) ?? (await find(codePoint))
      if (file === undefined) others[han].add(codePoint)
      else narrow.set(codePoint, file)
    }
    const wideForms = await wide.read(others)
    return { typeface, shape: (text, whole = text) => shape(text, narrow, wideForms[hanOf(whole)]) }
  }

  function shape(
    text: string,
    narrow: ReadonlyMap<number, FontFile>,
    wideForms: WideLetters,
  ): readonly ShapedGlyph[] {
    const known = words.get(text)
    if (known !== undefined) return known
    const shaped = runsOf(text, narrow).flatMap(({ file, run }) =>
      file === undefined
        ? [...run].map((character) => alone(character, wideForms))
        : sayable(file.shape(run), run),
    )
    // Only what looks the same in every document is remembered.
    if (text.length > LONGEST_REMEMBERED_WORD || !NARROW.test(text)) return shaped
    if (words.size >= REMEMBERED_WORDS) words.clear()
    words.set(text, shaped)
    return shaped
  }

  function alone(character: string, wideForms: WideLetters): ShapedGlyph {
    const found = wideForms.get(character.codePointAt(0) ?? 0)
    const glyph = found ?? missing
    const placed = { glyph, advance: glyph.advance, dx: 0, dy: 0 }
    return found === undefined ? { ...placed, said: character, isMissing: true } : placed
  }

  const main = await find(0x20)
  if (main === undefined) throw new Error(`${name} has no space`)
  const { ascent, descent, capHeight, missing } = main
  const basic = [...ALWAYS_READY].filter((letter) => main.has(letter.codePointAt(0) ?? 0)).map(main.letter)
  const ready = new Map<number, FontFile>()
  for (const [codePoint] of charactersOf([ALWAYS_READY])) {
    const file = await find(codePoint)
    if (file !== undefined) ready.set(codePoint, file)
  }
  const typeface: Typeface = { name, fixedPitch, ascent, descent, capHeight, missing, basic, lettersFor }
  return typeface
}

/** Each character once for each way of writing Han. */
function* charactersOf(texts: Iterable<string>): Generator<readonly [codePoint: number, han: Han]> {
  const seen: Record<Han, Set<string>> = { chinese: new Set(), japanese: new Set() }
  for (const text of texts) {
    const han = hanOf(text)
    for (const character of text) {
      if (seen[han].has(character)) continue
      seen[han].add(character)
      yield [character.codePointAt(0) ?? 0, han]
    }
  }
}

/** Glyphs that do not stand for the letters one by one are said as a whole. */
function sayable(glyphs: readonly PlacedGlyph[], run: string): readonly ShapedGlyph[] {
  if (glyphs.map(({ glyph }) => glyph.text).join('') === run) return glyphs
  return glyphs.map((glyph, index) => ({ ...glyph, said: index === 0 ? run : '' }))
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
    // A mark stays with the letter that it stands on.
    const file = last?.file?.has(codePoint) ? last.file : files.get(codePoint)
    if (last !== undefined && last.file === file) last.run += character
    else runs.push({ file, run: character })
  }
  return runs
}

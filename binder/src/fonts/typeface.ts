import { splitEmoji } from '../text/emoji-sequences.ts'
import type { FontFamilies } from './font-family.ts'
import { COMPLEX, loadFontFile } from './font-file.ts'
import type { FontFile } from './font-file.ts'
import type { Glyph, PlacedGlyph } from './glyph-outline.ts'
import { hanOf, cjkGlyphs } from './cjk-glyphs.ts'
import type { Han, CjkGlyphs } from './cjk-glyphs.ts'
import type { Direction } from './shape-run.ts'
import { mirrored } from '../text/bidi.ts'

/** A typeface of one weight. Loaded glyphs are cached across documents. */
export interface Typeface {
  readonly name: string
  readonly fixedPitch: boolean
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
  /** The glyph for unknown codes. */
  readonly missing: Glyph
  /** The glyphs of the binder's own text. Embedded in every document, so that most documents share the same fonts. */
  readonly basic: readonly Glyph[]
  /** Loads the glyphs for these texts. The result does not depend on what was loaded before. */
  loadGlyphs(texts: Iterable<string>): Promise<GlyphSet>
}

export interface GlyphSet {
  readonly typeface: Typeface
  /**
   * @param whole the whole text that `text` is part of; it decides between Chinese and Japanese forms
   * @returns glyphs in reading order; from right to left, the first is the rightmost
   */
  shape(text: string, whole?: string, direction?: Direction): readonly ShapedGlyph[]
}

export interface ShapedGlyph extends PlacedGlyph {
  /** The character, if no family has a glyph for it. */
  readonly missingCharacter?: string
}

interface TypefaceInput {
  readonly name: string
  readonly weight: number
  readonly fixedPitch: boolean
  readonly families: readonly string[]
}

/** The glyphs of one document that are not the same in every document. */
interface Loaded {
  readonly files: ReadonlyMap<number, FontFile>
  readonly sequences: ReadonlyMap<string, FontFile>
  readonly boxes: ReadonlyMap<number, Glyph>
}

const BASIC_CHARACTERS = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => at + 32)) + '·’–‹›…'
const EMOJI_FAMILY = 'noto-emoji'
const MAX_CACHED_WORDS = 8192
const MAX_CACHED_WORD_LENGTH = 40
const BASIC_TEXT = /^[ -~·’–‹›…]*$/
const NARROW = /^[\0-\u2dff]*$/
/** A font has at most 65,535 glyphs. Further unknown characters share an empty box. */
const MAX_BOXES = 2000

export async function loadTypeface(
  { families, weight, name, fixedPitch }: TypefaceInput,
  familyOf: FontFamilies,
): Promise<Typeface> {
  const files = new Map<string, Promise<FontFile>>()
  const wide = cjkGlyphs(weight, familyOf)
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
      const resource = (await familyOf(family)).fileOf(codePoint)
      if (resource === undefined) continue
      const file = await load(resource)
      if (file.has(codePoint)) return file
    }
    return undefined
  }

  /** The file that draws a sequence as one glyph. */
  async function findSequence(sequence: string): Promise<FontFile | undefined> {
    for (const resource of (await familyOf(EMOJI_FAMILY)).filesOf(sequence)) {
      const file = await load(resource)
      if (file.shape(sequence).length === 1) return file
    }
    return undefined
  }

  async function loadCharacter(
    character: string,
    narrow: Map<number, FontFile>,
    others: Set<number>,
  ): Promise<void> {
    const codePoint = character.codePointAt(0) ?? 0
    const file = narrow.get(codePoint) ?? (await find(codePoint))
    if (file === undefined) others.add(codePoint)
    else narrow.set(codePoint, file)
  }

  async function loadGlyphs(texts: Iterable<string>): Promise<GlyphSet> {
    const others = hasAllBasic ? [...texts].filter((text) => !BASIC_TEXT.test(text)) : texts
    return Array.isArray(others) && others.length === 0 ? basicSet : loadOthers(others)
  }

  async function loadOthers(texts: Iterable<string>): Promise<GlyphSet> {
    const narrow = new Map(ready)
    const sequences = new Map<string, FontFile>()
    const others: Record<Han, Set<number>> = { chinese: new Set(), japanese: new Set() }
    for (const [part, han] of partsOf(texts)) {
      const codePoint = part.codePointAt(0) ?? 0
      const isSequence = part.length > String.fromCodePoint(codePoint).length
      const sequence = isSequence ? await findSequence(part) : undefined
      if (sequence !== undefined) sequences.set(part, sequence)
      else for (const character of part) await loadCharacter(character, narrow, others[han])
    }
    const cjkForms = await wide.read(others)
    const boxes = new Map<number, Glyph>()
    for (const codePoint of new Set([...others.chinese, ...others.japanese])) {
      const isMissing = !cjkForms.chinese.has(codePoint) && !cjkForms.japanese.has(codePoint)
      if (isMissing && boxes.size < MAX_BOXES) boxes.set(codePoint, main.box(String.fromCodePoint(codePoint)))
    }
    const loaded = { files: narrow, sequences, boxes }
    return {
      typeface,
      shape: (text, whole = text, direction = 'ltr') =>
        shape(text, direction, loaded, cjkForms[hanOf(whole)]),
    }
  }

  function shape(
    text: string,
    direction: Direction,
    loaded: Loaded,
    cjkForms: CjkGlyphs,
  ): readonly ShapedGlyph[] {
    const key = direction === 'ltr' ? text : `\u202b${text}`
    const known = words.get(key)
    if (known !== undefined) return known
    if (hasAllBasic && direction === 'ltr' && BASIC_TEXT.test(text)) {
      const simple = main.shape(text)
      return isRepeated(text) ? keepWord(key, simple) : simple
    }
    const shaped = runsOf(text, loaded).flatMap(({ file, run }) =>
      file === undefined
        ? [...run].map((character) => alone(character, loaded.boxes, cjkForms))
        : shapeInFile(file, run, direction),
    )
    // Only text that looks the same in every document is cached.
    const isCacheable =
      NARROW.test(text) && shaped.every(({ missingCharacter }) => missingCharacter === undefined)
    if (text.length > MAX_CACHED_WORD_LENGTH || !isCacheable) return shaped
    return keepWord(key, shaped)
  }

  function keepWord(key: string, shaped: readonly ShapedGlyph[]): readonly ShapedGlyph[] {
    if (words.size >= MAX_CACHED_WORDS) words.clear()
    words.set(key, shaped)
    return shaped
  }

  function alone(character: string, boxes: ReadonlyMap<number, Glyph>, cjkForms: CjkGlyphs): ShapedGlyph {
    const codePoint = character.codePointAt(0) ?? 0
    const found = cjkForms.get(codePoint)
    const glyph = found ?? boxes.get(codePoint) ?? missing
    const placed = { glyph, advance: glyph.advance, dx: 0, dy: 0 }
    return found === undefined ? { ...placed, missingCharacter: character } : placed
  }

  const found = await find(0x20)
  if (found === undefined) throw new Error(`${name} has no space`)
  const main = found
  const { ascent, descent, capHeight, missing } = main
  const basic = [...BASIC_CHARACTERS]
    .filter((letter) => main.has(letter.codePointAt(0) ?? 0))
    .map((letter) => main.letter(letter))
  const ready = new Map<number, FontFile>()
  for (const character of BASIC_CHARACTERS) {
    const codePoint = character.codePointAt(0) ?? 0
    const file = await find(codePoint)
    if (file !== undefined) ready.set(codePoint, file)
  }
  /** Whether one file has every basic character, so that basic text needs no other. */
  const hasAllBasic = [...BASIC_CHARACTERS].every((letter) => ready.get(letter.codePointAt(0) ?? 0) === main)
  const typeface: Typeface = { name, fixedPitch, ascent, descent, capHeight, missing, basic, loadGlyphs }
  const basicSet = await loadOthers([])
  return typeface
}

/** Each character and each emoji sequence, once per Han variant. */
function* partsOf(texts: Iterable<string>): Generator<readonly [part: string, han: Han]> {
  const visited: Record<Han, Set<string>> = { chinese: new Set(), japanese: new Set() }
  for (const text of texts) {
    const han = hanOf(text)
    for (const part of splitEmoji(text)) {
      if (visited[han].has(part)) continue
      visited[han].add(part)
      yield [part, han]
    }
  }
}

function shapeInFile(file: FontFile, run: string, direction: Direction): readonly ShapedGlyph[] {
  if (direction === 'ltr') return file.shape(run)
  if (COMPLEX.test(run)) return file.shape(run, 'rtl').toReversed()
  // Brackets and the like point the other way.
  return [...run].map((character) => {
    const glyph = file.letter(mirrored(character), character)
    return { glyph, advance: glyph.advance, dx: 0, dy: 0 }
  })
}

interface Run {
  readonly file: FontFile | undefined
  run: string
}

/** The font draws every pair of them that is no flag as the same unknown flag. */
const FLAG_LETTER = /^\p{Regional_Indicator}$/u
const STAYS_WITH_LETTER = /[\p{M}\u200c\u200d]/u

function runsOf(text: string, { files, sequences }: Loaded): readonly Run[] {
  const runs: Run[] = []
  const add = (part: string, file: FontFile | undefined): void => {
    const last = runs.at(-1)
    if (last !== undefined && last.file === file && !FLAG_LETTER.test(part)) last.run += part
    else runs.push({ file, run: part })
  }
  for (const part of splitEmoji(text)) {
    const sequence = sequences.get(part)
    if (sequence !== undefined) add(part, sequence)
    else for (const character of part) add(character, fileOf(character, runs.at(-1), files))
  }
  return runs
}

function fileOf(
  character: string,
  last: Run | undefined,
  files: ReadonlyMap<number, FontFile>,
): FontFile | undefined {
  const codePoint = character.codePointAt(0) ?? 0
  // A combining mark stays in the run of its base letter, and Latin text in one file.
  const stays = last?.file?.has(codePoint) && (STAYS_WITH_LETTER.test(character) || !COMPLEX.test(last.run))
  return stays ? last?.file : files.get(codePoint)
}

const MAX_LENGTH = 80
const NUMBER_LENGTH = 8
const IDENTIFIER = /[\d_]/

/** Whether other documents may contain the text: a label, a word or a small number, not an identifier, a time or a hash. */
const isRepeated = (text: string): boolean =>
  text.length <= NUMBER_LENGTH || (text.length <= MAX_LENGTH && !IDENTIFIER.test(text))

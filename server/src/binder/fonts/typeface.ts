import { fontFamily } from './font-family.ts'
import type { FontFamily } from './font-family.ts'
import { loadFontFile } from './font-file.ts'
import type { FontFile, Glyph, PlacedGlyph } from './font-file.ts'

/** Letters of one weight over all files and families that are needed. */
export interface Typeface {
  readonly name: string
  readonly fixedPitch: boolean
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
  /** Drawn for characters that no family has. */
  readonly missing: Glyph
  /** Loads what the texts need; only then can they be shaped. */
  prepare(texts: Iterable<string>): Promise<void>
  /** @param whole the text that this is a part of: it decides which forms shared characters take */
  shape(text: string, whole?: string): readonly ShapedGlyph[]
}

export interface ShapedGlyph extends PlacedGlyph {
  /** The character itself, where no family has a letter form for it. */
  readonly missingText?: string
}

interface TypefaceInput {
  readonly name: string
  readonly weight: number
  readonly fixedPitch: boolean
  readonly families: readonly string[]
}

type Han = 'chinese' | 'japanese'

// Chinese and Japanese write many shared characters differently. Kana say that a name is Japanese.
const KANA = /[\u3041-\u30ff\uff66-\uff9f]/
const HAN_FAMILIES: Readonly<Record<Han, readonly string[]>> = {
  chinese: ['noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr'],
  japanese: ['noto-sans-jp', 'noto-sans-sc', 'noto-sans-kr'],
}
/** What the binder itself is written with. */
const ALWAYS_READY = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => at + 32)) + '’–‹›'
const REMEMBERED_WORDS = 8192
const LONGEST_REMEMBERED_WORD = 40

/** Shared by all typefaces: an index of a family is the same for each weight. */
const familyIndexes = new Map<string, Promise<FontFamily>>()

export async function loadTypeface(input: TypefaceInput): Promise<Typeface> {
  const files = new Map<string, Promise<FontFile>>()
  const loaded: Record<Han, Map<number, FontFile | undefined>> = { chinese: new Map(), japanese: new Map() }
  const words = new Map<string, readonly ShapedGlyph[]>()

  const load = (resource: string): Promise<FontFile> =>
    remember(files, resource, () => loadFontFile(resource, input.weight))

  async function find(codePoint: number, han: Han): Promise<FontFile | undefined> {
    const families = codePoint < 0x2e80 ? input.families : [...input.families, ...HAN_FAMILIES[han]]
    for (const name of families) {
      const family = await remember(familyIndexes, name, () => fontFamily(name))
      const resource = family.fileOf(codePoint)
      const file = resource === undefined ? undefined : await load(resource)
      if (file?.has(codePoint)) return file
    }
    return undefined
  }

  const main = await find(0x20, 'chinese')
  if (main === undefined) throw new Error(`${input.name} has no space`)
  const { ascent, descent, capHeight, missing } = main
  const missingGlyph = (character: string): ShapedGlyph => ({
    glyph: missing,
    advance: missing.advance,
    dx: 0,
    dy: 0,
    missingText: character,
  })

  async function prepare(texts: Iterable<string>): Promise<void> {
    const wanted: Record<Han, Set<number>> = { chinese: new Set(), japanese: new Set() }
    for (const text of texts) {
      const han = hanOf(text)
      for (const character of text) wanted[han].add(character.codePointAt(0) ?? 0)
    }
    for (const han of ['chinese', 'japanese'] as const) {
      for (const codePoint of wanted[han]) {
        if (loaded[han].has(codePoint)) continue
        const file = await find(codePoint, han)
        if (file !== undefined) loaded[han].set(codePoint, file)
      }
    }
  }

  function shape(text: string, whole = text): readonly ShapedGlyph[] {
    const han = hanOf(whole)
    const key = han === 'chinese' ? text : `${han}\0${text}`
    const known = words.get(key)
    if (known !== undefined) return known
    const shaped = runsOf(text, loaded[han]).flatMap(({ file, run }) =>
      file === undefined ? [...run].map(missingGlyph) : file.shape(run),
    )
    if (words.size >= REMEMBERED_WORDS) words.clear()
    if (text.length <= LONGEST_REMEMBERED_WORD) words.set(key, shaped)
    return shaped
  }

  await prepare([ALWAYS_READY])
  return { ...input, ascent, descent, capHeight, missing, prepare, shape }
}

interface Run {
  readonly file: FontFile | undefined
  readonly run: string
}

function runsOf(text: string, files: ReadonlyMap<number, FontFile | undefined>): readonly Run[] {
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

const hanOf = (text: string): Han => (KANA.test(text) ? 'japanese' : 'chinese')

function remember<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  made.catch(() => map.delete(key))
  return made
}

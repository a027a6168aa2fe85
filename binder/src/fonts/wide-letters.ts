import { familyIndex } from './font-family.ts'
import { loadFontFile } from './font-file.ts'
import type { FontFile, Glyph } from './font-file.ts'

/** Chinese and Japanese write many shared characters differently. */
export type Han = 'chinese' | 'japanese'

export type WideLetters = ReadonlyMap<number, Glyph>

const FAMILIES: Readonly<Record<Han, readonly string[]>> = {
  chinese: ['noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr'],
  japanese: ['noto-sans-jp', 'noto-sans-sc', 'noto-sans-kr'],
}
const KANA = /[\u3041-\u30ff\uff66-\uff9f]/
const REMEMBERED_LETTERS = 6000

/** Kana say that a name is Japanese. */
export const hanOf = (text: string): Han => (KANA.test(text) ? 'japanese' : 'chinese')

/**
 * Chinese, Japanese and Korean characters, and signs that their fonts have. They lie in hundreds of files: a file is
 * opened for the letters that are wanted and let go of, because all of them together would fill the memory.
 */
export function wideLetters(weight: number): {
  read(wanted: Readonly<Record<Han, ReadonlySet<number>>>): Promise<Readonly<Record<Han, WideLetters>>>
} {
  const remembered = new Map<string, Glyph>()

  async function read(
    wanted: Readonly<Record<Han, ReadonlySet<number>>>,
  ): Promise<Readonly<Record<Han, WideLetters>>> {
    // A form that both ways of writing share must be one object in a document.
    const forms = new Map<string, Glyph>()
    const chinese = await readForms(wanted.chinese, 'chinese', forms)
    const japanese = await readForms(wanted.japanese, 'japanese', forms)
    if (remembered.size > REMEMBERED_LETTERS) remembered.clear()
    return { chinese, japanese }
  }

  async function readForms(
    wanted: ReadonlySet<number>,
    han: Han,
    forms: Map<string, Glyph>,
  ): Promise<WideLetters> {
    const letters = new Map<number, Glyph>()
    let open = [...wanted]
    for (const family of open.length === 0 ? [] : FAMILIES[han]) {
      const index = await familyIndex(family)
      const byFile = Map.groupBy(open, (codePoint) => index.fileOf(codePoint))
      open = []
      for (const [resource, codePoints] of byFile) {
        const found = resource === undefined ? [] : await readFile(resource, codePoints, forms)
        for (const [at, codePoint] of codePoints.entries()) {
          const glyph = found[at]
          if (glyph === undefined) open.push(codePoint)
          else letters.set(codePoint, glyph)
        }
      }
    }
    return letters
  }

  async function readFile(
    resource: string,
    codePoints: readonly number[],
    forms: Map<string, Glyph>,
  ): Promise<readonly (Glyph | undefined)[]> {
    let file: FontFile | undefined
    const glyphs: (Glyph | undefined)[] = []
    for (const codePoint of codePoints) {
      const key = `${resource} ${codePoint}`
      let glyph = forms.get(key) ?? remembered.get(key)
      if (glyph === undefined) {
        file ??= await loadFontFile(resource, weight, false)
        glyph = file.has(codePoint) ? file.letter(String.fromCodePoint(codePoint)) : undefined
      }
      if (glyph !== undefined) {
        forms.set(key, glyph)
        remembered.set(key, glyph)
      }
      glyphs.push(glyph)
    }
    return glyphs
  }

  return { read }
}

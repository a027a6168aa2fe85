import type { FontFamilies } from './font-family.ts'
import { loadFontFile } from './font-file.ts'
import type { FontFile } from './font-file.ts'
import type { Glyph } from './glyph-outline.ts'

/** Many Han characters have different forms in Chinese and Japanese. */
export type Han = 'chinese' | 'japanese'

export type CjkGlyphs = ReadonlyMap<number, Glyph>

const FAMILIES: Readonly<Record<Han, readonly string[]>> = {
  chinese: ['noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr'],
  japanese: ['noto-sans-jp', 'noto-sans-sc', 'noto-sans-kr'],
}
const KANA = /[\u3041-\u30ff\uff66-\uff9f]/
const MAX_CACHED_GLYPHS = 6000

/** Text with kana is Japanese. */
export const hanOf = (text: string): Han => (KANA.test(text) ? 'japanese' : 'chinese')

/**
 * Loads Chinese, Japanese and Korean glyphs, and symbols from their fonts. These are split into hundreds of files; each is
 * opened for the needed glyphs and released, because all of them would not fit into memory.
 */
export function cjkGlyphs(
  weight: number,
  familyOf: FontFamilies,
): {
  read(wanted: Readonly<Record<Han, ReadonlySet<number>>>): Promise<Readonly<Record<Han, CjkGlyphs>>>
} {
  const cache = new Map<string, Glyph>()

  async function read(
    wanted: Readonly<Record<Han, ReadonlySet<number>>>,
  ): Promise<Readonly<Record<Han, CjkGlyphs>>> {
    // A form that both languages share must be one object per document.
    const forms = new Map<string, Glyph>()
    const chinese = await readForms(wanted.chinese, 'chinese', forms)
    const japanese = await readForms(wanted.japanese, 'japanese', forms)
    if (cache.size > MAX_CACHED_GLYPHS) cache.clear()
    return { chinese, japanese }
  }

  async function readForms(
    wanted: ReadonlySet<number>,
    han: Han,
    forms: Map<string, Glyph>,
  ): Promise<CjkGlyphs> {
    const glyphs = new Map<number, Glyph>()
    let open = [...wanted]
    for (const family of open.length === 0 ? [] : FAMILIES[han]) {
      const index = await familyOf(family)
      const byFile = Map.groupBy(open, (codePoint) => index.fileOf(codePoint))
      open = []
      for (const [resource, codePoints] of byFile) {
        const found = resource === undefined ? [] : await readFile(resource, codePoints, forms)
        for (const [at, codePoint] of codePoints.entries()) {
          const glyph = found[at]
          if (glyph === undefined) open.push(codePoint)
          else glyphs.set(codePoint, glyph)
        }
      }
    }
    return glyphs
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
      let glyph = forms.get(key) ?? cache.get(key)
      if (glyph === undefined) {
        file ??= await loadFontFile(resource, weight, false)
        glyph = file.has(codePoint) ? file.letter(String.fromCodePoint(codePoint)) : undefined
      }
      if (glyph !== undefined) {
        forms.set(key, glyph)
        cache.set(key, glyph)
      }
      glyphs.push(glyph)
    }
    return glyphs
  }

  return { read }
}

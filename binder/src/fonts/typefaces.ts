import { fontFamilies } from './font-family.ts'
import { loadTypeface } from './typeface.ts'
import type { GlyphSet, Typeface } from './typeface.ts'

export interface Typefaces {
  readonly regular: Typeface
  readonly strong: Typeface
  readonly mono: Typeface
}

export type GlyphSets = Readonly<Record<keyof Typefaces, GlyphSet>>

/** Loads the glyphs that a document needs, for each typeface. */
export type LoadGlyphs = (texts: Readonly<Record<keyof Typefaces, Iterable<string>>>) => Promise<GlyphSets>

/** Fonts that are opened once, by the first document: that takes longer than creating a binder. */
export function fontLibrary(): LoadGlyphs {
  let loading: Promise<Typefaces> | undefined
  const typefaces = (): Promise<Typefaces> =>
    (loading ??= loadTypefaces().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
  return async (texts) => {
    const { regular, strong, mono } = await typefaces()
    return {
      regular: await regular.loadGlyphs(texts.regular),
      strong: await strong.loadGlyphs(texts.strong),
      mono: await mono.loadGlyphs(texts.mono),
    }
  }
}

/** Opened when a text needs them, after Noto Sans. Chinese, Japanese and Korean come last. */
const SCRIPTS = ['noto-sans-hebrew', 'noto-sans-arabic', 'noto-sans-thai', 'noto-emoji']

async function loadTypefaces(): Promise<Typefaces> {
  const families = fontFamilies()
  const sans = { families: ['noto-sans', ...SCRIPTS], fixedPitch: false }
  const [regular, strong, mono] = await Promise.all([
    loadTypeface({ ...sans, name: 'NotoSans-Regular', weight: 400 }, families),
    loadTypeface({ ...sans, name: 'NotoSans-SemiBold', weight: 600 }, families),
    loadTypeface(
      {
        name: 'NotoSansMono-Regular',
        weight: 400,
        fixedPitch: true,
        families: ['noto-sans-mono', 'noto-sans', ...SCRIPTS],
      },
      families,
    ),
  ])
  return { regular, strong, mono }
}

import { loadTypeface } from './typeface.ts'
import type { GlyphSet, Typeface } from './typeface.ts'

export interface Typefaces {
  readonly regular: Typeface
  readonly strong: Typeface
  readonly mono: Typeface
}

/** Loads the glyphs that a document needs, for each typeface. */
export async function loadGlyphs(
  texts: Readonly<Record<keyof Typefaces, Iterable<string>>>,
): Promise<Readonly<Record<keyof Typefaces, GlyphSet>>> {
  const { regular, strong, mono } = await typefaces()
  return {
    regular: await regular.loadGlyphs(texts.regular),
    strong: await strong.loadGlyphs(texts.strong),
    mono: await mono.loadGlyphs(texts.mono),
  }
}

let loading: Promise<Typefaces> | undefined

/** Loaded once per process: opening a font takes longer than creating a binder. */
function typefaces(): Promise<Typefaces> {
  loading ??= loadTypefaces().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** Opened when a text needs them, after Noto Sans. Chinese, Japanese and Korean come last. */
const SCRIPTS = ['noto-sans-hebrew', 'noto-sans-arabic', 'noto-sans-thai', 'noto-emoji']

async function loadTypefaces(): Promise<Typefaces> {
  const sans = { families: ['noto-sans', ...SCRIPTS], fixedPitch: false }
  const [regular, strong, mono] = await Promise.all([
    loadTypeface({ ...sans, name: 'NotoSans-Regular', weight: 400 }),
    loadTypeface({ ...sans, name: 'NotoSans-SemiBold', weight: 600 }),
    loadTypeface({
      name: 'NotoSansMono-Regular',
      weight: 400,
      fixedPitch: true,
      families: ['noto-sans-mono', 'noto-sans', ...SCRIPTS],
    }),
  ])
  return { regular, strong, mono }
}

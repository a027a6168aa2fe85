import { loadTypeface } from './typeface.ts'
import type { Letters, Typeface } from './typeface.ts'

export interface Typefaces {
  readonly regular: Typeface
  readonly strong: Typeface
  readonly mono: Typeface
}

/** The letters of a document: for each face, what the texts in it need. */
export async function lettersFor(
  texts: Readonly<Record<keyof Typefaces, Iterable<string>>>,
): Promise<Readonly<Record<keyof Typefaces, Letters>>> {
  const { regular, strong, mono } = await typefaces()
  return {
    regular: await regular.lettersFor(texts.regular),
    strong: await strong.lettersFor(texts.strong),
    mono: await mono.lettersFor(texts.mono),
  }
}

let loading: Promise<Typefaces> | undefined

/** Read once in a process: opening a font takes longer than making a binder. */
function typefaces(): Promise<Typefaces> {
  loading ??= loadTypefaces().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function loadTypefaces(): Promise<Typefaces> {
  const sans = { families: ['noto-sans'], fixedPitch: false }
  const [regular, strong, mono] = await Promise.all([
    loadTypeface({ ...sans, name: 'NotoSans-Regular', weight: 400 }),
    loadTypeface({ ...sans, name: 'NotoSans-SemiBold', weight: 600 }),
    loadTypeface({
      name: 'NotoSansMono-Regular',
      weight: 400,
      fixedPitch: true,
      families: ['noto-sans-mono', 'noto-sans'],
    }),
  ])
  return { regular, strong, mono }
}

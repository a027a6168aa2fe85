import loaders from 'virtual:page-texts'
import { language } from './core/language.ts'
import { setTexts } from './core/texts.ts'
import { loadVerifierWords } from './core/verifier-words.ts'

const PAGES: Readonly<Record<string, () => Promise<unknown>>> = {
  verify: () => import('./verify-entry.tsx'),
  console: () => import('./console-entry.tsx'),
  share: () => import('./share-entry.tsx'),
  request: () => import('./request-entry.tsx'),
}

/** Pages that show what was found in evidence. */
const FINDINGS: ReadonlySet<string> = new Set(['request', 'console'])

document.documentElement.lang = language
const page = document.documentElement.dataset['page'] ?? ''
void start()

async function start(): Promise<void> {
  const [texts] = await Promise.all([
    loaders[`${page}/${language}`]?.(),
    FINDINGS.has(page) && loadVerifierWords(),
  ])
  setTexts(texts?.default ?? {})
  await PAGES[page]?.()
}

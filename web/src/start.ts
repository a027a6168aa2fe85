import { language } from './texts/language.ts'
import { loadTexts } from './texts/index.ts'

const PAGES: Readonly<Record<string, () => Promise<unknown>>> = {
  home: () => import('./home-entry.tsx'),
  verify: () => import('./verify-entry.tsx'),
  log: () => import('./log-entry.tsx'),
  console: () => import('./console-entry.tsx'),
  share: () => import('./share-entry.tsx'),
  request: () => import('./request-entry.tsx'),
}

document.documentElement.lang = language
const page = PAGES[document.documentElement.dataset['page'] ?? '']
if (page !== undefined) void loadTexts().then(page)

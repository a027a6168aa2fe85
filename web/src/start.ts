import loaders from 'virtual:page-texts'
import type { ComponentType } from 'react'
import { language } from './core/language.ts'
import { setTexts } from './core/texts.ts'

/** Loads the texts of a page, and then the page, which needs them. */
export async function start(
  page: string,
  load: () => Promise<{ readonly default: ComponentType }>,
): Promise<void> {
  document.documentElement.lang = language
  const texts = await loaders[`${page}/${language}`]?.()
  setTexts(texts?.default ?? {})
  const [{ mount }, { default: Page }] = await Promise.all([import('./mount.tsx'), load()])
  mount(Page)
}

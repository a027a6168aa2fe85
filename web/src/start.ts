import loaders from 'virtual:page-texts'
import { language } from './core/language.ts'
import { setTexts } from './core/texts.ts'

/** Loads the texts of a page, and then the page, which needs them. */
export async function start(
  page: string,
  load: () => Promise<unknown>,
  ...more: readonly Promise<unknown>[]
): Promise<void> {
  document.documentElement.lang = language
  const [texts] = await Promise.all([loaders[`${page}/${language}`]?.(), ...more])
  setTexts(texts?.default ?? {})
  await load()
}

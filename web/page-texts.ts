import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

const ROOT = path.join(import.meta.dirname, '../texts')
const MODULE = 'virtual:page-texts'

/** What each page says: files of texts/, or groups of their messages. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  site: ['common', 'public/home', 'public/log', 'verifier/kit', 'verifier/verdicts'],
  verify: ['common', 'verifier', 'public/verify', 'public/receiptAlone', 'public/expectedKit'],
  share: [
    'common',
    'verifier',
    'public/receiptAlone',
    'public/expectedKit',
    'public/share',
    'public/room',
    'public/preview',
    'public/checklist',
    'public/verify',
    'public/outside',
    'public/request.statuses',
  ],
  request: [
    'common',
    'verifier',
    'public/receiptAlone',
    'public/expectedKit',
    'public/request',
    'public/upload',
    'public/preview',
    'public/verify',
    'public/outside',
    'findings',
  ],
  console: ['common', 'verifier', 'public', 'findings', 'console'],
}

type Messages = Readonly<Record<string, string>>

/** Errors, reasons and findings come with their English sentence, which English pages show. */
const CARRIED = /^(error|reason|detail|thing)\.|^finding\..*\.remedy$/

/** The messages of a page. What is not translated is in English. */
export function pageTexts(page: string, language: string): Messages {
  const messages = Object.entries({ ...messagesOf(page, 'en'), ...messagesOf(page, language) })
  return Object.fromEntries(messages.filter(([key]) => language !== 'en' || !CARRIED.test(key)))
}

const messagesOf = (page: string, language: string): Messages =>
  Object.fromEntries(
    (PAGES[page] ?? []).flatMap((part) => {
      const [file, group = ''] = part.split('/')
      const [found] = globSync(`${language}/${file}.json`, { cwd: ROOT })
      const all: Messages =
        found === undefined ? {} : JSON.parse(readFileSync(path.join(ROOT, found), 'utf8'))
      return Object.entries(all).filter(([key]) => group === '' || key.startsWith(`${group}.`))
    }),
  )

/** `virtual:page-texts` loads the texts of a page in a language, each a script of its own. */
export function texts(): Plugin {
  const languages = globSync('*/', { cwd: ROOT }).map((folder) => path.basename(folder))
  const names = Object.keys(PAGES)
    .filter((page) => page !== 'site')
    .flatMap((page) => languages.map((language) => `${page}/${language}`))
  return {
    name: 'page-texts',
    resolveId: (id) => (id.startsWith(MODULE) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${MODULE}`)) return undefined
      const [, page, language] = id.split('/')
      if (page === undefined || language === undefined)
        return `export default {${names.map((name) => `'${name}': () => import('${MODULE}/${name}')`).join()}}`
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(pageTexts(page, language)))})`
    },
  }
}

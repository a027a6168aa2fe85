import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { LANGUAGES } from '../kit/src/languages.ts'
import { parseMessage } from '../kit/src/texts/message.ts'
import {
  allLanguages,
  ARGUMENTS,
  argumentsOf,
  messageArguments,
  pagesOf,
} from '../texts/message-arguments.ts'
import { pageTexts } from '../web/page-texts.ts'

const root = path.dirname(import.meta.dirname)
const english = pagesOf('en')

/** Seen by people outside a workspace, who cannot be expected to read English. */
const OUTSIDE: ReadonlySet<string> = new Set([
  'common',
  'verifier',
  'page',
  'public',
  'findings',
  'mail',
  'binder',
])
const COMPLETE: ReadonlySet<string> = new Set(['de', 'fr', 'es', 'pt-BR', 'ja'])

const namesIn = (message: string): readonly string[] => [...argumentsOf(parseMessage(message)).keys()]

/** What is wrong with the translation of a page. */
function faults(page: string, translated: Readonly<Record<string, string>>): readonly string[] {
  const messages = english.get(page) ?? {}
  return Object.entries(translated).flatMap(([key, text]) => {
    const original = messages[key]
    if (original === undefined) return [`${key} is not in texts/en/${page}.json`]
    const known = namesIn(original)
    return namesIn(text)
      .filter((name) => !known.includes(name))
      .map((name) => `${key} has {${name}}, which the English message does not have`)
  })
}

test('every translation is of an English message, with its arguments', () => {
  for (const language of globSync('*/', { cwd: path.join(root, 'texts') }))
    for (const [page, messages] of pagesOf(language))
      assert.deepEqual(faults(page, messages), [], `texts/${language}/${page}.json`)
})

test('a message that is not ICU, has no English original or another argument is found', () => {
  assert.throws(() => parseMessage('{count, plural, one {# file}}'), /not an ICU message/)
  assert.throws(() => parseMessage('a {name'), /not an ICU message/)
  assert.deepEqual(faults('common', { 'frame.documentTitle': '{titel}', 'frame.nothing': 'x' }), [
    'frame.documentTitle has {titel}, which the English message does not have',
    'frame.nothing is not in texts/en/common.json',
  ])
})

test('no key is on two pages', () => {
  const keys = [...english.values()].flatMap((messages) => Object.keys(messages))
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  )
})

test('what people outside a workspace see is complete in every language', (context) => {
  for (const language of Object.keys(LANGUAGES)) {
    if (language === 'en') continue
    const translated = pagesOf(language)
    const coverage = [...english].map(([page, messages]) => {
      const missing = Object.keys(messages).filter((key) => translated.get(page)?.[key] === undefined)
      if (OUTSIDE.has(page) && COMPLETE.has(language))
        assert.deepEqual(missing, [], `texts/${language}/${page}.json`)
      const all = Object.keys(messages).length
      return `${page} ${Math.floor(((all - missing.length) / all) * 100)} %`
    })
    context.diagnostic(`${language}: ${coverage.join(', ')}`)
  }
})

test('the types of arguments are up to date: node texts/message-arguments.ts', () => {
  assert.equal(readFileSync(ARGUMENTS, 'utf8'), messageArguments())
  for (const [file, code] of allLanguages()) assert.equal(readFileSync(file, 'utf8'), code, file)
})

/** Keys in code: `'seal.title'`, `` `seal.${state}` ``. */
const KEY = /(['"`])([a-z]\w*(?:\.(?:\w|\$\{[^{}]*\})+)+)\1/g

/** Expressions for the keys in this code. */
const keysIn = (code: string): readonly RegExp[] => [
  ...[...code.matchAll(KEY)].map(([, , key = '']) =>
    expressionOf(key, /\bbelow\($/.test(code.slice(0, code.indexOf(key) - 1)) ? '(\\..+)?' : ''),
  ),
  ...namedIn(code),
  ...statusesIn(code),
]

const expressionOf = (key: string, more: string): RegExp =>
  new RegExp(`^${key.replaceAll('.', '\\.').replaceAll(/\$\{[^{}]*\}/g, '.*')}${more}$`)

/** Forms, lists, facts and dialogs name a group of messages, and in it what they show: `texts="keys"`, `name: 'label'`. */
function namedIn(code: string): readonly RegExp[] {
  const names = new Set(
    [/\bname: '(\w+)'/g, /^ +(\w+)[:,]/gm].flatMap((each) =>
      [...code.matchAll(each)].map(([, name = '']) => name),
    ),
  )
  const shown = [...[...names].map((name) => `${name}(Hint|Example)?`), 'title', 'text', 'action']
  return [...code.matchAll(/\btexts(?:=|: )(['"`])([^'"`]+)\1/g)].map(([, , group = '']) =>
    expressionOf(group, `\\.(${shown.join('|')})`),
  )
}

/** A status shows the message of the group that has its name. */
const statusesIn = (code: string): readonly RegExp[] =>
  [...code.matchAll(/<Status\b[^>]*\btexts="([^"]+)"/g)].map(([, group = '']) =>
    expressionOf(group, '\\.\\w+'),
  )

const sourceOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')

test('no message is unused', () => {
  const used = globSync('{web/src,kit/src,kit/embed,examiner/src,binder/src,server/src}/**/*.{ts,tsx,html}', {
    cwd: root,
  })
    .filter((file) => !/\.(test|generated)\.ts$|verifier\.html$/.test(file))
    .flatMap((file) => keysIn(sourceOf(file)))
  const unused = [...english.values()]
    .flatMap((messages) => Object.keys(messages))
    .filter((key) => !used.some((expression) => expression.test(key)))
  assert.deepEqual(unused, [])
})

/** Keys in the code of these folders that are on none of these pages. */
const unknownTo = (pages: readonly string[], folders: string): readonly string[] => {
  const known = pages.map((page) => english.get(page) ?? {})
  return globSync(`${folders}/**/*.ts`, { cwd: root })
    .filter((file) => !/\.(test|generated)\.ts$/.test(file))
    .flatMap((file) => sourceOf(file).match(/(?<=')(?:detail|thing|reason|finding)\.[\w.]+(?=')/g) ?? [])
    .filter((key) => known.every((messages) => messages[key] === undefined))
}

test('those who read findings and reasons know every key of them', () => {
  assert.deepEqual(unknownTo(['findings', 'verifier'], '{examiner/{src,node},server/src}'), [])
  assert.deepEqual(unknownTo(['verifier'], 'kit/{src,node,embed}'), [])
  const messages = [...english.values()].flatMap((page) => Object.values(page))
  assert.deepEqual(
    messages.filter((text) => /^[a-z]+\.[\w.]+$/.test(text)),
    [],
  )
})

/** A script and what it loads, without what is not in web/src. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, other = ''] of sourceOf(file).matchAll(/(?:from |import\(?|URL\()'(\.[^']+\.tsx?)'/g)) {
    const next = path.join(path.dirname(file), other)
    if (next.startsWith('web/src/')) loadedBy(next, seen)
  }
  return seen
}

test('a page loads every message that it may show', () => {
  const all = [...english.values()].flatMap((messages) => Object.keys(messages))
  for (const page of ['verify', 'share', 'request', 'console']) {
    const loaded = pageTexts(page, 'de')
    const shown = [...loadedBy(`web/src/start-${page}.ts`)].flatMap((file) => keysIn(sourceOf(file)))
    const missing = all.filter((key) => loaded[key] === undefined && shown.some((one) => one.test(key)))
    assert.deepEqual(missing, [], page)
  }
  const site = pageTexts('site', 'de')
  const shown = ['page-routes', 'static-page'].flatMap((file) =>
    keysIn(sourceOf(`server/src/site/${file}.ts`)),
  )
  const missing = all.filter((key) => site[key] === undefined && shown.some((one) => one.test(key)))
  assert.deepEqual(missing, [], 'site')
})

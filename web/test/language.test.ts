// Own process: it replaces the location and the storage of the page.
import assert from 'node:assert/strict'
import { test } from 'node:test'

/** The language of a page with this address, stored choices and browser. */
async function languageOf(
  search: string,
  { tab, lasting, browser = ['fr-CH', 'de'], isBlocked = false }: Readonly<Partial<Reader>> = {},
): Promise<string> {
  const globals = {
    document: {},
    location: { search },
    navigator: { languages: browser },
    sessionStorage: isBlocked ? undefined : storage(tab),
    localStorage: isBlocked ? undefined : storage(lasting),
  }
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, {
      configurable: true,
      ...(value === undefined ? { get: blocked } : { value }),
    })
  // Each query string is a module of its own.
  const { language } = (await import(`../src/core/language.ts?${Math.random()}`)) as { language: string }
  return language
}

const storage = (value: string | undefined) => ({ getItem: () => value ?? null, setItem: () => undefined })

const blocked = (): never => {
  throw new Error('blocked')
}

interface Reader {
  readonly tab: string
  readonly lasting: string
  readonly browser: readonly string[]
  readonly isBlocked: boolean
}

test('a link decides, then the link before it, then the choice of the reader, then the browser', async () => {
  assert.equal(await languageOf('?lang=ja', { tab: 'es', lasting: 'de' }), 'ja')
  assert.equal(await languageOf('', { tab: 'es', lasting: 'de' }), 'es')
  assert.equal(await languageOf('', { lasting: 'de' }), 'de')
  assert.equal(await languageOf(''), 'fr')
})

test('languages are found whatever their region, and others are English', async () => {
  assert.equal(await languageOf('', { browser: ['sv', 'pt', 'de'] }), 'pt-BR')
  assert.equal(await languageOf('', { browser: ['de-AT'] }), 'de')
  assert.equal(await languageOf('', { browser: ['sv'] }), 'en')
})

test('a name that is no language counts as none, wherever it is from', async () => {
  for (const name of ['xx', 'DE', '__proto__', 'toString', ''])
    assert.equal(await languageOf(`?lang=${name}`, { tab: name, lasting: name }), 'fr', name)
})

test('a browser that stores nothing shows the language of the link or its own', async () => {
  assert.equal(await languageOf('?lang=ja', { isBlocked: true }), 'ja')
  assert.equal(await languageOf('', { isBlocked: true }), 'fr')
})

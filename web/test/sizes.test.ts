import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { builtPages } from './built-pages.ts'

const dist = path.join(import.meta.dirname, '../dist')

const source = (file: string): string => readFileSync(path.join(dist, file), 'utf8')

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

before(() => builtPages())

const MODULES: Readonly<Record<string, string>> = {
  console: 'src/console/app.tsx',
  request: 'src/outside/request/request-page.tsx',
  share: 'src/outside/share/share-page.tsx',
  verify: 'src/verify/verify-page.tsx',
}

/** The scripts that a page loads at first, and its texts in one language. */
function firstLoad(page: string, language = 'en'): ReadonlySet<string> {
  const built = page === 'console' ? 'console' : 'public'
  const manifest = JSON.parse(source(`.vite/${built}.json`)) as Record<string, Chunk>
  const reached = new Set<string>()
  const visit = (name: string): void => {
    const chunk = manifest[name]
    if (chunk === undefined || reached.has(chunk.file)) return
    reached.add(chunk.file)
    for (const one of chunk.imports ?? []) visit(one)
  }
  const loaded = ['src/mount.tsx', MODULES[page], `../virtual:page-texts/${page}/${language}`]
  for (const name of [`${page}.html`, ...loaded]) {
    assert.ok(name !== undefined && manifest[name] !== undefined, `${name} was not built`)
    visit(name)
  }
  return reached
}

/** The compressed size of these scripts. */
function firstLoadBytes(page: string, ...more: readonly RegExp[]): number {
  const files = readdirSync(path.join(dist, 'assets')).filter((file) => more.some((one) => one.test(file)))
  return [...firstLoad(page), ...files.map((file) => `assets/${file}`)].reduce(
    (sum, file) => sum + gzipSync(readFileSync(path.join(dist, file))).length,
    0,
  )
}

const KB = 1000

test('a public page loads at most 110 KB of compressed script with its texts', () => {
  for (const page of ['verify', 'share', 'request']) {
    const bytes = firstLoadBytes(page)
    assert.ok(bytes <= 110 * KB, `${page}: ${bytes} bytes`)
  }
})

test('/verify loads under 250 KB of compressed script, including its worker', () => {
  const bytes = firstLoadBytes('verify', /^verify-worker-.*\.js$/)
  assert.ok(bytes < 250 * KB, `${bytes} bytes`)
})

test('the console loads under 400 KB of compressed script', () => {
  const bytes = firstLoadBytes('console')
  assert.ok(bytes < 400 * KB, `${bytes} bytes`)
})

const saying = (text: string): readonly string[] =>
  [...firstLoad('request')].filter((file) => source(file).includes(text))

test('a page loads its own texts, in one language', () => {
  assert.match(saying('You do not need an account').join(), /^assets\/en-[\w-]+\.js$/)
  assert.deepEqual(saying('API keys'), [])
})

test('no page has inline scripts or styles', () => {
  for (const page of ['verify.html', 'console.html', 'share.html', 'request.html']) {
    const html = readFileSync(path.join(dist, page), 'utf8')
    assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/, page)
  }
})

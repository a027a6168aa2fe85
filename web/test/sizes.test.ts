import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { builtPages } from './built-pages.ts'

const dist = path.join(import.meta.dirname, '../dist')

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

before(() => builtPages())

/** The compressed size of all scripts that a page loads at first. */
function firstLoadBytes(page: string, ...more: readonly RegExp[]): number {
  const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  const reached = new Set<string>()
  const visit = (name: string): void => {
    const chunk = manifest[name]
    if (chunk === undefined || reached.has(chunk.file)) return
    reached.add(chunk.file)
    for (const one of chunk.imports ?? []) visit(one)
  }
  visit(page)
  for (const file of readdirSync(path.join(dist, 'assets')))
    if (more.some((pattern) => pattern.test(file))) reached.add(`assets/${file}`)
  assert.ok(reached.size > 1, `${page} was not built`)
  return [...reached].reduce((sum, file) => sum + gzipSync(readFileSync(path.join(dist, file))).length, 0)
}

const KB = 1000

test('/verify loads under 250 KB of compressed script, including its worker', () => {
  const bytes = firstLoadBytes('verify.html', /^verify-worker-.*\.js$/)
  assert.ok(bytes < 250 * KB, `${bytes} bytes`)
})

test('the console loads under 400 KB of compressed script', () => {
  const bytes = firstLoadBytes('console.html')
  assert.ok(bytes < 400 * KB, `${bytes} bytes`)
})

test('the home page loads less than the verifier', () => {
  assert.ok(firstLoadBytes('index.html') < firstLoadBytes('verify.html'))
})

test('no page has inline scripts or styles', () => {
  for (const page of [
    'index.html',
    'verify.html',
    'log.html',
    'console.html',
    'share.html',
    'request.html',
  ]) {
    const html = readFileSync(path.join(dist, page), 'utf8')
    assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/, page)
  }
})

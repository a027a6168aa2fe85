import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startPage, verifierPage } from '../node/internal.ts'
import { BOUNDARY } from '../src/internal.ts'
import { keySetOf, testSigner } from '../test/make-kit.ts'
import { BUILT_PAGE, buildVerifierPage } from './build.ts'

const committed = readFileSync(BUILT_PAGE, 'utf8')

test('the committed page is up to date', async () => {
  const { html } = await buildVerifierPage()
  assert.ok(html === committed, 'run: node kit/embed/build.ts')
})

test('the page contains no signing code', async () => {
  const { sources, html } = await buildVerifierPage()
  const makers = sources.filter((path) =>
    /src\/(seal|bag|verification-guide)\.ts|zip-layout|\/node\//.test(path),
  )
  assert.deepEqual(makers, [])
  assert.doesNotMatch(html, /\.sign\(|generateKey|createPrivateKey/)
})

test('the page is one small file that references no other', () => {
  // 7 kB of it read and check log proofs, 5 kB read a policy and say what the log adds, 23 kB read time-stamps and certificates,
  // 2 kB say whose key it is, 5 kB where the evidence came from, 41 kB are five more languages.
  assert.ok(Buffer.byteLength(committed) < 186_000, `${Buffer.byteLength(committed)} bytes`)
  assert.doesNotMatch(committed, /\ssrc=|<link|@import|url\(|import\(/)
})

test('the page contains no control characters', () => {
  assert.doesNotMatch(committed.replaceAll(/[\n\t]/g, ''), /\p{Cc}/u)
})

test('the Content-Security-Policy allows only the inline script and style, and workers', () => {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(committed)?.[1] ?? ''
  const directives = new Map(
    policy.split('; ').map((one) => [one.split(' ', 1)[0], one.replace(/^\S+ /, '')]),
  )
  assert.deepEqual(Object.fromEntries(directives), {
    'default-src': "'none'",
    'script-src': `'sha256-${hashBetween('<script>', '</script>')}'`,
    'style-src': `'sha256-${hashBetween('<style>', '</style>')}'`,
    'worker-src': 'blob:',
    'connect-src': "'none'",
    'img-src': "'none'",
    'form-action': "'none'",
    'base-uri': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'kitseal',
  })
})

test('the boundary is in the page without scripts', () => {
  assert.ok(committed.slice(0, committed.indexOf('<script>')).includes(BOUNDARY))
})

test('the page in a kit names its issuer as escaped text', () => {
  const page = Buffer.from(startPage('https://a.example/"<b>$&')).toString()
  assert.ok(page.includes('names <b>https://a.example/&quot;&lt;b>$&amp;</b> as its issuer'))
  assert.match(page, /<span id="named" data-text/)
  assert.match(committed, /<span id="named" hidden data-text="named">[^<]*<b>ISSUER<\/b>/)
})

test('presets are added to the page as escaped text', () => {
  assert.equal(Buffer.from(verifierPage()).toString(), committed)
  const jwks = keySetOf(testSigner())
  const preset = Buffer.from(verifierPage({ from: '"><script>', jwks })).toString()
  assert.ok(preset.includes('data-from="&quot;>&lt;script>"'))
  assert.equal(preset.split('<script>').length, 2)
})

function hashBetween(open: string, close: string): string {
  const start = committed.indexOf(open) + open.length
  return createHash('sha256')
    .update(committed.slice(start, committed.indexOf(close, start)))
    .digest('base64')
}

// Only in test:all: every outsider page in three languages; language.test.ts has the mechanism
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { startPage } from '../../kit/node/index.ts'
import { type TestService, testService } from '../../server/test/test-service.ts'
import { clientOf, form } from '../../server/test/workspace-client.ts'
import { builtPages } from './built-pages.ts'
import { choose } from './on-page.ts'
import { originOf, signedIn, type Visitor, visitor } from './visitor.ts'

const dist = path.join(import.meta.dirname, '../dist')

describe('languages in Chromium', { skip: noBrowser }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-languages-'))
  let browser: Browser
  let service: TestService
  let outsider: Visitor
  let links: Readonly<Record<'share' | 'room' | 'request', string>>
  let zip: string

  before(async () => {
    await builtPages()
    const site = path.join(folder, 'dist')
    cpSync(dist, site, { recursive: true })
    pseudo(site)
    service = await testService({}, undefined, { pages: site })
    browser = await launchBrowser()
    outsider = await visitor(browser, { viewport: { width: 390, height: 844 }, locale: 'en-US' })
    const key = service.service.firstApiKey ?? ''
    const { json } = await service.call('/v1/credits', { headers: { 'x-api-key': key } })
    const owner = clientOf(service, String(json['workspace_id']), key)
    const id = await owner.submission({ label: 'Access review', series: 'Reviews' })
    await owner.upload(id, form({ 'users.csv': 'name,role\nann,admin\n' }))
    const kitId = String((await owner.ended(id))['kit_id'])
    const expires_at = new Date(Date.now() + 864e5).toISOString()
    const made = await Promise.all([
      owner.post('/v1/shares', { kit_id: kitId, expires_at }),
      owner.post('/v1/rooms', { title: 'Audit', series: 'Reviews', expires_at }),
      owner.post('/v1/requests', { title: 'Vendor review', items: [{ id: 'A', title: 'Users' }] }),
    ])
    const [share = '', room = '', request = ''] = made.map(
      (answer) => /\/[rs]\/[\w-]+(?=")/.exec(JSON.stringify(answer.json))?.[0] ?? '',
    )
    links = { share, room, request }
    zip = path.join(folder, 'kit.zip')
    const kit = await fetch(`${service.base}/v1/kits/${kitId}/download`, { headers: { 'x-api-key': key } })
    writeFileSync(zip, Buffer.from(await kit.arrayBuffer()))
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  const open = async (page: Page, where: string, language: string): Promise<void> => {
    await page.goto(`${originOf(service)}${where}${where.includes('?') ? '&' : '?'}lang=${language}`)
    await page.locator('main h1').first().waitFor()
    // The console is never idle: it listens for events.
    await page.locator('[class*=Loader]').first().waitFor({ state: 'detached' })
  }
  const outside = (): readonly string[] => ['/', '/verify', '/log', links.share, links.room, links.request]

  test('a link chooses the language, the tab keeps it, and the menu changes it for good', async () => {
    const { page, requests } = await visitor(browser, { locale: 'fr-CH' })
    const language = (): Promise<string> => page.evaluate(() => document.documentElement.lang)
    await page.goto(`${originOf(service)}/verify`)
    await page.locator('main h1').waitFor()
    assert.equal(await language(), 'fr')
    assert.deepEqual(
      ['en', 'de', 'fr', 'es', 'pt-BR', 'ja'].filter((code) =>
        requests.some((url) => url.endsWith(chunkOf(code))),
      ),
      ['fr'],
    )
    await open(page, links.request, 'de')
    assert.equal(await language(), 'de')
    await page.goto(`${originOf(service)}/verify`)
    assert.equal(await language(), 'de')
    await page.locator('.language select').selectOption('es')
    await page.locator('html[lang=es] main h1').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${originOf(service)}/verify`)
    await other.locator('html[lang=es] main h1').waitFor()
  })

  test('every text of the outsider pages fits on a phone in German and Japanese', async () => {
    const { page } = outsider
    for (const language of ['de', 'ja'])
      for (const where of outside()) {
        await open(page, where, language)
        assert.deepEqual(await page.evaluate(misfits), [], `${language} ${where}`)
      }
    assert.deepEqual(outsider.problems, [])
  })

  test('a kit is verified in Japanese, and the saved report is in English', async () => {
    const { page } = outsider
    await open(page, '/verify', 'ja')
    await page.locator('.keys-used').waitFor()
    await choose(page, zip)
    await page.locator('#verdict[data-status=PASS]').waitFor()
    const shown = await page.locator('.result').innerText()
    assert.match(shown, /検証済み/)
    assert.doesNotMatch(shown, /Verified|The receipt|Checks|not run/)
    const download = page.waitForEvent('download')
    await page.locator('#save').click()
    const report = readFileSync(await (await download).path(), 'utf8')
    assert.match(report, /The manifest matches the receipt/)
  })

  test('START-HERE.html is in the language of the browser, offers the others, and loads nothing', async () => {
    const file = path.join(folder, 'START-HERE.html')
    writeFileSync(file, startPage('https://issuer.example'))
    const { page, requests, problems } = await visitor(browser, { locale: 'de-AT' })
    await page.goto(`file://${file}`)
    await page.locator('html[lang=de]').waitFor()
    assert.match(await page.locator('#named').innerText(), /https:\/\/issuer\.example/)
    await page.locator('#choose-zip').setInputFiles(zip)
    await page.locator('#verdict').waitFor()
    const german = await page.locator('.verdict-heading').innerText()
    await page.locator('#language').selectOption('ja')
    await page.locator('html[lang=ja]').waitFor()
    assert.notEqual(await page.locator('.verdict-heading').innerText(), german)
    await page.locator('#language').selectOption('en')
    await page.locator('html[lang=en]').waitFor()
    assert.equal(
      await page.locator('.verdict-heading').innerText(),
      'Files intact. Sender not confirmed yet.',
    )
    assert.deepEqual([requests.filter((url) => /^https?:/.test(url)), problems], [[], []])
  })

  test('no page has a text of its own: in the pseudo-language, everything but data is marked', async () => {
    const member = await signedIn(browser, service, { role: 'owner' })
    const found: string[] = []
    const look = async (page: Page, where: string): Promise<void> => {
      await open(page, where, 'es')
      found.push(...(await page.evaluate(unmarked, DATA.source)).map((text) => `${where}: ${text}`))
    }
    for (const where of outside()) await look(outsider.page, where)
    for (const where of CONSOLE) await look(member.page, `/console${where}`)
    assert.deepEqual(found, [])
  })
})

const CONSOLE = ['', '/submissions', '/requests', '/programs', '/shares', '/members', '/keys', '/settings']

/** What people or machines wrote: names, IDs, hashes, addresses, dates, sizes, and marks of the product. */
const DATA = new RegExp(
  `^(${[
    'kitseal|PASS|FAIL|SHA256SUMS|default,?|first|service|submit, read, requests, shares, admin',
    'Access review|Reviews|Audit|Vendor review|Users|A|Acme,?|Ann Meier|dentro de [0-9]+ horas',
    'English|Deutsch|Français|Español|Português .Brasil.|日本語',
    String.raw`[\d-]+ [\d:]+ UTC|\(?[\d.,]+ (bytes|[KMG]B)\)?|127\.0\.0\.1\S*|/log\S*|https?:\S+|(kit|ws)_\w+`,
    String.raw`[\w.+-]+@[\w.-]+( ·)?|[\w.-]+(\.[\w-]+|/)`,
  ].join('|')})$`,
)

/** The script of a language. */
function chunkOf(language: string): string {
  const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    { readonly file: string }
  >
  return path.basename(manifest[`src/texts/${language}/index.ts`]?.file ?? '')
}

/** Replaces Spanish by English with every text in brackets, so that a text that is not in the tables is seen. */
function pseudo(site: string): void {
  const assets = path.join(site, 'assets')
  for (const packed of ['.br', '.gz']) rmSync(path.join(assets, `${chunkOf('es')}${packed}`), { force: true })
  writeFileSync(
    path.join(assets, chunkOf('es')),
    `import * as english from './${chunkOf('en')}'
const marked = (value) =>
  typeof value === 'string' ? (value === '' ? value : '⟦' + value + '⟧')
  : typeof value === 'function' ? (...given) => marked(value(...given))
  : Array.isArray(value) ? value.map(marked)
  : value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, marked(one)]))
  : value
export const es = marked(english.en), kit = marked(english.kit), view = marked(english.view), service = marked(english.service)
`,
  )
}

/** Runs in the page: visible texts outside brackets. */
function unmarked(data: string): string[] {
  const isData = new RegExp(data, 'u')
  const found: string[] = []
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('time, code, option, noscript, script, .number, [lang]:not(html)') !== null) continue
    const own = [...element.childNodes]
      .filter((node) => node.nodeType === 3)
      .map((node) => node.textContent ?? '')
    const attributes = ['aria-label', 'title', 'placeholder', 'alt'].map(
      (name) => element.getAttribute(name) ?? '',
    )
    for (const text of [...own, ...attributes]) {
      // A sentence around a time has its brackets in two texts.
      const rest = text
        .replace(/⟦[^]*$/, '')
        .replace(/^[^]*⟧/, '')
        .trim()
      if (/\p{L}{2}/u.test(rest) && !isData.test(rest)) found.push(rest)
    }
  }
  return [...new Set(found)]
}

/** Runs in the page: what is wider than its place, or cut off. */
function misfits(): string[] {
  return [document.documentElement, ...document.querySelectorAll('.card, button, .badge, nav a, th, label')]
    .filter(
      (one) =>
        one.clientWidth > 0 &&
        one.scrollWidth > one.clientWidth + 1 &&
        getComputedStyle(one).display !== 'inline',
    )
    .map((one) => `${one.tagName} ${one.className}: ${(one.textContent ?? '').slice(0, 60)}`)
}

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser, openPage } from '../../../kit/embed/test/browser.ts'
import { checkZip } from '../../../kit/embed/test/on-page.ts'
import { LANGUAGES } from '@kitseal/kit/internal'
import { makeKit } from '../../../kit/test/make-kit.ts'
import { builtPages } from '../../../web/test/built-pages.ts'
import { testService } from '../../kit/service.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'

const PAGE = pathToFileURL(join(import.meta.dirname, '../../../kit/embed/verifier.html')).href

const WIDTHS = [390, 1200]

describe('labels in Chromium', { skip: noBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-labels-'))
  const zip = join(folder, 'kit.zip')
  let browser: Browser
  before(async () => {
    writeFileSync(zip, (await makeKit({ 'users.csv': 'a,b\n' })).zip)
    browser = await launchBrowser()
  })
  after(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  test('no label of START-HERE.html runs into the text beside it or breaks inside a word, in any language', async () => {
    await using opened = await openPage(browser, PAGE)
    const { page } = opened
    for (const language of Object.keys(LANGUAGES)) {
      await page.goto(PAGE)
      await page.locator('#language').selectOption(language)
      await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' })
      await checkZip(page, zip)
      await assertLabels(page, language)
    }
  })

  test('nor does one of the pages of the service, where the names of files stay readable', async () => {
    await builtPages()
    await using service = await testService()
    const owner = await workspaceClient(service)
    const id = await owner.submission()
    await owner.upload(id, form({ 'Access review of the third quarter, by system.csv': 'a,b\n' }))
    const kit = String((await owner.ended(id))['kit_id'])
    const expires_at = new Date(Date.now() + 86_400_000).toISOString()
    const share = String((await owner.post('/v1/shares', { kit_id: kit, expires_at })).json['url'])
    const room = await owner.post('/v1/rooms', {
      title: 'Audit',
      kits: [kit],
      recipients: ['ann@acme.example'],
      expires_at,
    })
    assert.equal(room.status, 201, JSON.stringify(room.json))
    const { recipients } = room.json as unknown as { recipients: readonly [{ url: string }] }
    for (const locale of Object.keys(LANGUAGES)) {
      const context = await browser.newContext({ locale })
      const page = await context.newPage()
      await page.goto(`${service.base}/verify`)
      await page.locator('[data-pick=files]').setInputFiles(zip)
      await page.locator('.checks li').first().waitFor()
      await assertLabels(page, locale)
      for (const url of [share, recipients[0].url]) {
        await page.goto(url)
        if (url !== share) await page.locator('.card button[aria-expanded=false]').first().click()
        await page.locator('.file-list li').first().waitFor()
        await assertLabels(page, locale)
      }
      await context.close()
    }
  })
})

async function assertLabels(page: Page, language: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    assert.deepEqual(await page.evaluate(badLabels), [], `${language}, ${page.url()} at ${width} px`)
  }
  assert.ok((await page.locator('.facts dt').count()) > 3)
}

/** Runs in the page: labels that are wider than their place, or have a word on two lines. */
function badLabels(): string[] {
  const bad: string[] = []
  for (const label of document.querySelectorAll(
    'dt, .word, .what, label, summary, .file-list li > :nth-child(2)',
  )) {
    const text = label.textContent?.trim() ?? ''
    const own = label.getBoundingClientRect()
    if (own.width === 0 || text === '') continue
    const isFileName = label.matches('.file-list li > :nth-child(2)')
    if (isFileName && own.width < 120) bad.push(`too narrow: ${text}`)
    const beside = label.nextElementSibling?.getBoundingClientRect()
    const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      // IDs may break anywhere.
      for (const { 0: word, index } of (node.textContent ?? '')
        .replaceAll(/\b[a-z]+_[\w-]{20,}/g, (id) => ' '.repeat(id.length))
        .matchAll(/[\p{Script=Latin}\p{M}]+/gu)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const places = [...range.getClientRects()]
        if (!isFileName && new Set(places.map(({ top }) => Math.round(top))).size > 1)
          bad.push(`broken: ${word}`)
        const isOver = (place: DOMRect): boolean =>
          beside !== undefined &&
          place.right > beside.left + 1 &&
          place.left < beside.right &&
          place.bottom > beside.top + 1 &&
          place.top < beside.bottom - 1
        if (places.some(isOver)) bad.push(`runs into the text beside it: ${text}`)
      }
  }
  return bad
}

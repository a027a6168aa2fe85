import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../test/kit/workspace.ts'
import { builtPages } from './built-pages.ts'
import { noBarriers } from './barriers.ts'
import { visitor } from './visitor.ts'

const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  locale: 'de-DE',
} as const
const file = (name: string, content: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
})

interface Requested {
  readonly link: { readonly url: string }
  readonly evidence_request_id: string
}

describe('what people without an account see, in Chromium', { skip: noBrowser }, () => {
  let browser: Browser
  let service: TestService
  let acme: WorkspaceClient

  before(async () => {
    await builtPages()
    service = await testService()
    acme = await workspaceClient(service)
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  const request = async (items: readonly string[] = ['List']): Promise<Requested> => {
    const asked = items.map((title, index) => ({ id: `i${index}`, title }))
    return (await acme.post('/v1/requests', { title: 'Access review', items: asked }))
      .json as unknown as Requested
  }

  test('a supplier who is offline is told so, and the page is there when they are back', async () => {
    const { link } = await request()
    await using anyone = await visitor(browser)
    const { page } = anyone
    let isOffline = true
    await page.route('**/request', (route) => (isOffline ? route.abort() : route.fallback()))
    await page.goto(link.url)
    await page.getByText('Cannot reach the service. Check your connection and try again.').waitFor()
    isOffline = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Access review' }).waitFor()
  })

  test('a return shows within seconds on a page that stays open, and what is being typed stays', async () => {
    const { link, evidence_request_id: id } = await request(['List', 'Policy'])
    await using anyone = await visitor(browser)
    const { page } = anyone
    await page.goto(link.url)
    for (const item of ['List', 'Policy'])
      await page
        .getByRole('region', { name: item })
        .locator('input[type=file]')
        .setInputFiles(file(`${item}.txt`, item))
    await page.getByRole('button', { name: 'Remove Policy.txt' }).waitFor()
    await page.getByRole('button', { name: 'Submit', exact: true }).click()
    await page.getByText('Submitted. Thank you!').waitFor()
    await page.getByRole('button', { name: 'Comment on Policy' }).click()
    const typed = page.getByRole('textbox', { name: 'Comment on Policy' })
    await typed.fill('See page 3')
    const started = Date.now()
    await acme.post(`/v1/requests/${id}/items/i0`, { status: 'needs_changes', comment: 'It is empty' })
    await page.getByText('It is empty').waitFor()
    assert.ok(Date.now() - started < 15_000, `${Date.now() - started} ms`)
    assert.equal(await typed.inputValue(), 'See page 3')
    await page.keyboard.press('Control+Enter')
    const comment = page
      .getByRole('region', { name: 'Policy' })
      .locator('.remarks li', { hasText: 'See page 3' })
    await comment.waitFor()
    assert.match(await comment.innerText(), /Supplier/, 'nobody knows who of the supplier it was')
    assert.equal(await page.getByText('You', { exact: true }).count(), 0)
    await noBarriers(page)
  })

  test('what is being typed stays when its button goes, because a file came meanwhile', async () => {
    const { link } = await request()
    await using anyone = await visitor(browser)
    const { page } = anyone
    await page.goto(link.url)
    const item = page.getByRole('region', { name: 'List' })
    await item.getByRole('button', { name: 'Not applicable: List' }).click()
    const typed = page.getByRole('textbox', { name: 'Not applicable: List' })
    await typed.fill('We have no list')
    await item.locator('input[type=file]').setInputFiles(file('list.txt', 'a'))
    await page.getByRole('button', { name: 'Remove list.txt' }).waitFor()
    assert.equal(await typed.inputValue(), 'We have no list')
    await item.getByRole('button', { name: 'Cancel' }).click()
    await item.getByRole('button', { name: 'Comment on List' }).waitFor()
    assert.equal(await item.getByRole('button', { name: 'Not applicable: List' }).count(), 0)
  })

  test('on a German phone, everything is German and nothing is wider than the screen', async () => {
    const { link } = await request([
      'List',
      'A_very_long_name_of_an_item_that_has_no_place_to_break_at_all.txt',
    ])
    await using anyone = await visitor(browser, PHONE)
    const { page } = anyone
    await page.goto(link.url)
    await page
      .getByRole('region', { name: 'List' })
      .locator('input[type=file]')
      .setInputFiles(file('list.txt', 'a'))
    await page.getByRole('button', { name: 'list.txt entfernen' }).waitFor()
    const text = await page.locator('body').innerText()
    assert.doesNotMatch(text, /\b(bytes|files|Submit|Remove|Choose)\b/)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
  })

  test('on a phone, a large kit is downloaded only when the reader asks for it', async () => {
    const id = await acme.submission()
    await acme.upload(id, form({ 'noise.txt': randomBytes(2_000_000).toString('hex') }))
    const kit_id = String((await acme.ended(id))['kit_id'])
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const { json } = await acme.post('/v1/shares', { kit_id, expires_at })
    await using anyone = await visitor(browser, { ...PHONE, locale: 'en' })
    const { page } = anyone
    await page.goto(String(json['url']))
    await page.getByText('Not verified yet').waitFor()
    assert.ok(!anyone.requests.some((url) => url.includes('/view/kit.zip')))
    await page.getByRole('button', { name: /^Verify \d/ }).click()
    await page.locator('.notice.pass').waitFor()
  })

  test('a shared kit leads with what was asked for and what came of it, before its files', async () => {
    const { link, evidence_request_id: id } = await request(['List', 'Policy'])
    await using anyone = await visitor(browser)
    const { page } = anyone
    await page.goto(link.url)
    await page
      .getByRole('region', { name: 'List' })
      .locator('input[type=file]')
      .setInputFiles(file('list.txt', 'a'))
    await page.getByRole('button', { name: 'Remove list.txt' }).waitFor()
    await page.getByRole('button', { name: 'Submit', exact: true }).click()
    await page.getByRole('button', { name: 'Submit anyway' }).click()
    await page.getByText('Submitted. Thank you!').waitFor()
    const shown = (await acme.get(`/v1/requests/${id}`)).json as { readonly kit_id: string }
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const { json } = await acme.post('/v1/shares', { kit_id: shown.kit_id, expires_at })
    await page.goto(String(json['url']))
    await page.locator('.notice.pass').waitFor()
    const [first] = await page.locator('main > .card > .card-head h2').allInnerTexts()
    assert.equal(first, 'Checklist')
    const checklist = page.getByRole('region', { name: 'Checklist' })
    await checklist.getByText('1 not accepted, 1 missing').waitFor()
    assert.match(await checklist.locator('[data-item=not_accepted]').innerText(), /List[\s\S]+list\.txt/)
    assert.match(await checklist.locator('[data-item=missing]').innerText(), /Policy[\s\S]+Missing/)
    await noBarriers(page)
    await page.emulateMedia({ media: 'print' })
    for (const hidden of ['.button', '.file-actions', '.top-nav'])
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden)
    assert.equal(await checklist.getByText('list.txt').isVisible(), true)
  })
})

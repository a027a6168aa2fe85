import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { giveKeys } from '../../kit/embed/test/on-page.ts'
import { english } from '../../kit/src/texts/english.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { clientOf, form } from '../../test/kit/workspace.ts'
import { barriers } from './barriers.ts'
import { builtPages } from './built-pages.ts'
import { choose, headingOf } from './on-page.ts'
import { visitor } from './visitor.ts'

const BANK = 'https://bank.example'

interface Shared {
  readonly service: TestService
  readonly kitId: string
  readonly kid: string
  readonly zip: string
  /** The share of the whole kit, and of one file. */
  readonly links: readonly string[]
}

describe('whose key a page of a service names, in Chromium', { skip: noBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-whose-key-'))
  let browser: Browser
  let dishonest: Shared
  let honest: Shared

  before(async () => {
    await builtPages()
    browser = await launchBrowser()
    dishonest = await sharedKit('bank', { KITSEAL_ISSUER: BANK })
    honest = await sharedKit('own', {})
  })
  after(async () => {
    await browser?.close()
    for (const each of [dishonest, honest]) await each?.service[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  async function sharedKit(name: string, settings: Record<string, string>): Promise<Shared> {
    const service = await testService(settings)
    const key = service.service.firstApiKey ?? ''
    const { json } = await service.call('/v1/credits', { headers: { 'x-api-key': key } })
    const owner = clientOf(service, String(json['workspace_id']), key)
    const submission = await owner.submission()
    await owner.upload(submission, form({ 'balance.csv': 'account,balance\n1,1000000\n' }))
    const kitId = String((await owner.ended(submission))['kit_id'])
    const zip = join(folder, `${name}.zip`)
    writeFileSync(zip, (await owner.get(`/v1/kits/${kitId}/download`)).bytes)
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const links: string[] = []
    for (const more of [{}, { paths: ['balance.csv'] }]) {
      const { json: share } = await owner.post('/v1/shares', { kit_id: kitId, expires_at, ...more })
      links.push(service.base + new URL(String(share['url'])).pathname)
    }
    const { kid } = await service.service.signingKeys.activeSigner()
    return { service, kitId, kid, zip, links }
  }

  test('an unmodified service that calls itself a bank confirms no kit of the bank on its pages', async () => {
    const { service, kitId, zip, links } = dishonest
    await using anyone = await visitor(browser)
    const { page } = anyone
    for (const link of links) {
      await page.goto(link)
      await page
        .locator('.notice.warn', { hasText: english('verdicts.sender_unconfirmed.heading') })
        .waitFor()
      await page
        .getByRole('link', { name: `${BANK}/verify`, exact: true })
        .first()
        .waitFor()
      assert.equal(await page.locator('.notice.pass, .verdict.pass').count(), 0)
      assert.doesNotMatch(await page.locator('body').innerText(), /\bVerified\b|you trust|publishes/)
      assert.deepEqual(await barriers(page), [])
    }
    await page.goto(`${service.base}/verify/${kitId}`)
    await page.locator('.notice.warn', { hasText: 'Sender not confirmed yet' }).waitFor()
    await page.getByRole('link', { name: `${BANK}/verify`, exact: true }).waitFor()
    await page.goto(`${service.base}/verify`)
    await choose(page, zip)
    assert.equal(await headingOf(page), english('verdicts.sender_unconfirmed.heading'))
    await page.getByText(`This site is ${new URL(service.base).host}. The receipt names ${BANK}`).waitFor()
    await page.getByRole('link', { name: `${BANK}/verify`, exact: true }).waitFor()
    assert.doesNotMatch(await page.locator('body').innerText(), /\bVerified\b|you trust/)
    assert.deepEqual(await barriers(page), [])
  })

  test('keys that the reader gives count on any page, and are called so', async () => {
    await using anyone = await visitor(browser)
    await anyone.page.goto(`${dishonest.service.base}/verify`)
    await choose(anyone.page, dishonest.zip)
    await headingOf(anyone.page)
    const { heading } = await giveKeys(anyone.page, { kid: dishonest.kid })
    assert.equal(heading, english('verdicts.verified.heading'))
    await anyone.page.getByText('the receipt is signed with the key you gave.').waitFor()
  })

  test('a service whose issuer is its own origin confirms its kits, and names itself as the source', async () => {
    const { service, kitId, zip, links } = honest
    // The issuer is http://127.0.0.1:PORT, and the page is read on both loopback names.
    for (const origin of [service.base, service.base.replace('127.0.0.1', 'localhost')]) {
      const site = `the key that this site, ${new URL(origin).host}, publishes`
      await using anyone = await visitor(browser)
      const { page } = anyone
      const [whole = '', file = ''] = links.map((link) => link.replace(service.base, origin))
      await page.goto(whole)
      const verdict = page.locator('.notice.pass', { hasText: english('verdicts.verified.heading') })
      await verdict.filter({ hasText: `the receipt is signed with ${site}.` }).waitFor()
      await page.goto(file)
      await page.locator('.notice.pass', { hasText: 'Verified: 1 file' }).getByText(site).waitFor()
      await page.goto(`${origin}/verify/${kitId}`)
      await page.locator('.notice.pass', { hasText: site.replace('the key', 'a key') }).waitFor()
      await page.goto(`${origin}/verify`)
      await choose(page, zip)
      assert.equal(await headingOf(page), english('verdicts.verified.heading'))
      await page.locator('#verdict-sentence', { hasText: `signed with ${site}.` }).waitFor()
    }
  })
})

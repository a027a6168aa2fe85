import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { drop, enterKeys, giveKeys } from '../../kit/embed/test/on-page.ts'
import { english } from '../../kit/src/texts/english.ts'
import { ISSUER, keySetOf, makeKit, testSigner } from '../../kit/test/make-kit.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { builtPages } from './built-pages.ts'
import { barriers } from './barriers.ts'
import { type Visitor, visitor } from './visitor.ts'
import { BOUNDARY, choose, headingOf, keepSomeSections, misfits, verdictOf } from './on-page.ts'
import { needs } from '../../test/kit/needs.ts'

describe('the public pages in Chromium', { skip: noBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-pages-'))
  let browser: Browser
  let service: TestService
  let anyone: Visitor
  let page: Page
  let kitId: string
  let zip: string
  let receipt: string

  before(async () => {
    await builtPages()
    service = await testService()
    browser = await launchBrowser()
    anyone = await visitor(browser)
    page = anyone.page
    kitId = (await service.issue()).kitId
    zip = await fetched(`/v1/kits/${kitId}/download`, 'kit.zip')
    receipt = await fetched(`/v1/kits/${kitId}/receipt`, 'receipt.json')
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  async function fetched(path: string, name: string): Promise<string> {
    const answer = await fetch(service.base + path)
    writeFileSync(join(folder, name), Buffer.from(await answer.arrayBuffer()))
    return join(folder, name)
  }
  const open = async (path: string): Promise<void> => {
    await page.goto(service.base + path)
    await page.locator('details.no-print, main .card').first().waitFor()
  }
  const noBarriers = async (): Promise<void> => assert.deepEqual(await barriers(page), [])

  test('the home page explains the service and shows its signing keys', async () => {
    await open('/')
    const { keys } = (await (await fetch(`${service.base}/.well-known/jwks.json`)).json()) as {
      keys: readonly { kid: string }[]
    }
    await page.getByText('What “Verified” does not prove').waitFor()
    const row = page.locator('main table tbody tr')
    assert.match(await row.innerText(), new RegExp(`${keys[0]?.kid}[\\s\\S]+Active`))
    for (const link of ['/verify', '/log', '/console', '/docs', '/.well-known/jwks.json'])
      assert.ok((await page.locator(`a[href="${link}"]`).count()) > 0, link)
    await noBarriers()
  })

  test('a dropped kit.zip passes, and only the worker script is requested', async () => {
    await open('/verify')
    await noBarriers()
    const asked = anyone.requests.length
    await drop(page, zip)
    assert.equal(await verdictOf(page), 'PASS')
    assert.equal(await page.locator('.checks .pass').count(), 11)
    const during = anyone.requests.slice(asked).map((url) => new URL(url).pathname)
    assert.deepEqual(
      during.filter((path) => !/^\/assets\/verify-worker-[\w-]+\.js$/.test(path)),
      [],
    )
    await noBarriers()
  })

  test('the printed page shows the result and the boundary, but no controls', async () => {
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.locator('.verdict-heading').isVisible(), true)
    assert.equal(await page.getByText(BOUNDARY).isVisible(), true)
    for (const hidden of ['.result-actions', '.top-nav', 'details.no-print', '.copy'])
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden)
    await page.emulateMedia({ media: null })
  })

  test('an unpacked kit passes; with an added file it fails and names it', needs('unzip'), async () => {
    execFileSync('unzip', ['-q', zip, '-d', join(folder, 'unpacked')])
    await open('/verify')
    await page.locator('[data-pick=folder]').setInputFiles(join(folder, 'unpacked', kitId))
    assert.equal(await verdictOf(page), 'PASS')
    writeFileSync(join(folder, 'unpacked', kitId, 'data', 'added.txt'), 'I was not there')
    await page.getByRole('button', { name: 'Verify another' }).click()
    await page.locator('[data-pick=folder]').setInputFiles(join(folder, 'unpacked', kitId))
    assert.equal(await verdictOf(page), 'FAIL')
    assert.match(await page.locator('[data-check=nothing_was_added]').innerText(), /data\/added\.txt/)
    await noBarriers()
  })

  test('a receipt alone never passes', async () => {
    await open('/verify')
    await choose(page, receipt)
    assert.equal(await headingOf(page), 'Genuine receipt, files not checked')
    assert.match(await page.locator('[data-check=files_match_manifest]').innerText(), /not run/)
    await noBarriers()
    const forged = JSON.parse(
      await (await fetch(`${service.base}/v1/kits/${kitId}/receipt`)).text(),
    ) as object
    writeFileSync(join(folder, 'forged.json'), JSON.stringify({ ...forged, scope: 'something else' }))
    await page.getByRole('button', { name: 'Verify another' }).click()
    await choose(page, join(folder, 'forged.json'))
    assert.equal(await verdictOf(page), 'FAIL')
  })

  test('a kit that names this service and is not signed with its keys is told so', async () => {
    const forger = testSigner(66)
    const forged = await makeKit(
      { 'a.txt': 'a' },
      { issuer: service.base, signer: forger, jwks: keySetOf(forger) },
    )
    writeFileSync(join(folder, 'forged.zip'), forged.zip)
    await open('/verify')
    await choose(page, join(folder, 'forged.zip'))
    assert.equal(await headingOf(page), english('verdicts.signer_unknown.heading'))
    await page
      .getByText(
        `This kit names ${service.base}, and it is not signed with a key that ${service.base} publishes. Ask ${service.base} whether it issued it.`,
      )
      .waitFor()
    assert.equal(await page.locator('.key-form').count(), 0, 'no key of the reader can make it genuine')
    await noBarriers()
  })

  test('a kit of another issuer is not confirmed until the reader gives keys that are not from the kit', async () => {
    const other = await makeKit()
    writeFileSync(join(folder, 'other.zip'), other.zip)
    await open('/verify')
    await choose(page, join(folder, 'other.zip'))
    assert.equal(await headingOf(page), english('verdicts.sender_unconfirmed.heading'))
    await page.getByText(`This site is ${new URL(service.base).host}. The receipt names ${ISSUER}`).waitFor()
    await page.getByRole('link', { name: `${ISSUER}/verify`, exact: true }).waitFor()
    const link = page.locator('.key-form a')
    assert.equal(await link.getAttribute('href'), `${ISSUER}/.well-known/jwks.json`)
    await noBarriers()
    writeFileSync(join(folder, 'jwks.json'), other.contents.get('jwks.json')!)
    await enterKeys(page, { keySet: join(folder, 'jwks.json') })
    await page.locator('#check-again').click()
    await page.getByText('Tick the box if you got it from the issuer').waitFor()
    assert.equal(await headingOf(page), english('verdicts.sender_unconfirmed.heading'))
    assert.equal(
      (await giveKeys(page, { kid: testSigner(66).kid })).heading,
      english('verdicts.signer_unknown.heading'),
    )
    const shown = await giveKeys(page, { kid: testSigner().kid })
    assert.equal(shown.heading, english('verdicts.verified.heading'))
    await noBarriers()
  })

  test('the page of a kit shows its receipt and rejects any other kit', async () => {
    await open(`/verify/${kitId}`)
    await page
      .getByText(`The receipt is signed with a key that this site, ${new URL(service.base).host}, publishes.`)
      .waitFor()
    assert.match(await page.locator('.facts').first().innerText(), /first kit/)
    await page.getByText(english('kit.anonymous')).first().waitFor()
    await noBarriers()
    await choose(page, zip)
    assert.equal(await verdictOf(page), 'PASS')
    assert.match(await page.locator('[data-check=kit_is_the_expected_one]').innerText(), /pass/)
    const other = (await service.issue()).kitId
    await page.getByRole('button', { name: 'Verify another' }).click()
    await choose(page, await fetched(`/v1/kits/${other}/download`, 'second.zip'))
    assert.equal(await verdictOf(page), 'FAIL')
    await page.getByText(`this file is ${other}, but this page is for ${kitId}`).waitFor()
  })

  test('the page of a kit whose key was revoked says so everywhere, and nothing on it is green', async () => {
    await using revoking = await testService()
    const { kitId: revoked } = await revoking.issue()
    const file = join(folder, 'revoked.zip')
    const download = await fetch(`${revoking.base}/v1/kits/${revoked}/download`)
    writeFileSync(file, Buffer.from(await download.arrayBuffer()))
    const { jwks } = await revoking.service.signingKeys.published()
    await revoking.service.signingKeys.revoke(jwks.keys[0]!.kid)
    const heading = `Signing key revoked on ${new Date().toISOString().slice(0, 10)}`
    await using other = await visitor(browser)
    await other.page.goto(`${revoking.base}/verify/${revoked}`)
    await other.page.locator('.notice.fail', { hasText: heading }).waitFor()
    await choose(other.page, file)
    assert.equal(await headingOf(other.page), heading)
    assert.equal(await other.page.locator('.notice.pass, .verdict.pass').count(), 0)
    assert.equal(await other.page.locator('.key-form').count(), 0)
  })

  test('a visible message says if the browser blocks copying', async () => {
    await using other = await visitor(browser, { viewport: { width: 360, height: 700 } })
    await other.page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await other.page.goto(`${service.base}/verify/${kitId}`)
    await other.page.getByRole('button', { name: /^Copy/ }).first().click()
    const said = other.page.getByText('The browser blocked copying')
    const box = await said.boundingBox()
    assert.ok(box !== null && box.x >= 0 && box.width > 100 && box.x + box.width <= 360, JSON.stringify(box))
    assert.deepEqual(await barriers(other.page), [])
  })

  test('without a public receipt, a copy is still compared with the kit ID', async () => {
    await open('/verify/kit_0000000000000000000000')
    await page.getByText('No public receipt').waitFor()
    await noBarriers()
    await choose(page, zip)
    assert.equal(await verdictOf(page), 'FAIL')
  })

  test('a kit dropped while the keys load is verified afterwards', async () => {
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    await page.route('**/jwks.json', (route) => held.then(() => route.fallback()))
    await page.goto(`${service.base}/verify`)
    await page.getByText('Drop a kit.zip').waitFor()
    await drop(page, zip)
    go()
    assert.equal(await verdictOf(page), 'PASS')
    await page.unroute('**/jwks.json')
  })

  test('a new drop replaces the result', async () => {
    writeFileSync(join(folder, 'cut.zip'), readFileSync(zip).subarray(0, 4000))
    await open('/verify')
    await drop(page, zip)
    assert.equal(await verdictOf(page), 'PASS')
    await drop(page, join(folder, 'cut.zip'))
    await page.locator('.result[data-verdict=unreadable]').waitFor()
    await drop(page, receipt)
    await page.locator('.result[data-verdict=receipt_genuine]').waitFor()
  })

  test('a file that is not a kit is rejected with what to choose', async () => {
    writeFileSync(join(folder, 'photo.png'), 'not a kit')
    await open('/verify')
    await choose(page, join(folder, 'photo.png'))
    assert.match(await page.getByRole('alert').innerText(), /photo\.png is not a kit\. Choose one kit/)
  })

  test('the first tab stop skips the navigation', async () => {
    await open('/verify')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Choose a file…')
  })

  test('the theme follows the system', async () => {
    for (const path of ['/', '/verify']) {
      await open(path)
      for (const [colorScheme, card] of [
        ['dark', 'rgb(27, 33, 42)'],
        ['light', 'rgb(255, 255, 255)'],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        const shown = await page.locator('.top').evaluate((top) => getComputedStyle(top).backgroundColor)
        assert.equal(shown, card, `${path} ${colorScheme}`)
      }
    }
    await page.emulateMedia({ colorScheme: null })
  })

  test('the current page is highlighted in forced colours mode', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    await open('/verify')
    const backgrounds = await page
      .locator('.top-nav a')
      .evaluateAll((links) => links.map((link) => getComputedStyle(link).backgroundColor))
    assert.notEqual(backgrounds[0], backgrounds[1])
    await page.emulateMedia({ forcedColors: null })
  })

  test('the navigation links the pages', async () => {
    await using guest = await visitor(browser)
    const { page: there } = guest
    await there.goto(service.base)
    const navigation = there.getByRole('navigation')
    await navigation.getByRole('link', { name: 'Verify' }).click()
    await there.getByRole('heading', { name: 'Verify a kit' }).waitFor()
    await navigation.getByRole('link', { name: 'Console' }).click()
    await there.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await there.getByRole('link', { name: 'kitseal home page' }).click()
    await there.getByText('What “Verified” does not prove').waitFor()
  })

  test('/log shows the newest checkpoint and how to monitor the log, in the language that was chosen', async () => {
    await open('/log')
    const [origin = '', size = ''] = (await (await fetch(`${service.base}/log/checkpoint`)).text()).split(
      '\n',
    )
    assert.match(
      await page.locator('.facts').innerText(),
      new RegExp(`Entries\\s+${size}\\s[\\s\\S]*${origin}`),
    )
    await page.getByText(`kitseal monitor ${service.base}`).waitFor()
    await noBarriers()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.getByText('Neuester Checkpoint').or(page.getByText('Neuster Checkpoint')).waitFor()
    assert.equal(await page.locator('script').count(), 0)
  })

  test('a browser without Ed25519 is told so', async () => {
    await using other = await visitor(browser)
    await other.page.addInitScript(() => {
      SubtleCrypto.prototype.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'))
    })
    await other.page.goto(`${service.base}/verify`)
    await other.page.getByText('This browser does not support Ed25519 signatures').waitFor()
  })

  test('an unknown URL shows a not-found page', async () => {
    await page.goto(`${service.base}/no/such/page`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await noBarriers()
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await page.getByText('What “Verified” does not prove').waitFor()
  })

  test('no page overflows, breaks words or hides the boundary at any width', async () => {
    const found: string[] = []
    for (const path of ['/', '/log', '/verify', `/verify/${kitId}`]) {
      await open(path)
      for (const width of [1280, 768, 360]) {
        await page.setViewportSize({ width, height: 740 })
        found.push(...(await misfits(page)))
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    assert.deepEqual(found, [])
  })

  test('the description of the interface begins at once on a narrow screen, and its contents open by the keyboard', async () => {
    await page.goto(`${service.base}/docs/api/verification`)
    const contents = page.getByRole('navigation', { name: 'Contents' })
    const link = contents.getByRole('link', { name: 'Verify a receipt' })
    const textBegins = async (): Promise<number> =>
      (await page.getByRole('heading', { level: 1 }).boundingBox())?.y ?? NaN
    for (const width of [768, 360]) {
      await page.setViewportSize({ width, height: 740 })
      assert.ok((await textBegins()) < 200, `at ${width} pixels the text begins at ${await textBegins()}`)
      assert.equal(await link.count(), 0, 'closed, it is not read out either')
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
    }
    await page.locator('summary').focus()
    await page.keyboard.press('Enter')
    await link.focus()
    await page.keyboard.press('Enter')
    await page.locator('#verify-a-receipt:target').waitFor()
    await page.evaluate(keepSomeSections)
    await noBarriers()
    await page.setViewportSize({ width: 1280, height: 800 })
    assert.equal(await link.count(), 1)
    assert.equal(await page.getByText('Contents', { exact: true }).isVisible(), false)
  })

  test('the search of the documentation shows pages while someone types, and writes no markup', async () => {
    await page.goto(`${service.base}/docs`)
    const field = page.getByRole('searchbox')
    await field.fill('restore from backup')
    await page
      .getByRole('link', { name: /Back up, restore/ })
      .first()
      .waitFor()
    await field.fill('<img src=x onerror=alert(1)>')
    await page.getByRole('heading', { name: '“<img src=x onerror=alert(1)>”' }).waitFor()
    await field.fill('')
    await page.getByRole('heading', { name: 'Documentation' }).waitFor()
  })

  test('pages request nothing from other hosts and do not violate their Content-Security-Policy', () => {
    const others = anyone.requests.filter(
      (url) => /^(https?|wss?):/.test(url) && new URL(url).origin !== service.base,
    )
    assert.deepEqual(others, [])
    const unknown = /\/v1\/kits\/kit_0+\/receipt|\/no\/such\/page/
    assert.deepEqual(
      anyone.problems.filter((problem) => !unknown.test(problem)),
      [],
    )
  })
})

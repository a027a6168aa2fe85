import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { nodeHost } from '../node/index.ts'
import {
  BOUNDARY,
  NO_TRUST,
  type Trust,
  trustKeys,
  type VerificationReport,
  verifyKit,
  VERDICTS,
} from '../src/index.ts'
import { ISSUER, keySetOf, KIT_ID, type MadeKit, makeKit, openBytes, testSigner } from '../test/make-kit.ts'
import { BUILT_PAGE } from './build.ts'
import { launchBrowser, noBrowser, openPage } from './test/browser.ts'
import { chooseKeys, chooseZip, type Shown, verifyOnPage } from './test/on-page.ts'

const page = pathToFileURL(BUILT_PAGE).href
const issuer = testSigner()
const forger = testSigner(2)

describe('the verifier page, opened from disk in Chromium', { skip: noBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-page-'))
  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  let browser: Browser
  let kit: MadeKit
  let zip: string
  let jwks: string

  before(async () => {
    browser = await launchBrowser()
    kit = await makeKit({ 'hello.txt': 'hello\n', 'minutes/<b>März</b>.txt': 'so it was' })
    zip = file('kit.zip', kit.zip)
    jwks = file('issuer.json', JSON.stringify(kit.jwks, null, 2))
  })
  after(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  test('a kit passes with the issuer’s key set, and every check is shown', async () => {
    await using opened = await openPage(browser, page)
    await chooseZip(opened.page, zip)
    await chooseKeys(opened.page, jwks)
    const shown = await verifyOnPage(opened.page)
    assert.equal(shown.verdict, 'PASS')
    await assertShows(shown, kit.zip, trustKeys(kit.jwks))
    for (const fact of [KIT_ID, ISSUER, 'Quarter 3', '2026-03-04 05:06:07 UTC', issuer.kid, 'Signed receipt'])
      assert.ok(shown.text.includes(fact), fact)
    assert.deepEqual(opened.problems, [])
  })

  test('a kit passes with a pasted key ID', async () => {
    await using opened = await openPage(browser, page)
    await chooseZip(opened.page, zip)
    await opened.page.locator('#kid').fill(` ${issuer.kid}\n`)
    const shown = await verifyOnPage(opened.page)
    assert.equal(shown.verdict, 'PASS')
    await assertShows(shown, kit.zip, { ...NO_TRUST, kids: [issuer.kid] })
  })

  test('without a trusted key an intact kit fails, and the page shows the key ID and what to do', async () => {
    await using opened = await openPage(browser, page)
    await chooseZip(opened.page, zip)
    const shown = await verifyOnPage(opened.page)
    assert.equal(shown.verdict, 'FAIL')
    await assertShows(shown, kit.zip, NO_TRUST)
    assert.match(shown.errors.join('\n'), /^signer_not_trusted: /)
    assert.match(shown.text, /Provide a trusted key/)
    assert.match(shown.text, /from the issuer itself, not from this kit/)
    assert.match(shown.text, /Receipt \(not confirmed by a trusted signature\)/)
    assert.ok(shown.text.includes(issuer.kid))
  })

  test('“integrity only” never passes a kit and states that the sender is not confirmed', async () => {
    await using opened = await openPage(browser, page)
    await chooseZip(opened.page, zip)
    await opened.page.locator('#integrity-only').check()
    const shown = await verifyOnPage(opened.page)
    assert.equal(shown.verdict, 'FAIL')
    assert.equal(shown.heading, VERDICTS.sender_unconfirmed.heading)
    await assertShows(shown, kit.zip, { ...NO_TRUST, useKitKeys: true })
    assert.equal(await opened.page.locator('.verdict.pass').count(), 0)
    assert.match(shown.text, /NOT CHECKED: the key came with the kit/)
    assert.match(shown.text, /Receipt \(not confirmed by a trusted signature\)/)
  })

  test('bidirectional control characters are shown escaped', async () => {
    const turned = await makeKit({ 'a.txt': 'a' }, { scope: 'Q3 \u202erevoked' })
    await using opened = await openPage(browser, page)
    await chooseZip(opened.page, file('turned.zip', turned.zip))
    await opened.page.locator('#kid').fill(issuer.kid)
    const { verdict, text } = await verifyOnPage(opened.page)
    assert.equal(verdict, 'PASS')
    assert.ok(text.includes('Q3 \\u202erevoked'), text)
  })

  test('one changed byte of evidence fails and names the file', async () => {
    const changed = Buffer.from(kit.zip)
    changed.write('HELLO', changed.indexOf('hello\n'))
    await using opened = await openPage(browser, page)
    await chooseZip(opened.page, file('tampered.zip', changed))
    await chooseKeys(opened.page, jwks)
    const shown = await verifyOnPage(opened.page)
    assert.equal(shown.verdict, 'FAIL')
    await assertShows(shown, changed, trustKeys(kit.jwks))
    assert.ok(shown.errors.some((line) => line.startsWith('artifact_hash_mismatch: data/hello.txt')))
  })

  test('a kit that was changed and signed again with another key fails with the issuer’s keys', async () => {
    const own = await makeKit({ 'hello.txt': 'forged' }, { signer: forger, jwks: keySetOf(forger) })
    const lying = await makeKit(
      { 'hello.txt': 'forged' },
      { signer: { kid: issuer.kid, sign: (message) => forger.sign(message) } },
    )
    const cases = [
      { made: own, code: 'key_not_in_jwks' },
      { made: lying, code: 'signature_invalid' },
    ] as const
    for (const { made, code } of cases) {
      await using opened = await openPage(browser, page)
      await chooseZip(opened.page, file(`${code}.zip`, made.zip))
      await chooseKeys(opened.page, jwks)
      const shown = await verifyOnPage(opened.page)
      assert.equal(shown.verdict, 'FAIL')
      await assertShows(shown, made.zip, trustKeys(kit.jwks))
      assert.ok(
        shown.errors.some((line) => line.startsWith(code)),
        shown.errors.join('\n'),
      )
    }
  })

  test('the kit’s own copy of the key set does not confirm the sender', async () => {
    await using opened = await openPage(browser, page)
    await chooseZip(opened.page, zip)
    await chooseKeys(opened.page, file('jwks.json', kit.contents.get('jwks.json') ?? ''))
    const shown = await verifyOnPage(opened.page)
    assert.equal(shown.verdict, 'FAIL')
    assert.equal(shown.heading, VERDICTS.sender_unconfirmed.heading)
    assert.match(shown.text, /identical to the copy inside this kit/)
  })

  test('a result disappears when the kit or the keys change', async () => {
    await using opened = await openPage(browser, page)
    await chooseZip(opened.page, zip)
    await chooseKeys(opened.page, jwks)
    await verifyOnPage(opened.page)
    await opened.page.getByRole('button', { name: 'Remove issuer.json' }).click()
    assert.equal(await opened.page.locator('#result').isVisible(), false)
    assert.equal((await verifyOnPage(opened.page)).verdict, 'FAIL')
    await opened.page.locator('#kid').fill(forger.kid)
    assert.equal(await opened.page.locator('#result').isVisible(), false)
    const shown = await verifyOnPage(opened.page)
    assert.match(shown.errors.join('\n'), /^key_id_mismatch: /)
  })

  test('“Save as JSON” saves the verification report', async () => {
    await using opened = await openPage(browser, page)
    await chooseZip(opened.page, zip)
    await chooseKeys(opened.page, jwks)
    await verifyOnPage(opened.page)
    const [download] = await Promise.all([
      opened.page.waitForEvent('download'),
      opened.page.locator('#save').click(),
    ])
    assert.equal(download.suggestedFilename(), `${KIT_ID}.verification.json`)
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    const saved = JSON.parse(Buffer.concat(chunks).toString())
    assert.deepEqual(saved, await verifyInNode(kit.zip, trustKeys(kit.jwks)))
  })

  test('the printed page shows verdict, checks, facts and boundary, but no form', async () => {
    await using opened = await openPage(browser, page)
    await chooseZip(opened.page, zip)
    await verifyOnPage(opened.page)
    await opened.page.emulateMedia({ media: 'print' })
    const visible = async (selector: string): Promise<boolean> =>
      opened.page.locator(selector).first().isVisible()
    for (const selector of ['#verdict', '.checks', 'dl', '.errors', '#boundary'])
      assert.equal(await visible(selector), true, selector)
    for (const selector of ['form', '#print', 'details'])
      assert.equal(await visible(selector), false, selector)
  })
})

async function verifyInNode(zip: Uint8Array, trust: Trust): Promise<VerificationReport> {
  return verifyKit(await openBytes(zip), trust, nodeHost)
}

/** The words the command line uses. */
const WORDS = { pass: 'pass', fail: 'FAIL', not_run: 'not run' } as const

async function assertShows(shown: Shown, zip: Uint8Array, trust: Trust): Promise<void> {
  const report = await verifyInNode(zip, trust)
  assert.equal(shown.verdict, report.status)
  assert.equal(shown.heading, VERDICTS[report.verdict].heading)
  assert.deepEqual(
    shown.checks,
    report.checks.map(({ result, guarantee, why = '' }) => `${WORDS[result]} | ${guarantee}${why}`),
  )
  assert.deepEqual(shown.errors, report.errors)
  assert.equal(report.boundary, BOUNDARY)
}

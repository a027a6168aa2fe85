import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { nodeHost } from '../node/internal.ts'
import {
  BOUNDARY,
  NO_TRUST,
  type Trust,
  trustKeys,
  type VerificationReport,
  verifyKit,
  english,
  verdictHeading,
} from '../src/internal.ts'
import { ISSUER, keySetOf, KIT_ID, type MadeKit, makeKit, openBytes, testSigner } from '../test/make-kit.ts'
import { BUILT_PAGE } from './build.ts'
import { launchBrowser, noBrowser, openPage } from './test/browser.ts'
import { checkZip, checkZipWith, enterKeys, giveKeys, readResult, type Shown } from './test/on-page.ts'

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
    const shown = await checkZipWith(opened.page, zip, { keySet: jwks })
    assert.equal(shown.verdict, 'PASS')
    await assertShows(shown, kit.zip, trustKeys(kit.jwks))
    const signed = 'Signed by the issuer'
    for (const fact of [KIT_ID, ISSUER, 'Quarter 3', '2026-03-04 05:06:07 UTC', issuer.kid, signed])
      assert.ok(shown.text.includes(fact), fact)
    assert.deepEqual(opened.problems, [])
  })

  test('a kit passes with a pasted key ID', async () => {
    await using opened = await openPage(browser, page)
    const shown = await checkZipWith(opened.page, zip, { kid: ` ${issuer.kid}\n` })
    assert.equal(shown.verdict, 'PASS')
    await assertShows(shown, kit.zip, { ...NO_TRUST, kids: [issuer.kid] })
  })

  test('a kit without keys is intact, but its sender is not confirmed; the page says where to get the keys', async () => {
    await using opened = await openPage(browser, page)
    const shown = await checkZip(opened.page, zip)
    assert.equal(shown.verdict, 'FAIL')
    assert.equal(shown.heading, english('verdicts.sender_unconfirmed.heading'))
    await assertShows(shown, kit.zip, NO_TRUST)
    assert.match(shown.errors.join('\n'), /^signer_not_trusted: /)
    assert.match(shown.text, /What the kit says about itself, not proved/)
    assert.ok(shown.text.includes(issuer.kid))
    const link = opened.page.locator('.key-form a')
    assert.equal(await link.getAttribute('href'), `${ISSUER}/.well-known/jwks.json`)
    assert.equal(await opened.page.locator('.verdict.pass').count(), 0)
  })

  test('the supplier is named in the kit until the sender is confirmed, and a caller without a key is called anonymous', async () => {
    const supplier = { workspace_id: 'ws_1', name: 'Acme <b>GmbH</b>' }
    const report = { 'reports/intake_report.json': JSON.stringify({ supplier }) }
    const named = await makeKit({ 'a.txt': 'a' }, {}, report)
    await using opened = await openPage(browser, page)
    const { text } = await checkZip(opened.page, file('named.zip', named.zip))
    assert.match(text, /Acme <b>GmbH<\/b>, named in the kit/)
    const { kid } = testSigner()
    const confirmed = (await giveKeys(opened.page, { kid })).text
    assert.match(confirmed, /Acme <b>GmbH<\/b>, as the workspace calls itself/)
    const open = JSON.stringify({ supplier, caller_authenticated: false })
    const anonymous = await makeKit({ 'a.txt': 'a' }, {}, { 'reports/intake_report.json': open })
    const caller = (await checkZip(opened.page, file('anonymous.zip', anonymous.zip))).text
    assert.ok(caller.includes(english('kit.anonymous')), caller)
    assert.doesNotMatch(caller, /Acme|Supplier/)
    assert.doesNotMatch((await checkZip(opened.page, zip)).text, /Acme/)
    const asked = JSON.stringify({ supplier: null, requested_by: supplier })
    const requested = await makeKit({ 'a.txt': 'a' }, {}, { 'reports/intake_report.json': asked })
    const shown = (await checkZip(opened.page, file('requested.zip', requested.zip))).text
    assert.match(shown, /Supplier\s+Someone with the link of a request \(not verified\)/)
    assert.match(shown, /Requester\s+Acme <b>GmbH<\/b>, named in the kit/)
  })

  test('what is verified and what is stated look different, and nothing is verified before the sender is confirmed', async () => {
    const entries = [
      {
        paths: 'all files',
        source: 'ci_token',
        statement: 'verified',
        issuer: 'https://ci.example',
        repository: 'acme/<b>app</b>',
      },
      { paths: ['data/a.txt'], source: 'supplier', statement: 'stated', collector: { name: 'Prowler' } },
    ]
    const from = await makeKit({ 'a.txt': 'a' }, {}, provenanceReport(entries))
    await using opened = await openPage(browser, page)
    const { text } = await checkZip(opened.page, file('from.zip', from.zip))
    assert.match(
      text,
      /Named in the kit, not confirmed\s+“\s+stated\s+CI token of https:\/\/ci\.example · repository "acme\/<b>app<\/b>"/,
    )
    assert.doesNotMatch(text, /Verified by/)
    assert.equal(await opened.page.locator('.provenance .verified').count(), 0)
    const { kid } = testSigner()
    const confirmed = (await giveKeys(opened.page, { kid })).text
    assert.match(confirmed, /Verified by issuer\.example\s+✓\s+verified\s+CI token of https:/)
    assert.match(
      confirmed,
      /Stated by the supplier, not verified\s+“\s+stated\s+collected with "Prowler"\s+data\/a\.txt/,
    )
    const wrong = await makeKit(
      { 'a.txt': 'a' },
      {},
      provenanceReport([{ ...entries[1], statement: 'verified' }]),
    )
    const malformed = (await checkZip(opened.page, file('wrong.zip', wrong.zip))).text
    assert.match(malformed, /Not shown: reports\/provenance\.json is malformed/)
    assert.doesNotMatch(malformed, /Prowler/)
  })

  test('an issuer’s name in letters of another script is shown in ASCII, and only web addresses become links', async () => {
    const imitated = await makeKit({ 'a.txt': 'a' }, { issuer: 'https://аррӏе.example' })
    const script = await makeKit({ 'a.txt': 'a' }, { issuer: 'javascript:alert(1)' })
    await using opened = await openPage(browser, page)
    await checkZip(opened.page, file('imitated.zip', imitated.zip))
    const link = opened.page.locator('.key-form a')
    assert.match(await link.innerText(), /^https:\/\/xn--[^/]+\/\.well-known\/jwks\.json$/)
    await checkZip(opened.page, file('script.zip', script.zip))
    assert.equal(await link.count(), 0)
  })

  test('bidirectional control characters are shown escaped', async () => {
    const turned = await makeKit({ 'a.txt': 'a' }, { scope: 'Q3 \u202erevoked' })
    await using opened = await openPage(browser, page)
    const { verdict, text } = await checkZipWith(opened.page, file('turned.zip', turned.zip), {
      kid: issuer.kid,
    })
    assert.equal(verdict, 'PASS')
    assert.ok(text.includes('Q3 \\u202erevoked'), text)
  })

  test('one changed byte of evidence fails and names the file', async () => {
    const changed = Buffer.from(kit.zip)
    changed.write('HELLO', changed.indexOf('hello\n'))
    await using opened = await openPage(browser, page)
    const shown = await checkZip(opened.page, file('tampered.zip', changed))
    assert.equal(shown.heading, english('verdicts.altered.heading'))
    await assertShows(shown, changed, NO_TRUST)
    assert.equal(await opened.page.locator('.key-form').count(), 0, 'no key can change this')
    assert.ok(shown.errors.some((line) => line.startsWith('artifact_hash_mismatch: data/hello.txt')))
  })

  test('a kit that was changed and signed again with another key fails with the issuer’s keys', async () => {
    const own = await makeKit({ 'hello.txt': 'forged' }, { signer: forger, jwks: keySetOf(forger) })
    const lying = await makeKit(
      { 'hello.txt': 'forged' },
      { signer: { kid: issuer.kid, sign: (message) => forger.sign(message) } },
    )
    await using opened = await openPage(browser, page)
    const altered = await checkZip(opened.page, file('lying.zip', lying.zip))
    assert.equal(altered.heading, english('verdicts.altered.heading'))
    assert.match(altered.errors.join('\n'), /^signature_invalid: /m)
    const unknown = await checkZipWith(opened.page, file('own.zip', own.zip), { keySet: jwks })
    assert.equal(unknown.heading, english('verdicts.signer_unknown.heading'))
    await assertShows(unknown, own.zip, trustKeys(kit.jwks))
    assert.match(unknown.errors.join('\n'), /^key_not_in_jwks: /m)
  })

  test('a key that the issuer has revoked is shown with the date', async () => {
    const revoked_keys = [{ kid: issuer.kid, revoked_at: '2026-05-05T12:00:00.000Z' }]
    const keySet = file('revoked.json', JSON.stringify({ keys: [], revoked_keys }))
    await using opened = await openPage(browser, page)
    const shown = await checkZipWith(opened.page, zip, { keySet })
    assert.equal(shown.heading, 'Signing key revoked on 2026-05-05')
  })

  test('the kit’s own copy of the key set counts only after the reader says that it is from the issuer', async () => {
    await using opened = await openPage(browser, page)
    await checkZip(opened.page, zip)
    const keySet = file('jwks.json', kit.contents.get('jwks.json') ?? '')
    await enterKeys(opened.page, { keySet })
    await opened.page.locator('#chosen-keys', { hasText: 'identical to the one in the kit' }).waitFor()
    await opened.page.locator('#check-again').click()
    await opened.page.locator('#key-problem', { hasText: 'Where is it from?' }).waitFor()
    assert.equal((await readResult(opened.page)).heading, english('verdicts.sender_unconfirmed.heading'))
    assert.equal((await giveKeys(opened.page, { keySet })).verdict, 'PASS')
  })

  test('the confirmation is for the keys that were there, not for later ones', async () => {
    await using opened = await openPage(browser, page)
    await checkZip(opened.page, zip)
    const confirmed = opened.page.locator('#confirmed')
    for (const keys of [{ kid: issuer.kid }, { keySet: jwks }]) {
      await confirmed.check()
      await enterKeys(opened.page, keys)
      assert.equal(await confirmed.isChecked(), false)
    }
  })

  test('wrong keys can be replaced, and a result disappears when another kit is chosen', async () => {
    await using opened = await openPage(browser, page)
    const wrong = await checkZipWith(opened.page, zip, { kid: forger.kid })
    assert.equal(wrong.heading, english('verdicts.signer_unknown.heading'))
    assert.match(wrong.errors.join('\n'), /^key_id_mismatch: /)
    assert.equal((await giveKeys(opened.page, { kid: issuer.kid })).verdict, 'PASS')
    assert.equal((await checkZip(opened.page, file('again.zip', kit.zip))).verdict, 'FAIL')
  })

  test('“Save as JSON” saves the verification report', async () => {
    await using opened = await openPage(browser, page)
    await checkZipWith(opened.page, zip, { keySet: jwks })
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
    await using opened = await openPage(browser, page, {})
    await checkZip(opened.page, zip)
    await opened.page.emulateMedia({ media: 'print' })
    const visible = async (selector: string): Promise<boolean> =>
      opened.page.locator(selector).first().isVisible()
    for (const selector of ['#verdict', '.checks', 'dl', '.errors', '#boundary'])
      assert.equal(await visible(selector), true, selector)
    for (const selector of ['.key-form', '#drop', '#print', 'details'])
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
  assert.equal(shown.heading, verdictHeading(report))
  assert.deepEqual(
    shown.checks,
    report.checks.map(({ result, guarantee, why = '' }) => `${WORDS[result]} | ${guarantee}${why}`),
  )
  assert.deepEqual(shown.errors, report.errors)
  assert.equal(report.boundary, BOUNDARY)
}

const provenanceReport = (entries: readonly object[]) => ({
  'reports/provenance.json': JSON.stringify({
    provenance_version: 'kitseal-provenance-1',
    entries,
    boundary: 'b',
  }),
})

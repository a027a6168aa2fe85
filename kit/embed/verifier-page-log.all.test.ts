import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { nodeHost } from '../node/internal.ts'
import { otherRoot, pem, root } from '../../test/forge/time/certificates.ts'
import { makeTimeStamp } from '../../test/forge/time/time-stamp.ts'
import {
  leafBytes,
  LOG_PROOF_PATH,
  parseTlogProof,
  receiptLeaf,
  TIME_STAMP_PATH,
  utf8,
  vkey,
} from '../src/internal.ts'
import { ISSUER, makeKit, testSigner, zipBytes } from '../test/make-kit.ts'
import { addLogProof, proofOf, testLogKey, testWitness } from '../test/make-log.ts'
import { BUILT_PAGE } from './build.ts'
import { launchBrowser, noBrowser, openPage } from './test/browser.ts'
import { checkZipWith, readResult, type Shown } from './test/on-page.ts'

const page = pathToFileURL(BUILT_PAGE).href
const log = testLogKey('issuer.example/log')
const witnesses = ['w1.example', 'w2.example'].map(testWitness)
const TIME = Date.UTC(2026, 2, 4, 5, 6, 8) / 1000

const policyOf = (quorum: string): string =>
  `log ${vkey(log.key)}\n${witnesses.map(({ key }, at) => `witness w${at} ${vkey(key)}\n`).join('')}${quorum}`

describe('the log on the verifier page, in Chromium', { skip: noBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-page-log-'))
  const zip = join(folder, 'kit.zip')
  const stamped = join(folder, 'stamped.zip')
  const { kid } = testSigner()
  let browser: Browser

  before(async () => {
    browser = await launchBrowser()
    const { sealed, contents } = await makeKit()
    const leaf = leafBytes(receiptLeaf(sealed.receipt, nodeHost.digest))
    const proof = proofOf(leaf, { index: 2, size: 5, log, witnesses: witnesses.slice(0, 1), time: TIME })
    const files = new Map(contents).set(LOG_PROOF_PATH, proof)
    writeFileSync(zip, zipBytes(addLogProof(sealed, proof, nodeHost), files))
    const timeStamp = makeTimeStamp(utf8(parseTlogProof(proof).checkpoint.text), { time: '20260304050609Z' })
    files.set(TIME_STAMP_PATH, timeStamp)
    writeFileSync(stamped, zipBytes(addLogProof(sealed, proof, nodeHost, timeStamp), files))
    writeFileSync(join(folder, 'any.policy'), policyOf('group g any w0 w1\nquorum g\n'))
  })
  after(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  test('without a policy the page says what was not checked; a policy file adds the witnesses and the time', async () => {
    await using opened = await openPage(browser, page)
    const unchecked = await checkZipWith(opened.page, zip, { kid })
    assert.equal(unchecked.verdict, 'PASS')
    assert.match((await logText(opened.page)) ?? '', /not checked, because no policy was given\.$/)
    await opened.page.locator('.policy-form summary').click()
    await opened.page.locator('#choose-policy').setInputFiles(join(folder, 'any.policy'))
    // Not waitForFunction: if it has to wait, it evaluates text, which the page's policy forbids.
    while ((await opened.page.locator('#policy-text').inputValue()) === '')
      await opened.page.waitForTimeout(20)
    await opened.page.locator('#check-policy').click()
    const { verdict } = await readResult(opened.page)
    assert.equal(verdict, 'PASS')
    assert.equal(
      await logText(opened.page),
      `In the log of ${ISSUER} since 2026-03-04 05:06:08 UTC, seen by 1 of 2 witnesses.`,
    )
    assert.deepEqual(opened.problems, [])
  })

  test('root certificates below a policy, or alone, require a time-stamp', async () => {
    await using opened = await openPage(browser, page)
    await checkZipWith(opened.page, stamped, { kid })
    const policy = policyOf('group g any w0 w1\nquorum g\n')
    const shown = await givePolicy(opened.page, `${policy}${pem(root)}`)
    assert.equal(shown.verdict, 'PASS', shown.errors.join('\n'))
    assert.equal(
      await opened.page.locator('#time-text').textContent(),
      'Existed before 2026-03-04 05:06:10 UTC (time-stamp by Time authority, seen by 1 of 2 witnesses).',
    )
    const other = await givePolicy(opened.page, pem(otherRoot))
    assert.match(other.errors.join('\n'), /^time_stamp_untrusted: /)
    assert.deepEqual(opened.problems, [])
  })

  test('a policy that is not met is FAIL, keeps the keys, and does not ask for keys again', async () => {
    await using opened = await openPage(browser, page)
    await checkZipWith(opened.page, zip, { kid })
    const shown = await givePolicy(opened.page, policyOf('group g all w0 w1\nquorum g'))
    assert.equal(shown.verdict, 'FAIL')
    assert.match(shown.errors.join('\n'), /^log_quorum_not_met: /)
    assert.equal(await opened.page.locator('.key-form').count(), 0)
  })

  test('a text that is not a policy is rejected with its line, and changes nothing', async () => {
    await using opened = await openPage(browser, page)
    await checkZipWith(opened.page, zip, { kid })
    const { verdict } = await givePolicy(opened.page, 'log nothing\n')
    assert.equal(verdict, 'PASS')
    assert.match(
      (await opened.page.locator('#policy-problem').textContent()) ?? '',
      /^This is not a policy: /,
    )
    assert.equal(await opened.page.locator('#policy-text').getAttribute('aria-invalid'), 'true')
  })
})

const logText = (opened: Page): Promise<string | null> => opened.locator('#log-text').textContent()

async function givePolicy(opened: Page, text: string): Promise<Shown> {
  if (!(await opened.locator('#policy-text').isVisible()))
    await opened.locator('.policy-form summary').click()
  await opened.locator('#policy-text').fill(text)
  await opened.locator('#check-policy').click()
  return readResult(opened)
}

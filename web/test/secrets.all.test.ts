import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { type WorkspaceClient, workspaceClient } from '../../test/kit/workspace.ts'
import { barriers } from './barriers.ts'
import { builtPages } from './built-pages.ts'
import { originOf, signedIn, visitor } from './visitor.ts'

/** Joined here, so that no scanner takes this file for a leak. */
const SECRET = `AK${'IA'}QXZ5J3N7WK2VB4TR`
const FILE = 'aws.env, line 2: AWS access key ID AKIA…'
const evidence = (name: string, content: string) => ({ name, mimeType: '', buffer: Buffer.from(content) })
const WITH_SECRET = evidence('aws.env', `REGION=eu\nKEY=${SECRET}\n`)

const noSecret = async (page: Page): Promise<void> =>
  assert.ok(!(await page.content()).includes(SECRET.slice(6)))

describe('possible secrets in Chromium', { skip: noBrowser }, () => {
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

  test('a secret stops a submission until it is acknowledged, and the share dialog names it', async () => {
    await using ann = await signedIn(browser, service, { role: 'owner', workspaceId: acme.workspaceId })
    const { page } = ann
    await page.goto(`${originOf(service)}/console/new`)
    await page.getByRole('textbox', { name: 'Name' }).fill('With a secret')
    const chosen = page.locator('[data-pick=files]')
    await chosen.setInputFiles([evidence('a.png', ''), WITH_SECRET])
    await page.getByText('2 problems found').waitFor()
    assert.match(
      await page.locator('.blockers li').first().innerText(),
      /aws\.env[\s\S]+Line 2: AWS access key ID AKIA…/,
    )
    const submit = page.getByRole('button', { name: 'Submit', exact: true })
    assert.deepEqual([await submit.isDisabled(), await page.getByText('Ready to submit').count()], [true, 0])
    assert.deepEqual(await barriers(page), [])

    const acknowledge = page.getByLabel('I have checked it. Submit with 1 possible secret.')
    await acknowledge.check()
    await page.getByText('1 problem found').waitFor()
    await page.getByRole('button', { name: 'Remove a.png' }).click()
    assert.equal(await acknowledge.isChecked(), false, 'the acknowledgement was for other files')
    assert.equal(await page.getByText('Ready to submit').count(), 0)
    await acknowledge.check()
    await page.getByText('Ready to submit').waitFor()
    await submit.click()
    await page.getByRole('heading', { name: 'Sealed, 1 possible secret accepted' }).waitFor()
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('dialog').getByText('1 possible secret', { exact: true }).waitFor()
    await page.getByRole('dialog').getByText(FILE).waitFor()
    assert.deepEqual(await barriers(page), [])
    await noSecret(page)
    for (const list of ['', '/submissions']) {
      await page.goto(`${originOf(service)}/console${list}`)
      await page.getByText('Sealed, 1 possible secret accepted').first().waitFor()
    }
    assert.deepEqual(ann.problems, [])
  })

  test('a supplier is stopped until they have checked it, and the reviewer sees it first', async () => {
    const { json } = await acme.post('/v1/requests', { title: 'Keys', items: [{ id: 'a', title: 'List' }] })
    const { link, evidence_request_id: id } = json as {
      readonly link: { readonly url: string }
      readonly evidence_request_id: string
    }
    await using anyone = await visitor(browser)
    const { page } = anyone
    await page.goto(link.url)
    await page
      .getByRole('region', { name: 'List' })
      .locator('input[type=file][multiple]')
      .setInputFiles(WITH_SECRET)
    await page.getByText('Not uploaded: there is a problem with this file.').waitFor()
    const send = page.getByRole('button', { name: 'Upload anyway' })
    assert.equal(await send.isDisabled(), true)
    assert.equal(await page.locator('.icon.good').count(), 0)
    await page.getByLabel('I have checked it').check()
    await send.click()
    await page.getByRole('button', { name: 'Remove aws.env' }).waitFor()
    // On another visit the acknowledgement is not known, and the service stops it.
    await page.reload()
    await page.getByRole('button', { name: 'Submit' }).click()
    const asTheyAre = page.getByRole('button', { name: 'Submit as they are' })
    await asTheyAre.waitFor()
    assert.equal(await asTheyAre.isDisabled(), true)
    assert.equal(await page.locator('.icon.good').count(), 0)
    assert.deepEqual(await barriers(page), [])
    await page.getByLabel('I have checked it').check()
    await asTheyAre.click()
    await page.getByText('Submitted. Thank you!').waitFor()
    await noSecret(page)

    await using owner = await signedIn(browser, service, { role: 'owner', workspaceId: acme.workspaceId })
    await owner.page.goto(`${originOf(service)}/console/requests/${id}`)
    await owner.page.getByText(`a/${FILE}`).waitFor()
    await noSecret(owner.page)
    assert.deepEqual([anyone.problems, owner.problems], [[], []])
  })
})

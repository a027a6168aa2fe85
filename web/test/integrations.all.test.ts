import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { type WebhookReceiver, webhookReceiver } from '../../test/kit/webhook-receiver.ts'
import { administer, workspaceClient } from '../../test/kit/workspace.ts'
import { barriers } from './barriers.ts'
import { builtPages } from './built-pages.ts'
import { misfits } from './on-page.ts'
import { originOf, signedIn, type Visitor } from './visitor.ts'

describe('webhooks, CI systems and API access in the console, in Chromium', { skip: noBrowser }, () => {
  let browser: Browser
  let service: TestService
  let receiver: WebhookReceiver
  let owner: Visitor
  let origin: string

  before(async () => {
    await builtPages()
    receiver = await webhookReceiver()
    service = await testService({ KITSEAL_WEBHOOK_ALLOW: '127.0.0.1' })
    browser = await launchBrowser()
    origin = originOf(service)
    owner = await signedIn(browser, service, { role: 'owner' })
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
    await receiver?.[Symbol.asyncDispose]()
  })

  test('an owner adds a webhook, tests it, sees what failed, and sends events again', async () => {
    const { page } = owner
    await page.goto(`${origin}/console/webhooks`)
    await page.getByText('No webhooks yet').waitFor()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill(receiver.url)
    await dialog.getByLabel('Description').fill('Ticket system')
    assert.deepEqual(await barriers(page), [])
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    const secret = page.getByRole('region', { name: 'Signing secret' })
    assert.match(await secret.locator('code').innerText(), /^whsec_/)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await fits(page)

    await page.getByRole('link', { name: receiver.url }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText(/The receiver answered 204 after/).waitFor()
    receiver.answer = () => 500
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText('The test event was not delivered').waitFor()
    await page.locator('tr[data-delivered=false]').first().waitFor()
    await fits(page)

    receiver.answer = () => 204
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByLabel('After event number').fill('0')
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Event 1', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('The old secret signs until').waitFor()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('This webhook is disabled').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks yet').waitFor()
    await page.goto(`${origin}/console/webhooks/whk_no_such`)
    await page.getByRole('heading', { name: 'Webhook not found' }).waitFor()
    // The page of a deleted webhook may have asked for it once more.
    assert.deepEqual(
      owner.problems.filter((problem) => !problem.includes('404')),
      [],
    )
  })

  test('an owner lets the jobs of a repository get keys, and a prefix without a separator is rejected', async () => {
    const { page } = owner
    await page.goto(`${origin}/console/keys`)
    await page.getByRole('button', { name: 'Add CI system' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Value').first().fill('acme/')
    assert.deepEqual(await barriers(page), [])
    await dialog.getByRole('button', { name: 'Add CI system' }).click()
    await page.getByText('“GitHub Actions” can now get keys').waitFor()
    await page.getByText('repository is acme/').waitFor()
    await page.getByRole('button', { name: 'Edit GitHub Actions' }).click()
    await dialog.getByLabel('Comparison').first().click()
    await page.getByRole('option', { name: 'starts with' }).click()
    await dialog.getByLabel('Value').first().fill('acme')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('prefix must end with').waitFor()
    await dialog.getByLabel('Value').first().fill('acme/')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('repository starts with acme/').waitFor()
    await fits(page)
    await page.getByRole('button', { name: 'Delete GitHub Actions' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No CI systems yet.').waitFor()
  })

  test('a member sees neither webhooks nor CI systems', async () => {
    await using member = await signedIn(browser, service, { role: 'member' })
    const { page } = member
    await page.goto(`${origin}/console/webhooks`)
    await page.getByText('Only owners can manage webhooks.').waitFor()
    await page.goto(`${origin}/console/keys`)
    await page.getByText('Only owners can manage API keys.').waitFor()
    assert.equal(await page.getByText('CI without a key').count(), 0)
  })

  test('a member of a workspace without API access reads why, and can sign out', async () => {
    await administer(service, (admin) => admin.plans.create('paused', {}))
    const acme = await workspaceClient(service, { plan: 'paused' })
    await using other = await signedIn(browser, service, { role: 'owner', workspaceId: acme.workspaceId })
    await administer(service, (admin) => admin.plans.update('paused', { apiAccess: false }))
    const { page } = other
    await page.reload()
    await page.getByText('No API access').waitFor()
    await page.getByRole('button', { name: /^Workspace / }).waitFor()
    assert.deepEqual(await barriers(page), [])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
  })
})

/** Checks a page in both themes and at both widths. */
async function fits(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await barriers(page), [], colorScheme)
  }
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    assert.deepEqual(await misfits(page), [], String(width))
  }
}

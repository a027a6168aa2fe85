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

  test('an owner adds a webhook, sees what failed last, and deletes it', async () => {
    const { page } = owner
    await page.goto(`${origin}/console/webhooks`)
    await page.getByText('No webhooks yet').waitFor()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill(receiver.url)
    await dialog.getByLabel('Description').fill('Ticket system')
    assert.deepEqual(await barriers(page), [])
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    assert.match(await dialog.getByLabel('Signing secret', { exact: true }).inputValue(), /^whsec_/)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    receiver.answer = () => 500
    await workspaceClient(service)
    await fits(page)

    await page.getByRole('button', { name: `Delete ${receiver.url}` }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks yet').waitFor()
    assert.deepEqual(owner.problems, [])
  })

  test('an owner sees the CI systems whose jobs get keys, and deletes one', async () => {
    const { page } = owner
    await page.goto(`${origin}/console/keys`)
    await page.getByText('No CI systems yet.').waitFor()
    const made = await page.evaluate(() =>
      fetch('/v1/federation', {
        method: 'POST',
        headers: { 'x-console-request': '1', 'content-type': 'application/json' },
        body: JSON.stringify({
          label: 'GitHub Actions',
          issuer: 'https://token.actions.githubusercontent.com',
          claims: [{ claim: 'repository', prefix: 'acme/' }],
          scopes: ['submit'],
        }),
      }).then((answer) => answer.text()),
    )
    assert.match(made, /fed_/)
    await page.reload()
    await page.getByText('repository starts with acme/').waitFor()
    await fits(page)
    await page.getByRole('button', { name: 'Delete GitHub Actions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No CI systems yet.').waitFor()
  })

  test('a member sees neither webhooks nor CI systems', async () => {
    await using member = await signedIn(browser, service, { role: 'member' })
    const { page } = member
    await page.goto(`${origin}/console/webhooks`)
    await page.getByText('Only owners can manage webhooks.').waitFor()
    await page.goto(`${origin}/console/keys`)
    await page.getByText('Only owners can manage API keys.').waitFor()
    for (const name of ['API keys', 'Webhooks'])
      assert.equal(await page.getByRole('navigation').getByRole('link', { name }).count(), 0, name)
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
    await page.getByLabel(/^Workspace /).waitFor()
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

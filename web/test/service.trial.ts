// Only in test:all: pages for operators; service-workspaces.test.ts has the API
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { type SmtpReceiver, smtpReceiver } from '../../server/test/smtp-receiver.ts'
import { type TestService, testService } from '../../server/test/test-service.ts'
import { administer, workspaceClient } from '../../server/test/workspace-client.ts'
import { barriers } from './barriers.ts'
import { builtPages } from './built-pages.ts'
import { misfits } from './on-page.ts'
import { originOf, signedIn, type Visitor } from './visitor.ts'

describe('the pages of operators, in Chromium', { skip: noBrowser }, () => {
  let browser: Browser
  let server: SmtpReceiver
  let service: TestService
  let ops: Visitor
  let origin: string

  before(async () => {
    await builtPages()
    server = await smtpReceiver()
    service = await testService({ KITSEAL_SMTP_URL: server.url, KITSEAL_MAIL_FROM: 'kits@issuer.example' })
    browser = await launchBrowser()
    origin = originOf(service)
    ops = await signedIn(browser, service, { role: 'viewer' })
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
  })

  const fits = async (): Promise<void> => {
    assert.deepEqual(await barriers(ops.page), [])
    assert.deepEqual(await misfits(ops.page), [])
  }

  test('an operator finds the service in the menu, reads what to do, and tests mail', async () => {
    const { page } = ops
    await page.goto(`${origin}/console/service`)
    await page.getByText('Only operators of this service can open this page').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Service', exact: true }).count(), 0)
    const email = (await page.locator('.side-email').innerText()).trim()
    await administer(service, (admin) => admin.operators.add(email))
    await page.goto(`${origin}/console`)
    await page.getByRole('link', { name: 'Service', exact: true }).click()
    await page.getByText('The service works. 1 thing to look at.').waitFor()
    await page.locator('[data-check=backup][data-status=warn]').getByText('No backup is known').waitFor()
    await page.locator('[data-check=database][data-status=ok]').waitFor()
    await fits()
    await page.getByRole('button', { name: 'Send a test to my address' }).click()
    await page.getByText('The mail server accepted the test mail').waitFor()
    await fits()
  })

  test('an operator creates a workspace, changes its plan, confirms its name and resets passkeys', async () => {
    const { page } = ops
    const acme = await workspaceClient(service)
    await using owner = await signedIn(browser, service, { role: 'owner', workspaceId: acme.workspaceId })
    await page.getByRole('link', { name: 'All workspaces' }).click()
    await page.getByRole('button', { name: 'New workspace' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name of the organization').fill('Beta Ltd')
    await dialog.getByLabel('Email address of the owner').fill('bea@beta.example')
    await fits()
    await dialog.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByText('The invitation was mailed to bea@beta.example.').waitFor()

    await page.getByRole('button', { name: 'New plan' }).click()
    await dialog.getByLabel('Name').fill('small')
    await dialog.getByLabel('Storage of a workspace, in MB').fill('100')
    await dialog.getByRole('button', { name: 'Create plan' }).click()
    await page.getByRole('cell', { name: 'small', exact: true }).waitFor()

    await owner.page.goto(`${origin}/console/settings`)
    await owner.page.getByLabel('New name').fill('Acme Corp')
    await owner.page.getByRole('button', { name: 'Save name' }).click()
    await owner.page.getByText('Acme Corp, as the workspace calls itself').waitFor()
    await page.getByLabel('Search by name or ID').fill('acme')
    await page.getByRole('link', { name: 'Acme Corp', exact: true }).click()
    await page.getByRole('button', { name: 'Change plan' }).click()
    await dialog.getByLabel('Plan').click()
    await page.getByRole('option', { name: 'small' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('of 100 MB').waitFor()
    await fits()
    await page.getByRole('button', { name: 'Confirm name' }).click()
    await dialog.getByRole('button', { name: 'Confirm name' }).click()
    await page.getByText('Name confirmed').waitFor()
    await page.getByRole('button', { name: /^Reset passkeys/ }).click()
    await dialog.getByRole('button', { name: 'Reset passkeys' }).click()
    await dialog.waitFor({ state: 'detached' })
    await owner.page.reload()
    await owner.page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await page.goto(`${origin}/console/service/workspaces/ws_unknown`)
    await page.getByRole('heading', { name: 'Workspace not found' }).waitFor()
    assert.deepEqual(
      ops.problems.filter((problem) => !/40[34]/.test(problem)),
      [],
    )
  })
})

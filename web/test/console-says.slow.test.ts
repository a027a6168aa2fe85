import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { type WorkspaceClient, workspaceClient } from '../../test/kit/workspace.ts'
import { barriers } from './barriers.ts'
import { builtPages } from './built-pages.ts'
import { misfits } from './on-page.ts'
import { originOf, signedIn, type Visitor } from './visitor.ts'

const PHONE = { width: 390, height: 800 }

describe('what the console says is true, in Chromium', { skip: noBrowser }, () => {
  let browser: Browser
  let service: TestService
  let acme: WorkspaceClient
  let owner: Visitor
  let origin: string

  before(async () => {
    await builtPages()
    service = await testService()
    acme = await workspaceClient(service)
    browser = await launchBrowser()
    origin = originOf(service)
    owner = await signedIn(browser, service, { role: 'owner', workspaceId: acme.workspaceId })
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  test('a comment of the workspace is not by “You”, and requests of one name differ by their supplier', async () => {
    const { page } = owner
    const ask = async (recipients: readonly string[]) =>
      String(
        (
          await acme.post('/v1/requests', {
            title: 'Yearly',
            items: [{ id: 'a', title: 'List' }],
            recipients,
          })
        ).json['evidence_request_id'],
      )
    const id = await ask(['x@one.example'])
    await ask(['y@two.example'])
    await acme.post(`/v1/requests/${id}/items/a`, { comment: 'By a key' })
    await page.goto(`${origin}/console/requests`)
    await page.getByText('x@one.example').waitFor()
    await page.getByText('y@two.example').waitFor()
    await page.setViewportSize(PHONE)
    assert.deepEqual(await misfits(page), [])
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${origin}/console/requests/${id}`)
    await page.getByText('List', { exact: false }).first().waitFor()
    assert.equal(await page.getByText('You', { exact: true }).count(), 0)
  })

  test('comments that a request has too many of are shown when the reader asks', async () => {
    const { page } = owner
    const { json } = await acme.post('/v1/requests', {
      title: 'Talkative',
      items: [
        { id: 'a', title: 'List' },
        { id: 'b', title: 'Policy' },
      ],
    })
    const path = `/v1/requests/${String(json['evidence_request_id'])}/items`
    await acme.post(`${path}/b`, { comment: 'On the other item' })
    for (let number = 1; number <= 202; number += 1)
      await acme.post(`${path}/a`, { comment: `Comment ${number}.` })
    await page.goto(`${origin}/console/requests/${String(json['evidence_request_id'])}`)
    const list = page.getByRole('region', { name: 'List' })
    await list.getByText('Comment 3.', { exact: true }).waitFor()
    assert.equal(await list.getByText('Comment 2.', { exact: true }).count(), 0)
    await list.getByRole('button', { name: 'Show older comments' }).click()
    await list.getByText('Comment 2.', { exact: true }).waitFor()
    assert.deepEqual(
      (await list.locator('.remark-text').allInnerTexts()).slice(0, 4),
      [1, 2, 3, 4].map((number) => `Comment ${number}.`),
    )
    const policy = page.getByRole('region', { name: 'Policy' })
    await policy.getByRole('button', { name: 'Show older comments' }).click()
    await policy.getByText('On the other item').waitFor()
    assert.deepEqual(await barriers(page), [])
  })

  test('what was typed stays when the page asks again, and when it is left', async () => {
    const { page } = owner
    await page.goto(`${origin}/console/requests/new`)
    await page.getByLabel('Title').first().fill('Half written')
    await page.evaluate(() => {
      document.dispatchEvent(new Event('visibilitychange'))
      dispatchEvent(new Event('focus'))
    })
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.goto(`${origin}/console/requests/new`)
    assert.equal(await page.getByLabel('Title').first().inputValue(), 'Half written')
  })

  test('an owner who is no member is invited when the program is saved, and each link stays until it is copied', async () => {
    const { page } = owner
    await page.goto(`${origin}/console/programs/new`)
    await page.getByRole('textbox', { name: 'Name' }).first().fill('SOC 2')
    const list = 'title,owner,due days\nUsers,bob@acme.example,200\nRoles,carl@acme.example,200\n'
    await page
      .locator('[data-pick=list]')
      .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list) })
    await page.getByText('They are invited as members when you save the program.').waitFor()
    await page.getByRole('button', { name: 'Create program' }).click()
    const dialog = page.getByRole('dialog', { name: '2 invitation links' })
    await dialog.getByText('This link works on this computer alone').waitFor()
    assert.deepEqual(await barriers(page), [])
    await page.keyboard.press('Escape')
    const link = await dialog.getByLabel('bob@acme.example').inputValue()
    assert.match(link, /\/console\/invite#/)
    await dialog.getByRole('button', { name: 'Copy all' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('rowheader', { name: /bob@acme\.example/ }).waitFor()

    await using bob = await signedIn(browser, service, { role: 'member', workspaceId: acme.workspaceId })
    await bob.context.clearCookies()
    await bob.page.goto('about:blank')
    await bob.page.goto(link.replace('127.0.0.1', 'localhost'))
    await bob.page.getByRole('button', { name: 'Sign in once without a passkey' }).click()
    const item = bob.page.getByRole('listitem').filter({ hasText: 'Your item' })
    await item.first().waitFor()
    assert.doesNotMatch(await item.first().innerText(), /is due/)
    assert.match(await item.first().innerText(), /due /)
  })

  test('Submissions lists what people submitted: the draft of a period is in its program alone', async () => {
    const { page } = owner
    await acme.submission({ label: 'Own draft' })
    await page.goto(`${origin}/console/submissions`)
    await page.getByRole('link', { name: 'Own draft' }).waitFor()
    await page.getByRole('link', { name: /^SOC 2/ }).waitFor({ state: 'detached' })
  })

  test('Sign out is in view, roles are in the language of the reader, and nobody sees a menu for others', async () => {
    await using viewer = await signedIn(browser, service, { role: 'viewer', workspaceId: acme.workspaceId })
    const { page } = viewer
    await page.setViewportSize({ width: 1280, height: 800 })
    const out = page.getByRole('navigation').getByRole('button', { name: 'Sign out' })
    assert.ok(await out.evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight))
    assert.equal(await page.getByRole('link', { name: 'API keys' }).count(), 0)
    await page.goto(`${origin}/console/settings?lang=de`)
    await page.getByText('Ihre Rolle: Leser').waitFor()
  })
})

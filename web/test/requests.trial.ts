// Only in test:all: pages like those of shares; requests.test.ts has the API
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { jpeg } from '../../examiner/test/evidence-samples.ts'
import { type Rows, xlsx } from '../../examiner/test/make-xlsx.ts'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { smtpReceiver } from '../../server/test/smtp-receiver.ts'
import { type TestService, testService } from '../../server/test/test-service.ts'
import { type WorkspaceClient, workspaceClient } from '../../server/test/workspace-client.ts'
import { barriers } from './barriers.ts'
import { builtPages } from './built-pages.ts'
import { misfits } from './on-page.ts'
import { until } from '../../server/test/until.ts'
import { originOf, signedIn, type Visitor, visitor } from './visitor.ts'

const ITEMS = [
  { id: 'CC6.1', title: 'List of users', description: 'An export of all accounts with their roles.' },
  { id: 'CC6.2', title: 'Approval of access', due_at: '2026-11-20' },
]

describe('requests in Chromium', { skip: noBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-requests-'))
  const shots = process.env['KITSEAL_SHOTS']
  let browser: Browser
  let service: TestService
  let acme: WorkspaceClient
  let anyone: Visitor
  let page: Page

  before(async () => {
    await builtPages()
    service = await testService()
    acme = await workspaceClient(service)
    browser = await launchBrowser()
    anyone = await visitor(browser)
    page = anyone.page
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const card = (name: string) => page.getByRole('region', { name })
  const add = (item: string, path: string): Promise<void> =>
    card(item).locator('input[type=file][multiple]').setInputFiles(path)

  /** No barriers and no misfits, on a phone and on a desk. */
  const looksGood = async (name: string): Promise<void> => {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      // The content is the same on a desk.
      if (width === 390) assert.deepEqual(await barriers(page), [])
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      assert.deepEqual(await misfits(page), [])
      if (shots === undefined) continue
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.evaluate(() => scrollTo(0, 0))
        await page.screenshot({ path: join(shots, `${name}-${width}-${colorScheme}.png`), fullPage: true })
      }
      await page.emulateMedia({ colorScheme: null })
    }
  }

  test('from a list in XLSX to a link, which another visitor can open', async () => {
    const { workspaceId } = acme
    const owner = await signedIn(browser, service, { role: 'member', workspaceId })
    anyone = owner
    page = owner.page
    await page.goto(`${originOf(service)}/console/requests`)
    await page.getByText('No requests yet').waitFor()
    await page.getByRole('button', { name: 'New request' }).click()
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Vendor review')
    const list = (rows: Rows): Promise<void> =>
      page.locator('[data-pick=list]').setInputFiles(file('list.xlsx', xlsx(rows)))
    await list([
      ['ID', 'Title'],
      ['A', ''],
    ])
    await page.getByText('Row 2: the title is missing').waitFor()
    await list([
      ['ID', 'Title', 'Description', 'Due'],
      ['A.1', 'Penetration test', 'The newest report', 46_357],
      ['A.2', 'Insurance', '', ''],
    ])
    await page.getByText('2 items imported from list.xlsx.').waitFor()
    await looksGood('console-new')
    await page.getByRole('button', { name: 'Create request' }).click()
    const url = await page.locator('.secret-value code').innerText()
    assert.match(url, /\/r\/[A-Za-z0-9_-]{43}$/)
    await looksGood('console-request')

    const supplier = await visitor(browser)
    await supplier.page.goto(url)
    await supplier.page.getByRole('heading', { name: 'Penetration test' }).waitFor()
    await supplier.context.close()

    assert.equal(await page.getByRole('button', { name: /^Accept/ }).count(), 0, 'there are no files')
    await page.getByRole('button', { name: 'Not applicable: Insurance' }).click()
    await page.keyboard.type('The supplier is self-insured.')
    await page.getByRole('button', { name: 'Mark as not applicable' }).click()
    await card('Insurance').getByText('Not applicable (You): The supplier is self-insured.').waitFor()
    await looksGood('console-not-applicable')
    await page.getByRole('button', { name: 'Undo review: Insurance' }).click()
    await card('Insurance').getByText('Missing').waitFor()
    await page.getByRole('button', { name: 'Copy request' }).click()
    await page.getByRole('textbox', { name: 'Title of item 2' }).waitFor()
    await page.goto(`${originOf(service)}/console/requests`)
    await page.getByRole('link', { name: 'Vendor review' }).waitFor()
    await looksGood('console-board')
    assert.deepEqual(owner.problems, [])
    await owner.context.close()
    anyone = await visitor(browser)
    page = anyone.page
  })

  test('from the link to a verified kit, over two visits and two rounds', async () => {
    const asked = await acme.post('/v1/requests', {
      title: 'Access review Q4',
      message: 'Please send these by Friday.\nThank you!',
      due_at: '2026-12-01',
      items: ITEMS,
    })
    const { evidence_request_id: id, link } = asked.json as {
      evidence_request_id: string
      link: { url: string }
    }
    await page.goto(link.url)
    await page.getByRole('heading', { name: 'Access review Q4' }).waitFor()
    await page.getByText('Acme asks you for these files.').waitFor()
    await looksGood('supplier-start')

    await add('List of users', file('tool.exe', Buffer.from('MZ'.padEnd(300, '\0'))))
    await page.getByText('Not uploaded: there is a problem with this file.').waitFor()
    await looksGood('supplier-blocked')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await add('List of users', file('users.csv', 'name,role\nada,admin\n'))
    await card('List of users').getByText('Not submitted yet').waitFor()

    await page.reload()
    await card('List of users').getByText('users.csv').waitFor()
    await add('Approval of access', file('wrong.txt', 'wrong'))
    await page.getByRole('button', { name: 'Remove wrong.txt' }).click()
    await card('Approval of access').getByText('Missing').waitFor()
    await card('Approval of access').getByRole('button', { name: 'Comment on Approval of access' }).click()
    await page.keyboard.type('It follows next week.')
    await page.getByRole('button', { name: 'Send comment' }).click()
    await page.getByText('It follows next week.').waitFor()
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('No files yet for: Approval of access.').waitFor()
    await page.getByRole('button', { name: 'Submit anyway' }).click()
    await page.getByText('Submitted. Thank you!').waitFor()
    await looksGood('supplier-submitted')

    {
      await using owner = await signedIn(browser, service, { role: 'member', workspaceId: acme.workspaceId })
      await owner.page.goto(`${originOf(service)}/console`)
      await owner.page.getByText('To review', { exact: true }).waitFor()
      assert.equal(await owner.page.getByText('Nothing needs your attention.').count(), 0)
      assert.equal(await owner.page.getByText('Sealed', { exact: true }).count(), 0, 'nobody has reviewed it')
      if (shots !== undefined)
        await owner.page.screenshot({ path: join(shots, 'console-overview.png'), fullPage: true })
      await owner.page.getByRole('link', { name: 'Answer to “Access review Q4”: 1 item to review' }).click()
      await owner.page.getByText('This service sends no mail.').waitFor()
      assert.equal(await owner.page.getByRole('button', { name: 'Remind' }).count(), 0)
      await owner.page.getByRole('button', { name: 'Get a link' }).waitFor()
      await owner.page.getByRole('button', { name: 'users.csv' }).click()
      await owner.page.getByRole('cell', { name: 'ada' }).waitFor()
      await owner.page.keyboard.press('Escape')
      // After a decision, the focus is at the next item.
      await owner.page.getByRole('button', { name: 'Needs changes: List of users' }).press('Enter')
      await owner.page.keyboard.type('Add the service accounts.')
      await owner.page.keyboard.press('Escape')
      await owner.page.getByRole('button', { name: 'Accept List of users' }).press('Enter')
      await owner.page
        .getByRole('button', { name: 'Needs changes: Approval of access' })
        .and(owner.page.locator(':focus'))
        .waitFor()
      assert.equal(await owner.page.getByRole('button', { name: 'Accept Approval of access' }).count(), 0)
      await owner.page.getByRole('button', { name: 'Undo review: List of users' }).click()
      await owner.page.getByRole('button', { name: 'Accept all with files' }).click()
      await owner.page.getByText('Not accepted: Approval of access.').waitFor()
      assert.deepEqual(owner.problems, [])
    }
    const path = `/v1/requests/${id}/items/CC6.2`
    await acme.post(path, { status: 'needs_changes', comment: 'Please send the signed version.' })
    await page.reload()
    await page.getByText('1 item needs changes').waitFor()
    assert.equal(await card('List of users').locator('input[type=file]').count(), 0, 'it is locked')
    await add('Approval of access', file('approval.txt', 'approved'))
    await card('Approval of access').getByText('approval.txt').waitFor()
    await card('Approval of access').getByText('New in this round').waitFor()
    await looksGood('supplier-reopened')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('Submitted. Thank you!').waitFor()

    await acme.post(`/v1/requests/${id}/accept`, {})
    await page.reload()
    await page.getByText('Everything is accepted').waitFor()
    await page.getByRole('button', { name: 'Check it in this browser' }).click()
    await page.getByText('Verified', { exact: true }).first().waitFor()
    await looksGood('supplier-accepted')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download kit.zip' }).click(),
    ])
    assert.match(download.suggestedFilename(), /^kit_.*\.zip$/)
    assert.deepEqual(anyone.problems, [])
  })

  test('damaged files that were added on another device can be submitted as they are', async () => {
    const { json } = await acme.post('/v1/requests', {
      title: 'Plan',
      items: [{ id: 'A', title: 'Site plan' }],
    })
    const { link } = json as { link: { url: string } }
    await page.goto(link.url)
    await add('Site plan', file('plan.pdf', '%PDF-1.4\nbroken'))
    await page.getByRole('button', { name: 'Upload anyway' }).click()
    await card('Site plan').getByText('Not submitted yet').waitFor()
    await add('Site plan', file('empty.txt', ''))
    await page.getByText('This file is empty').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('If the originals are like this').waitFor()
    await looksGood('supplier-damaged')
    await page.getByRole('button', { name: 'Submit as they are' }).click()
    await page.getByText('Submitted. Thank you!').waitFor()
    assert.deepEqual(anyone.problems, [])
  })

  test('the page of a request says what became of the mail to each recipient', async () => {
    await using server = await smtpReceiver((_message, to) =>
      to.includes('wrong@supplier.example') ? 550 : undefined,
    )
    const settings = { KITSEAL_SMTP_URL: server.url, KITSEAL_MAIL_FROM: 'kits@kitseal.example' }
    await using mailing = await testService(settings)
    const { workspaceId } = await workspaceClient(mailing)
    await using owner = await signedIn(browser, mailing, { role: 'member', workspaceId })
    page = owner.page
    await page.goto(`${originOf(mailing)}/console/requests/new`)
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Vendor review')
    const to = 'ann@supplier.example, wrong@supplier.example'
    await page.getByRole('textbox', { name: 'Email addresses' }).fill(to)
    await page.getByRole('button', { name: 'Add item' }).click()
    await page.getByRole('textbox', { name: 'Title of item 1' }).fill('Insurance')
    await page.getByText('The recipients get a mail.').waitFor()
    await page.getByRole('button', { name: 'Create request' }).click()
    await page.getByText('ann@supplier.example: request sent.').waitFor()
    await page.getByText(/wrong@supplier\.example: request not sent\..*550/).waitFor()
    assert.equal(await page.locator('.secret-value').count(), 0, 'no other link than those in the mails')
    await looksGood('console-mailed')
    await page.getByRole('button', { name: 'Remind' }).click()
    await page.getByText('ann@supplier.example: reminder sent.').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Replace all links' }).click()
    await page.getByText('Every link that was sent stops working at once').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace all links' }).click()
    await page.locator('.secret-value code').waitFor()
    assert.deepEqual(owner.problems, [])
    page = anyone.page
  })

  test('on a phone: a photo, a reason, a confirmed address, and a forgotten file', async () => {
    await using server = await smtpReceiver()
    const settings = { KITSEAL_SMTP_URL: server.url, KITSEAL_MAIL_FROM: 'kits@kitseal.example' }
    await using mailing = await testService(settings)
    const client = await workspaceClient(mailing)
    const to = 'ann@supplier.example'
    const mailTo = async (subject: RegExp): Promise<string> => {
      const found = () => server.received.find(({ headers }) => subject.test(headers.get('subject') ?? ''))
      await until(async () => found() !== undefined)
      return found()?.source.replaceAll(/=\r?\n/g, '') ?? ''
    }
    const { json } = await client.post('/v1/requests', {
      title: 'Fire safety',
      items: ITEMS,
      recipients: [to],
    })
    const phone = {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      timezoneId: 'Asia/Kolkata',
    }
    await using supplier = await visitor(browser, phone)
    page = supplier.page
    const began = Date.now()
    await page.goto(/http:\/\/\S+\/r\/[\w-]{43}/.exec(await mailTo(/requests evidence/))?.[0] ?? '')
    await card('List of users')
      .getByRole('button', { name: /^Take a photo/ })
      .waitFor()
    if (shots !== undefined) await page.screenshot({ path: join(shots, 'phone-start.png') })
    const photo = { name: 'image.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(jpeg()) }
    await card('List of users').locator('[data-pick=photo]').setInputFiles(photo)
    await card('List of users')
      .getByText(/^photo-\d{4}-\d\d-\d\d-\d{6}\.jpg/)
      .waitFor()
    await page.getByRole('button', { name: 'Not applicable: Approval of access' }).tap()
    await page
      .getByRole('textbox', { name: 'Not applicable: Approval of access' })
      .fill('We have no servers.')
    await page.getByRole('button', { name: 'Save reason' }).tap()
    await card('Approval of access').getByText('Not applicable (You): We have no servers.').waitFor()
    await page.getByLabel('Your name').fill('Ann Meier')
    await page.getByRole('button', { name: 'Confirm your email address (optional)' }).tap()
    assert.equal(await page.getByLabel('Your email address').inputValue(), to)
    await page.getByRole('button', { name: 'Send code' }).tap()
    await page.getByText(`A code was mailed to ${to}.`).waitFor()
    if (shots !== undefined) await page.screenshot({ path: join(shots, 'phone-code.png'), fullPage: true })
    const code = /(\d{6}) is your code/.exec(await mailTo(/is your code/))?.[1] ?? ''
    await page.getByLabel('Code from the mail').fill(code)
    await page.getByRole('button', { name: 'Confirm', exact: true }).tap()
    await page.getByText(`You have confirmed ${to}.`).waitFor()
    await page.getByLabel('Name this address in the kit as confirmed').check()
    await page.getByLabel(/^Mail a copy of the kit/).check()
    assert.deepEqual(await barriers(page), [])
    assert.deepEqual(await misfits(page), [])
    if (shots !== undefined) await page.screenshot({ path: join(shots, 'phone-sender.png'), fullPage: true })
    await page.getByRole('button', { name: 'Submit', exact: true }).tap()
    await page.getByText('Submitted. Thank you!').waitFor()
    assert.ok(Date.now() - began < 180_000)
    assert.ok(/Attached: receipt\.json and kit_[\w-]+\.zip/.test(await mailTo(/^Your copy/)))

    await add('List of users', file('forgotten.csv', 'name\nada\n'))
    await page.getByText('Your changes are not submitted yet').waitFor()
    await card('List of users').getByText('Not submitted yet').waitFor()
    assert.equal(await page.getByText(`You have confirmed ${to}.`).count(), 0, 'it was for the last round')
    if (shots !== undefined) await page.screenshot({ path: join(shots, 'phone-again.png'), fullPage: true })
    await page.getByRole('button', { name: 'Submit', exact: true }).tap()
    await page.getByText('Submitted. Thank you!').waitFor()
    const path = `/v1/requests/${String(json['evidence_request_id'])}`
    await client.post(`${path}/items/CC6.1`, { status: 'needs_changes', comment: 'It is blurred.' })
    await page.reload()
    await page.getByText('It is blurred.').waitFor()
    assert.equal(await page.getByRole('region').first().getAttribute('aria-label'), 'List of users')
    await page
      .getByText(/GMT\+5:30/)
      .first()
      .waitFor()
    assert.deepEqual(supplier.problems, [])
    page = anyone.page
  })

  test('a link that does not work says so', async () => {
    await page.goto(`${service.base}/r/${'A'.repeat(43)}`)
    await page.getByRole('heading', { name: 'This link is not valid' }).waitFor()
    await looksGood('supplier-not-found')
  })
})

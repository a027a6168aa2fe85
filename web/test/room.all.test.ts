import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { clientOf, form, type WorkspaceClient } from '../../test/kit/workspace.ts'
import { noBarriers } from './barriers.ts'
import { builtPages } from './built-pages.ts'
import { originOf, signedIn, type Visitor, visitor } from './visitor.ts'

const UNIQUE = 'a line that is altered in the object store'
const LABELS = ['Access review Q1', 'Access review Q2', 'Access review Q3'] as const

describe('rooms in Chromium', { skip: noBrowser }, () => {
  let browser: Browser
  let service: TestService
  let owner: WorkspaceClient
  let member: Visitor
  let auditor: Visitor
  let page: Page
  let kits: readonly string[]

  before(async () => {
    await builtPages()
    service = await testService()
    browser = await launchBrowser()
    const key = service.service.firstApiKey ?? ''
    const { json } = await service.call('/v1/credits', { headers: { 'x-api-key': key } })
    owner = clientOf(service, String(json['workspace_id']), key)
    kits = await Promise.all(
      LABELS.map(async (label) => {
        const id = await owner.submission({ label, series: 'Access review' })
        await owner.upload(
          id,
          form({ 'users.csv': `name,role\nann,${label}\n`, 'notes.txt': `${UNIQUE} ${label}` }),
        )
        return String((await owner.ended(id))['kit_id'])
      }),
    )
    member = await signedIn(browser, service, { role: 'owner' })
    auditor = await visitor(browser)
    page = auditor.page
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  const card = (label: string) => page.getByRole('region', { name: label, exact: true })
  const consoleCard = (label: string) => member.page.getByRole('region', { name: label, exact: true })

  test('from a series to a room: an auditor verifies all, asks, gets an answer, marks what is reviewed, and downloads two kits', async () => {
    await member.page.goto(`${originOf(service)}/console/submissions?status=PASS`)
    await member.page.getByRole('link', { name: LABELS[0] }).click()
    await member.page.getByRole('button', { name: 'Share', exact: true }).click()
    await member.page.getByLabel('Open a room').check()
    await member.page.getByLabel('Name of the room').fill('Audit 2026')
    await member.page.getByLabel('Series “Access review”, with kits that come later').check()
    await member.page.getByLabel('For', { exact: true }).fill('anna@auditor.example')
    await noBarriers(member.page)
    await member.page.getByRole('button', { name: 'Create links' }).click()
    const url = await member.page
      .getByLabel('link for anna@auditor.example')
      .and(member.page.locator('input'))
      .inputValue()
    await member.page.getByRole('button', { name: 'I have saved it' }).click()

    await page.goto(url)
    await page.getByText('Verified in this browser: 3 kits').waitFor()
    for (const label of LABELS) {
      const sentence = card(label).locator('p', { hasText: 'Sealed by' })
      await sentence.getByText(/^PASS$/).waitFor()
      const text = await sentence.textContent()
      assert.match(
        text ?? '',
        /Sealed by http\S+ for .+ on \d+ \w+ \d{4}\. Unchanged since: verified in this browser\./,
      )
      assert.match(text ?? '', /Key compared: no.*Not proved: that the content is true/)
    }
    assert.equal(await page.getByText(/key you trust/i).count(), 0)
    await noBarriers(page)

    const [q1, q2] = LABELS
    await card(q1).getByPlaceholder('Question or comment').fill('Who approved these roles?')
    await card(q1).getByRole('button', { name: 'Ask question' }).click()
    await card(q1).getByText('Waits for an answer').waitFor()
    await card(q2).getByRole('button', { name: 'Show 2 files and details' }).click()
    await card(q2).getByRole('button', { name: 'Ask about users.csv' }).click()
    await card(q2)
      .getByRole('textbox', { name: 'About users.csv' })
      .fill('Why is ann in it twice?\n<b>bold</b>')
    await card(q2).getByRole('button', { name: 'Ask question' }).click()
    await card(q2).getByText('Why is ann in it twice?').waitFor()
    await card(q2).getByRole('checkbox', { name: 'Reviewed: users.csv' }).check()
    await card(q1).getByLabel('I have reviewed this kit').check()
    await card(q1)
      .getByText(/^Marked as reviewed by anna@auditor.example on \d+ \w+ \d{4}\.$/)
      .waitFor()
    await noBarriers(page)

    await member.page.goto(`${originOf(service)}/console`)
    await member.page.getByRole('link', { name: 'Room “Audit 2026”: 2 questions without an answer' }).click()
    await consoleCard(q1).getByText('Who approved these roles?').waitFor()
    await consoleCard(q1)
      .getByText(/^Marked as reviewed by anna@auditor.example/)
      .waitFor()
    await consoleCard(q1).getByRole('button', { name: 'Answer to anna@auditor.example' }).click()
    await consoleCard(q1)
      .getByLabel('Answer to anna@auditor.example')
      .and(member.page.locator('textarea'))
      .fill('The board, on 3 March.')
    await consoleCard(q1).getByRole('button', { name: 'Send' }).click()
    await consoleCard(q1).getByText('Answered').waitFor()
    await noBarriers(member.page)

    await page.reload()
    await card(q1).getByText('The board, on 3 March.').waitFor()
    await card(q1).getByRole('button', { name: 'Mark as resolved' }).click()
    await card(q1).getByText('Resolved', { exact: true }).waitFor()
    await card(q1).getByLabel('I have reviewed this kit').uncheck()
    await card(q1)
      .getByText(/^Marked as reviewed by/)
      .waitFor({ state: 'detached' })
    for (const label of [q1, q2])
      await card(label)
        .getByRole('checkbox', { name: /^Select for download/ })
        .check()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download 2 kits in one zip/ }).click(),
    ])
    const zip = readFileSync(await download.path())
    const has = (kit: string | undefined): boolean => zip.includes(`${kit}.zip`)
    assert.deepEqual(kits.map(has), [true, true, false])
    assert.deepEqual(auditor.problems, [])
    assert.deepEqual(
      auditor.requests.filter((each) => !each.startsWith(service.base) && !each.startsWith('blob:')),
      [],
    )

    await member.page.getByRole('button', { name: 'Access log' }).click()
    await member.page.getByText('Marked as reviewed', { exact: true }).first().waitFor()
    await member.page.getByText('link of anna@auditor.example').first().waitFor()
    await member.page.keyboard.press('Escape')
    await consoleCard(q2).getByRole('button', { name: 'Erase' }).click()
    await member.page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click()
    await consoleCard(q2).getByText('Erased', { exact: true }).waitFor()
    assert.equal(await consoleCard(q2).getByText('Why is ann').count(), 0)
  })

  test('a kit that is altered in the store is named with FAIL, and nothing says that all are verified', async () => {
    const object = globSync('objects/**/*', { cwd: service.dataFolder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .find((file) => readFileSync(file).includes(`${UNIQUE} ${LABELS[1]}`))
    assert.ok(object !== undefined)
    const intact = readFileSync(object)
    writeFileSync(
      object,
      Buffer.from(intact.toString('latin1').replace(UNIQUE, UNIQUE.toUpperCase()), 'latin1'),
    )
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const { json } = await owner.post('/v1/rooms', { title: 'Altered', kits, expires_at })
    try {
      await page.goto(String(json['url']))
      const summary = page.locator('.notice.fail', { hasText: 'FAIL: 1 of 3 kits not verified' })
      await summary.waitFor()
      assert.match((await summary.textContent()) ?? '', /Access review Q2: Altered since it was issued/)
      await card(LABELS[1])
        .locator('p', { hasText: 'Sealed by' })
        .getByText(/^FAIL$/)
        .waitFor()
      assert.equal(await page.getByText('Verified in this browser: 3 kits').count(), 0)
      assert.equal(await card(LABELS[1]).getByText('Unchanged since').count(), 0)

      // With a link for anyone, a name is asked for first.
      assert.ok(await card(LABELS[0]).getByLabel('I have reviewed this kit').isDisabled())
      await page.getByLabel('Your name').fill('Zoe')
      await card(LABELS[0]).getByPlaceholder('Question or comment').fill('Hello')
      await card(LABELS[0]).getByRole('button', { name: 'Comment', exact: true }).click()
      await card(LABELS[0]).locator('.remarks li', { hasText: 'not verified' }).waitFor()
      await card(LABELS[0]).getByLabel('I have reviewed this kit').check()
      await card(LABELS[0])
        .getByText(/^Marked as reviewed by Zoe \(not verified\) on/)
        .waitFor()
    } finally {
      writeFileSync(object, intact)
    }
    await page.getByRole('button', { name: 'Verify all again' }).click()
    await page.getByText('Verified in this browser: 3 kits').waitFor()
  })
})

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../test/kit/workspace.ts'
import { barriers } from './barriers.ts'
import { builtPages } from './built-pages.ts'
import { misfits } from './on-page.ts'
import { originOf, signedIn, type Visitor } from './visitor.ts'

const COUNT = 20
const ids = Array.from({ length: COUNT }, (_, index) => `C-${String(index + 1).padStart(2, '0')}`)

const emailOf = async (page: Page): Promise<string> =>
  (await page.locator('.side-email').getAttribute('title')) ?? ''

describe('programs in Chromium', { skip: noBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-programs-'))
  const shots = process.env['KITSEAL_SHOTS']
  let browser: Browser
  let service: TestService
  let acme: WorkspaceClient
  let lead: Visitor
  let page: Page
  let email: string
  let reader: string
  let programId: string

  before(async () => {
    await builtPages()
    service = await testService()
    acme = await workspaceClient(service)
    browser = await launchBrowser()
    lead = await signedIn(browser, service, { role: 'manager', workspaceId: acme.workspaceId })
    page = lead.page
    await page.setViewportSize({ width: 1280, height: 900 })
    email = await emailOf(page)
    await using viewer = await signedIn(browser, service, { role: 'viewer', workspaceId: acme.workspaceId })
    reader = await emailOf(viewer.page)
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const looksGood = async (name: string): Promise<void> => {
    assert.deepEqual(await barriers(page), [])
    assert.deepEqual(await misfits(page), [])
    if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`) })
  }
  const dialog = () => page.getByRole('dialog')
  const cell = (name: RegExp) => page.locator('.board').getByRole('button', { name })
  const item = (path: string, body: object) =>
    service.call(`/v1/programs/${programId}/periods/${path}`, {
      method: 'PATCH',
      headers: { 'x-api-key': acme.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const periods = async () =>
    (await acme.get(`/v1/programs/${programId}/board`)).json['periods'] as {
      readonly period: string
      readonly status: string
      readonly submission_id: string
    }[]

  test('from a spreadsheet with 20 items to the board in one page', async () => {
    await page.goto(`${originOf(service)}/console/programs`)
    await page.getByText('No programs yet').waitFor()
    await page.getByRole('button', { name: 'New program' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('SOC 2')
    const list = (rows: readonly string[]): Promise<void> =>
      page
        .locator('[data-pick=list]')
        .setInputFiles(file('controls.csv', ['id,title,owner,source,due days', ...rows].join('\n')))
    await list(['C-01,Access review,,fax,'])
    await page.getByText('Row 2: the source "fax" is neither').waitFor()
    await page.getByText('Known columns: id, title, description, owner').waitFor()
    const [template] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download a template' }).click(),
    ])
    assert.match(readFileSync(await template.path(), 'utf8'), /^id,title,description,owner,source/)
    await list(
      ids.map(
        (id, index) => `${id},Control ${index + 1},${['Nobody', email, reader][index % 3]},,${60 + index}`,
      ),
    )
    await page.getByText('20 items imported from controls.csv.').waitFor()
    await page.getByText('Not members of this workspace: Nobody.').waitFor()
    await page.getByText(`Viewers cannot add files, so they cannot own items: ${reader}.`).waitFor()
    await looksGood('new-program')
    assert.ok(await page.getByRole('button', { name: 'Create program' }).isDisabled())
    await page.getByRole('link', { name: 'All programs' }).click()
    await page.getByRole('button', { name: 'New program' }).click()
    assert.equal(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'SOC 2')
    await list(ids.map((id, index) => `${id},Control ${index + 1},${['', email][index % 2]},,${60 + index}`))
    await page.getByRole('button', { name: 'Create program' }).click()
    await page.getByRole('region', { name: 'Items of SOC 2 by period' }).waitFor()
    programId = /prg_[\w-]+/.exec(page.url())?.[0] ?? ''
    assert.equal(await page.getByRole('rowheader').count(), COUNT)
    await looksGood('board')
  })

  test('a cell is reached with the keyboard, Enter opens it, and Esc returns to it', async () => {
    const [{ period } = { period: '' }] = await periods()
    const second = cell(new RegExp(`^Control 2, ${period}, Missing (?:late, )?due \\d`))
    await second.focus()
    await page.keyboard.press('Enter')
    await dialog().getByText('Control 2').waitFor()
    await looksGood('cell-empty')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    assert.ok(await second.evaluate((button) => button === document.activeElement))
  })

  test('files are added to a cell, previewed, sent back and accepted; a danger is not sent', async () => {
    await page.keyboard.press('Enter')
    const add = (path: string): Promise<void> =>
      dialog().locator('input[type=file][multiple]').setInputFiles(path)
    await add(file('tool.exe', `MZ${'\0'.repeat(200)}`))
    await dialog().getByRole('alert').waitFor()
    await dialog().getByRole('button', { name: 'Dismiss' }).click()
    await add(file('users.csv', 'name,role\nann,owner\n'))
    await dialog().getByRole('button', { name: 'users.csv', exact: true }).click()
    await page.getByRole('cell', { name: 'ann' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('cell', { name: 'ann' }).waitFor({ state: 'detached' })
    await dialog().getByRole('button', { name: 'Needs changes' }).click()
    await page.keyboard.type('Without the roles, please.')
    await looksGood('cell-writing')
    await page.keyboard.press('Control+Enter')
    await dialog().getByText('Needs changes').first().waitFor()
    await dialog().getByText('Without the roles, please.').waitFor()
    await dialog().getByRole('button', { name: 'Accept' }).click()
    await dialog().getByText('Accepted').first().waitFor()
    await looksGood('cell-accepted')
    await page.keyboard.press('Escape')
    await cell(/^Control 2, .*, Accepted 1 file/).waitFor()
  })

  test('sealing names what is missing and not accepted, and leads to the kit', async () => {
    const [current = { period: '', submission_id: '' }] = await periods()
    const files = Object.fromEntries(ids.slice(2, 18).map((id) => [`${id}/report.txt`, `report of ${id}`]))
    await acme.upload(current.submission_id, form(files, { final: false }))
    for (const id of ids.slice(2, 17)) await item(`${current.period}/items/${id}`, { status: 'accepted' })
    await item(`${current.period}/items/C-20`, { status: 'not_applicable', reason: 'No such system.' })
    await page.reload()
    await page.getByRole('button', { name: `Seal ${current.period}` }).click()
    await dialog().getByText('2 items without files. The kit says so:').waitFor()
    await dialog().getByText('1 item not accepted. Their files are sealed, too:').waitFor()
    for (const id of ['C-01', 'C-18', 'C-19']) assert.equal(await dialog().getByText(id).count(), 1, id)
    for (const id of ['C-02', 'C-20']) assert.equal(await dialog().getByText(id).count(), 0, id)
    await looksGood('seal')
    await dialog().getByRole('button', { name: 'Seal it anyway' }).click()
    await page
      .getByRole('link', { name: /^Download kit/ })
      .first()
      .waitFor()
    await page.getByRole('heading', { name: 'Checklist' }).waitFor()
    await page.getByText('16 accepted, 1 not accepted, 2 missing, 1 not applicable').waitFor()
    assert.equal(await page.locator('[data-item] [data-file]').count(), 17)
    await looksGood('sealed-period')
    await page.goto(`${originOf(service)}/console/programs/${programId}`)
    await page.getByRole('columnheader', { name: `${current.period} Sealed` }).waitFor()
    await cell(/^Control 2, /).click()
    await dialog().getByText('This period is sealed.').waitFor()
    assert.equal(await dialog().getByRole('button', { name: 'Accept' }).count(), 0)
    await page.keyboard.press('Escape')
  })

  test('in the next period, the same bytes are named, under the same name and under another', async () => {
    await page.getByLabel('More actions').click()
    await page.getByRole('button', { name: 'Start the next period now' }).click()
    await dialog().getByText('This service sends no mail: tell owners').waitFor()
    await dialog().getByRole('button', { name: 'Start the period' }).click()
    await dialog().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Seal / }).click()
    await dialog().getByText('There are no files yet, so there is nothing to seal.').waitFor()
    assert.ok(await dialog().getByRole('button', { name: 'Seal it anyway' }).isDisabled())
    await page.keyboard.press('Escape')
    const [next = { period: '', submission_id: '' }, last = { period: '' }] = await periods()
    await acme.upload(
      next.submission_id,
      form(
        {
          'C-03/report.txt': 'report of C-03',
          'C-04/renamed.txt': 'report of C-04',
          'C-05/report.txt': 'another report',
        },
        { final: false },
      ),
    )
    const open = async (name: string): Promise<void> => {
      await cell(new RegExp(`^${name}, ${next.period}, `)).click()
      await dialog().getByText('Due', { exact: true }).waitFor()
    }
    await cell(new RegExp(`^Control 3, ${next.period}, Collected 1 file · same bytes`)).waitFor()
    await open('Control 3')
    await dialog().getByText(`Same bytes as in ${last.period}`).waitFor()
    await page.keyboard.press('Escape')
    await open('Control 4')
    await dialog().getByText(`Same bytes as report.txt in ${last.period}`).waitFor()
    await page.keyboard.press('Escape')
    await open('Control 5')
    assert.equal(await dialog().getByText('Same bytes').count(), 0)
    await page.keyboard.press('Escape')
    await looksGood('two-periods')
    await page.getByLabel('More actions').click()
    await page.getByRole('button', { name: 'Accept 3 items with files' }).click()
    await dialog().getByRole('button', { name: 'Accept all' }).click()
    await dialog().waitFor({ state: 'detached' })
    await cell(new RegExp(`^Control 5, ${next.period}, Accepted 1 file`)).waitFor()
    await cell(new RegExp(`^Control 6, ${next.period}, Missing`)).waitFor()
    await page.getByLabel('More actions').click()
    assert.equal(await page.getByRole('button', { name: /^Accept/ }).count(), 0)
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Owner' }).selectOption('Mine')
    assert.equal(await page.getByRole('rowheader').count(), COUNT / 2)
    await page.setViewportSize({ width: 390, height: 800 })
    await looksGood('board-phone')
    await page.setViewportSize({ width: 1280, height: 900 })
    assert.deepEqual(lead.problems, [])
  })

  test('comments that a period has too many of are shown when the reader asks', async () => {
    const [{ period } = { period: '' }] = await periods()
    for (let number = 1; number <= 201; number += 1)
      await item(`${period}/items/C-07`, { comment: `Note ${number}.` })
    await page.getByRole('combobox', { name: 'Owner' }).selectOption('All owners')
    await cell(new RegExp(`^Control 7, ${period}, `)).click()
    await dialog().getByText('Note 2.', { exact: true }).waitFor()
    assert.equal(await dialog().getByText('Note 1.', { exact: true }).count(), 0)
    await dialog().getByRole('button', { name: 'Show older comments' }).click()
    await dialog().getByText('Note 1.', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  test('a period that has not begun is sealed after a confirmation that says so', async () => {
    const [{ period } = { period: '' }] = await periods()
    await page.getByRole('button', { name: `Seal ${period}` }).click()
    await dialog().getByRole('button', { name: 'Seal it anyway' }).click()
    await dialog()
      .getByText(new RegExp(`^The period ${period} begins on \\d{4}-\\d{2}-\\d{2}, so it is not over yet.`))
      .waitFor()
    await looksGood('seal-early')
    assert.deepEqual((await periods())[0]?.status, 'open')
    await dialog().getByRole('button', { name: 'Seal it before it begins' }).click()
    await page
      .getByRole('link', { name: /^Download kit/ })
      .first()
      .waitFor()
  })

  test('a viewer reads the board and changes nothing', async () => {
    await using viewer = await signedIn(browser, service, { role: 'viewer', workspaceId: acme.workspaceId })
    await viewer.page.goto(`${originOf(service)}/console/programs/${programId}`)
    await viewer.page.locator('.board td button').first().click()
    await viewer.page.getByRole('dialog').getByText('Due', { exact: true }).waitFor()
    for (const name of [/^Seal/, 'Accept', 'Needs changes', /^Comment/, /^Choose files/])
      assert.equal(
        await viewer.page.getByRole('dialog').getByRole('button', { name }).count(),
        0,
        String(name),
      )
  })
})

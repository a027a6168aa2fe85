// Only in test:all: details of choosing files; journey.trial.ts has the way through the console
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, FileChooser, Locator, Page } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { drop } from '../../kit/embed/test/on-page.ts'
import { EML, pdf } from '../../examiner/test/evidence-samples.ts'
import { type TestService, testService } from '../../server/test/test-service.ts'
import { builtPages } from './built-pages.ts'
import { barriers } from './barriers.ts'
import { misfits } from './on-page.ts'
import { MORE, nameSubmission, NOTES, send } from './upload-page.ts'
import { originOf, signedIn, type Visitor } from './visitor.ts'

/** On a phone, two buttons leave room for the text beside or above them. */
async function assertReadableBar(page: Page): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 760 })
  await page.getByRole('button', { name: 'Submit anyway' }).waitFor()
  const { width = 0 } = (await page.locator('.send-bar > [role=status]').boundingBox()) ?? {}
  assert.ok(width >= 176, `the text of the bar is ${width} pixels wide`)
  assert.deepEqual(await misfits(page), [])
  if (size !== null) await page.setViewportSize(size)
}

describe('choosing evidence in Chromium', { skip: noBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-choosing-'))
  let browser: Browser
  let service: TestService
  let origin: string
  let member: Visitor

  before(async () => {
    await builtPages()
    service = await testService()
    browser = await launchBrowser()
    origin = originOf(service)
    member = await signedIn(browser, service, { role: 'member' })
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  const fill = (page: Page, label: string): Promise<void> => nameSubmission(page, origin, label)

  test('every file of a dropped folder is included, and an empty folder is reported', async () => {
    const { page } = member
    const names = ['Archive.LNK', 'end.', 'nul', 'site.url', '~draft']
    mkdirSync(join(folder, 'odd'))
    mkdirSync(join(folder, 'empty'))
    for (const name of names) writeFileSync(join(folder, 'odd', name), 'so it was\n')
    await fill(page, 'Odd names')
    await drop(page, join(folder, 'empty'))
    await page.getByText('No files found.').waitFor()
    await drop(page, join(folder, 'odd'))
    await page.locator('[data-file="odd/nul"]').waitFor()
    assert.deepEqual(await page.locator('.file-name').allInnerTexts(), ['odd', ...names])
    assert.equal(await page.getByText('No files found.').count(), 0)
  })

  test('the tool and the period that the user states are in the kit, as stated, and a wrong period is not sent', async () => {
    const { page } = member
    await fill(page, 'Stated')
    await page.locator('[data-pick=files]').setInputFiles([NOTES])
    await page.getByText('Where it came from').click()
    await page.getByLabel('Collected with').fill('Prowler 5.9')
    await page.getByLabel('From', { exact: true }).fill('2026-07-01')
    const submit = page.getByRole('button', { name: 'Submit', exact: true })
    await page.getByText('Enter both dates of the period, or neither.').first().waitFor()
    assert.equal(await submit.isDisabled(), true)
    await page.getByLabel('To', { exact: true }).fill('2026-06-30')
    await page.getByText('The period must not end before it begins.').first().waitFor()
    assert.equal(await submit.isDisabled(), true)
    await page.getByLabel('To', { exact: true }).fill('2026-09-30')
    await page.getByText('No problems found. Ready to submit.').waitFor()
    assert.deepEqual(await barriers(page), [])
    await send(page)
    await page.getByRole('heading', { name: 'Stated by the supplier, not verified' }).waitFor()
    await page.getByText('collected with Prowler 5.9 · period 2026-07-01 to 2026-09-30').waitFor()
    assert.doesNotMatch(await page.locator('.provenance .verified').innerText(), /Prowler/)
  })

  test('removing a file with the keyboard keeps the focus in the list', async () => {
    const { page } = member
    await fill(page, 'By the keyboard')
    await page.locator('[data-pick=files]').setInputFiles([MORE, NOTES])
    for (const [name, next] of [
      ['more.txt', 'UL'],
      ['notes.txt', 'MAIN'],
    ]) {
      await page.getByRole('button', { name: `Remove ${name}` }).press('Enter')
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), next)
    }
  })

  test('hundreds of small files are uploaded in batches', async () => {
    const { page } = member
    await fill(page, 'Many')
    const many = Array.from({ length: 230 }, (_, at) => ({ ...NOTES, name: `note-${1000 + at}.txt` }))
    await page.locator('[data-pick=files]').setInputFiles(many)
    await page.getByText('No problems found. Ready to submit.').waitFor()
    const asked = member.requests.length
    await send(page)
    await page.locator('.verdict.pass').waitFor()
    const uploads = member.requests.slice(asked).filter((url) => url.endsWith('/evidence'))
    assert.equal(uploads.length, 6, 'five of at most 50 files, and the seal')
    await page.locator('.verdict').getByText('230 files').waitFor()
    await page.getByRole('button', { name: 'Show all 230' }).click()
    await page.getByRole('button', { name: 'note-1229.txt' }).waitFor()
  })

  test('file names with special characters are uploaded unchanged', async () => {
    const { page } = member
    await fill(page, 'Odd names')
    await page.locator('[data-pick=files]').setInputFiles([{ ...NOTES, name: '50%22 off.txt' }])
    await page.getByText('No problems found. Ready to submit.').waitFor()
    await send(page)
    await page.locator('.verdict.pass').waitFor()
    await page.getByRole('button', { name: '50%22 off.txt' }).click()
    assert.equal(await page.locator('.preview-text').innerText(), 'so it was\n')
  })

  test('a file name with invisible characters is shown escaped and marked', async () => {
    const { page } = member
    await fill(page, 'Turned')
    await page.locator('[data-pick=files]').setInputFiles([{ ...NOTES, name: 'a\u202ebad.txt' }, NOTES])
    await page.getByText('It contains U+202E.').first().waitFor()
    assert.equal(await page.locator('li[data-file] .icon.bad').count(), 1)
    await page
      .getByText(String.raw`a\u202ebad.txt`, { exact: true })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Submit anyway' }).click()
    await page.locator('.verdict.fail').waitFor()
    assert.equal(await page.getByLabel(String.raw`a\u202ebad.txt`).isChecked(), false)
  })

  test('a profile is checked in the browser', async () => {
    const { page } = member
    await fill(page, 'By profile')
    await page.getByRole('combobox', { name: 'Profile' }).click()
    await page.getByRole('option', { name: 'Quarterly access review' }).click()
    await page.locator('[data-pick=files]').setInputFiles([NOTES])
    await page.locator('.blockers li').first().waitFor()
    const blockers = await page.locator('.blockers').innerText()
    assert.match(blockers, /Approval by the system owner/)
    assert.doesNotMatch(blockers, /\*/, 'no patterns')
    await page.locator('[data-item=approval].missing').waitFor()
    await page
      .locator('[data-item=approval] input[type=file]')
      .setInputFiles({ name: 'scan1.eml', mimeType: 'message/rfc822', buffer: Buffer.from(EML) })
    await page.locator('[data-item=approval].met').getByText('scan1.eml').waitFor()
    const decisions = { ...NOTES, name: 'Access Review Policy.pdf', buffer: Buffer.from(pdf()) }
    await page.locator('[data-pick=files]').setInputFiles([decisions])
    const suggested = page.locator('[data-item=decisions].suggested')
    await suggested.getByText('Suggested by its name: Access Review Policy.pdf').waitFor()
    assert.deepEqual(await barriers(page), [])
    await suggested.getByRole('button', { name: 'Confirm' }).click()
    await page.locator('[data-item=decisions].met').getByText('Access Review Policy.pdf').waitFor()
  })

  test('a blocker in many files is shown once, and all paths can be copied', async () => {
    const { page } = member
    await fill(page, 'Empty files')
    const names = Array.from({ length: 9 }, (_, at) => `empty-${at}.pdf`)
    await page
      .locator('[data-pick=files]')
      .setInputFiles([NOTES, ...names.map((name) => ({ ...NOTES, name, buffer: Buffer.alloc(0) }))])
    await page.getByText('9 problems found').waitFor()
    const group = page.locator('.blockers > li')
    assert.equal(await group.count(), 1)
    assert.match(await group.innerText(), /9 files\s+[\s\S]+How to fix:[\s\S]+empty-4\.pdf\s+and 4 more$/)
    await group.getByText('and 4 more').click()
    await group.getByText('empty-8.pdf').waitFor()
    assert.deepEqual(await group.locator('.blocker-paths code').allInnerTexts(), names)
    await group.getByRole('button', { name: 'Copy all 9 paths' }).click()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), names.join('\n'))
    assert.deepEqual(await barriers(page), [])
    await assertReadableBar(page)
    await page.getByLabel('I know. Submit the 9 files as they are.').check()
    await page.getByText('Ready to submit. See the notices below.').waitFor()
    await page.getByRole('button', { name: 'Submit', exact: true }).click()
    await page.locator('.verdict.pass').waitFor()
    await page.getByText('9 problems accepted').first().waitFor()
  })

  test('thousands of dropped files render only the rows in view, and reach the check in small parts', async () => {
    const { page } = member
    await fill(page, 'Very many')
    await page.evaluate(() => {
      const sizes: number[] = []
      Object.assign(window, { sizes })
      const post = Worker.prototype.postMessage
      Worker.prototype.postMessage = function (
        this: Worker,
        message: { readonly files?: readonly unknown[] },
      ) {
        sizes.push(message.files?.length ?? 0)
        post.call(this, message)
      }
      const files = new DataTransfer()
      for (let at = 0; at < 2500; at++)
        files.items.add(new File(at % 25 === 0 ? [] : ['x'], `report-${at}.pdf`, { lastModified: 0 }))
      const input = document.querySelector<HTMLInputElement>('[data-pick=files]')
      if (input === null) throw new Error('no input')
      input.files = files.files
      input.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await page.getByText('2,500 files').first().waitFor()
    const rows = page.locator('.files > li')
    assert.ok((await rows.count()) < 60, `${await rows.count()} rows`)
    await page.locator('.files-view').evaluate((view) => view.scrollTo(0, view.scrollHeight))
    await page.locator('[data-file="report-999.pdf"]').waitFor()
    assert.ok((await rows.count()) < 60, `${await rows.count()} rows`)
    assert.equal(await rows.last().getAttribute('aria-posinset'), '2500')
    await page.locator('.problems').waitFor()
    const sizes = (await page.evaluate('sizes')) as readonly number[]
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      2500,
    )
    assert.ok(Math.max(...sizes) <= 250)
    assert.ok((await page.locator('*').count()) < 1500, 'long lists of paths are closed')
  })

  test('problems come first, and all files that have one are removed at once', async () => {
    const { page } = member
    mkdirSync(join(folder, 'mixed/scans'), { recursive: true })
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(folder, 'mixed', name), 'so it was\n')
    for (const name of ['1.pdf', '2.pdf', '3.pdf']) writeFileSync(join(folder, 'mixed/scans', name), '')
    await fill(page, 'Mixed')
    await drop(page, join(folder, 'mixed'))
    const bar = page.locator('.send-bar')
    await bar.getByRole('link', { name: '3 problems' }).waitFor()
    assert.match(await bar.innerText(), /^5 files, 20 bytes, 3 problems/)
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      assert.deepEqual(await misfits(page), [])
      const box = await bar.boundingBox()
      assert.ok(box !== null && box.y + box.height <= 800, 'the bar is always in view')
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    assert.deepEqual(await barriers(page), [])
    await page.getByRole('button', { name: 'scans', exact: true }).click()
    assert.equal(await page.locator('[data-file="mixed/scans/1.pdf"]').count(), 0)
    await page.getByRole('button', { name: 'Remove the 3 problem files' }).click()
    await page.getByText('No problems found. Ready to submit.').waitFor()
    assert.match(await bar.innerText(), /^2 files, 20 bytes/)
  })

  test('leaving with files that are not submitted asks first, by link and by going back', async () => {
    const { page } = member
    await page.goto(`${origin}/console/submissions`)
    await page.getByRole('button', { name: 'New submission' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Kept')
    await page.locator('[data-pick=files]').setInputFiles([NOTES])
    await page.locator('[data-file="notes.txt"]').waitFor()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByText('Leave without submitting?').waitFor()
    assert.deepEqual(await barriers(page), [])
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.evaluate(() => history.back())
    await page.getByText('Leave without submitting?').waitFor()
    assert.match(page.url(), /\/console\/new$/)
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.locator('[data-file="notes.txt"]').waitFor()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
  })

  test('evidence is submitted and shared with the keyboard alone, in under 25 key presses', async () => {
    const { page } = member
    await page.goto(`${origin}/console/submissions`)
    await page.getByRole('button', { name: 'New submission' }).first().press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    let presses = 0
    const press = async (key: string): Promise<void> => {
      presses++
      assert.ok(presses < 25, 'too many key presses')
      await page.keyboard.press(key)
    }
    const tabTo = async (target: Locator): Promise<void> => {
      do await press('Tab')
      while (!(await target.evaluate((element) => element === document.activeElement)))
    }
    await tabTo(page.getByRole('textbox', { name: 'Name' }))
    await page.keyboard.type('By keyboard')
    await tabTo(page.getByRole('button', { name: 'Choose files…' }))
    await (await chooserOf(page, () => press('Enter'))).setFiles([NOTES, MORE])
    await page.getByText('No problems found. Ready to submit.').waitFor()
    await tabTo(page.getByRole('button', { name: 'Submit', exact: true }))
    await press('Enter')
    await page.locator('.verdict.pass').waitFor()
    await tabTo(page.getByRole('button', { name: 'Share', exact: true }))
    await press('Enter')
    await page.getByRole('dialog').locator('input:focus').waitFor()
    await press('Enter')
    await page.getByRole('dialog', { name: 'Shared' }).waitFor()
  })

  test('a draft can be deleted', async () => {
    const { page } = member
    await fill(page, 'Given up')
    await page.locator('[data-pick=files]').setInputFiles([NOTES, MORE])
    await page.getByText('No problems found. Ready to submit.').waitFor()
    let uploads = 0
    await page.route('**/evidence', (route) => (++uploads === 2 ? route.abort() : route.fallback()))
    await send(page)
    await page.getByText('Upload incomplete').waitFor()
    await page.unroute('**/evidence')
    await page.goto(`${origin}/console/submissions`)
    await page.getByText('Given up', { exact: true }).first().click()
    await page.getByRole('button', { name: 'Delete draft' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete draft' }).click()
    await page.getByRole('heading', { name: 'Submissions', level: 1 }).waitFor()
  })
})

/** On a loaded machine, Chromium now and then opens no file chooser at the first press. */
async function chooserOf(page: Page, press: () => Promise<void>): Promise<FileChooser> {
  for (;;) {
    const choosing = page.waitForEvent('filechooser', { timeout: 20_000 }).catch(() => undefined)
    await press()
    const chooser = await choosing
    if (chooser !== undefined) return chooser
  }
}

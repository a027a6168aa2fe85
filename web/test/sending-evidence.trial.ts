// Only in test:all: interrupted uploads; resumable-crash.trial.ts has the API
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { inviteLink } from '../../server/test/console-client.ts'
import { type TestService, testService } from '../../server/test/test-service.ts'
import { until } from '../../server/test/until.ts'
import { administer, form, workspaceClient } from '../../server/test/workspace-client.ts'
import { builtPages } from './built-pages.ts'
import { barriers } from './barriers.ts'
import { MORE, nameSubmission, NOTES, send } from './upload-page.ts'
import { originOf, signedIn, type Visitor, visitor } from './visitor.ts'

/** Simulates switching to another tab and back. */
const look = (page: Page, state: DocumentVisibilityState): Promise<void> =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

/** Runs in the page: whether it accepts a dragged file. */
function droppedIsKept(): boolean {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['x'], 'x.txt'))
  const over = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer })
  return !document.body.dispatchEvent(over)
}

const EVERY_CALL = /\/(?:console\/api|v1)\//
describe('uploading evidence in Chromium', { skip: noBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-sending-'))
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

  test('an interrupted upload resumes with the failed file', async () => {
    const { page } = member
    await fill(page, 'Cut off')
    await page.locator('[data-pick=files]').setInputFiles([MORE, NOTES])
    await page.getByText('No problems found. Ready to submit.').waitFor()
    let uploads = 0
    await page.route('**/evidence', (route) => (++uploads === 2 ? route.abort() : route.fallback()))
    await send(page)
    await page.getByText('Upload incomplete').waitFor()
    assert.match(await page.locator('[data-file="more.txt"]').innerText(), /uploaded/)
    assert.deepEqual(await barriers(page), [])
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.locator('.verdict.pass').waitFor()
    await page.unroute('**/evidence')
    assert.equal(uploads, 4, 'one file, the same cut off and sent again, and the seal')
  })

  test('a large file continues where it stopped: after a lost connection, and after the page is reloaded', async () => {
    const { page } = member
    const large = join(folder, 'large.log')
    writeFileSync(large, 'one line of a log\n'.repeat(1_200_000))
    await fill(page, 'Large')
    await page.locator('[data-pick=files]').setInputFiles([large])
    await page.getByText('No problems found. Ready to submit.').waitFor()
    const offsets: string[] = []
    let isOnline = true
    await page.route('**/uploads/upl_*', async (route) => {
      const { 'upload-offset': offset } = await route.request().allHeaders()
      if (route.request().method() !== 'PATCH') return isOnline ? route.fallback() : route.abort()
      offsets.push(offset ?? '')
      // The second chunk is lost once, and then nothing arrives until the page is reloaded.
      if (offsets.length === 2) return route.abort()
      isOnline = offsets.length < 4
      return isOnline ? route.fallback() : route.abort()
    })
    await send(page)
    await until(() => offsets.length === 4)
    assert.deepEqual(offsets, ['0', '8388608', '8388608', '16777216'])
    page.once('dialog', (dialog) => void dialog.accept())
    await page.goto(`${origin}/console/submissions`)
    isOnline = true
    await page.getByText('Large', { exact: true }).first().click()
    await page.getByText('16.8 MB of 21.6 MB uploaded').waitFor()
    assert.deepEqual(await barriers(page), [])
    await page.unroute('**/uploads/upl_*')
    const continued = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.locator('[data-pick=files]').setInputFiles([large])
    await page.getByText('No problems found. Ready to submit.').waitFor()
    await send(page)
    assert.equal((await (await continued).allHeaders())['upload-offset'], '16777216')
    await page.locator('.verdict.pass').waitFor()
  })

  test('a lost response does not upload a file twice', async () => {
    const { page } = member
    await fill(page, 'Lost answers')
    await page.locator('[data-pick=files]').setInputFiles([NOTES, MORE])
    await page.getByText('No problems found. Ready to submit.').waitFor()
    for (const button of ['Submit', 'Resume', 'Resume']) {
      await page.route(
        '**/evidence',
        async (route) => {
          await route.fetch()
          await route.abort('connectionreset')
        },
        { times: 1 },
      )
      const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/evidence'))
      await page.getByRole('button', { name: button, exact: true }).click()
      await lost
    }
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.locator('.verdict.pass').waitFor()
  })

  test('a change before the event stream connects is shown', async () => {
    const { page } = member
    await fill(page, 'Told late')
    await page.locator('[data-pick=files]').setInputFiles([NOTES])
    await page.getByText('No problems found. Ready to submit.').waitFor()
    await send(page)
    await page.locator('.verdict.pass').waitFor()
    // The page loads the running submission, which ends before the stream connects.
    const isRead = Promise.withResolvers<void>()
    let readings = 0
    await page.route('**/v1/submissions/*', async (route) => {
      const response = await route.fetch()
      if (++readings > 1) return route.fulfill({ response })
      const submission = (await response.json()) as object
      const running = { status: 'RUNNING', stage: 'running', kit_id: null }
      await route.fulfill({ response, json: { ...submission, ...running } })
      return isRead.resolve()
    })
    await page.route('**/v1/events/stream*', async (route) => {
      await isRead.promise
      await route.fallback()
    })
    await page.reload()
    await page.locator('.verdict.pass').waitFor()
    await page.unroute('**/v1/submissions/*')
    await page.unroute('**/v1/events/stream*')
  })

  test('chosen files are kept when the session ends and the member signs in again', async () => {
    await using own = await visitor(browser)
    const { page, context } = own
    const token = await inviteLink(service, 'away-for-lunch@acme.example', { role: 'member' })
    await page.goto(`${origin}/console/invite#${token}`)
    await page.getByRole('button', { name: 'Create a passkey and sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await fill(page, 'After lunch')
    await page.locator('[data-pick=files]').setInputFiles([NOTES])
    await page.getByText('No problems found. Ready to submit.').waitFor()
    await context.clearCookies()
    await send(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    assert.equal(await page.getByText('notes.txt').isVisible(), false)
    assert.deepEqual(await barriers(page), [])
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('notes.txt').waitFor()
    assert.match(await page.title(), /New submission/)
    await send(page)
    await page.locator('.verdict.pass').waitFor()
    await page.goto(`${origin}/console/account`)
    await page.getByText('away-for-lunch@acme.example').first().waitFor()
    await context.clearCookies()
    await look(page, 'hidden')
    await look(page, 'visible')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    assert.equal(await page.getByText('away-for-lunch@acme.example').count(), 0, 'other pages are gone')
  })

  test('chosen files are kept while the service is unreachable', async () => {
    const { page } = member
    await fill(page, 'Not answered')
    await page.locator('[data-pick=files]').setInputFiles([NOTES])
    await page.getByText('No problems found. Ready to submit.').waitFor()
    await page.route(EVERY_CALL, (route) => route.abort())
    const refused = page.waitForRequest('**/console/api/me')
    await look(page, 'hidden')
    await look(page, 'visible')
    await refused
    await send(page)
    await page.getByText('Cannot reach the service').waitFor()
    await page.unroute(EVERY_CALL)
    await send(page)
    await page.locator('.verdict.pass').waitFor()
  })

  test('a double click uploads once, and leaving during an upload asks for confirmation', async () => {
    const { page } = member
    await fill(page, 'Pressed twice')
    await page.locator('[data-pick=files]').setInputFiles([NOTES])
    await page.getByText('No problems found. Ready to submit.').waitFor()
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    await page.route('**/v1/submissions', (route) => held.then(() => route.fallback()))
    const asked = member.requests.length
    const button = page.getByRole('button', { name: 'Submit', exact: true })
    await button.evaluate((element: HTMLElement) => {
      element.click()
      element.click()
    })
    const asks = page.waitForEvent('dialog')
    const reload = page.reload({ timeout: 1000 }).catch(() => undefined)
    const dialog = await asks
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.dismiss()
    await reload
    assert.equal(
      await page.evaluate(droppedIsKept),
      true,
      'a dropped file does not take the place of the page',
    )
    go()
    await page.locator('.verdict.pass').waitFor()
    await page.unroute('**/v1/submissions')
    const sent = member.requests
      .slice(asked)
      .filter((url) => /\/v1\/submissions(\/[^/]+\/evidence)?$/.test(url))
    assert.equal(sent.length, 3, 'opened once, one file, the seal')
  })

  test('uploaded files are not uploaded or counted twice', async () => {
    await administer(service, (admin) => admin.plans.create('small', { uploadLimitBytes: 30 }))
    const acme = await workspaceClient(service, { plan: 'small' })
    const id = await acme.submission()
    await acme.upload(id, form({ 'notes.txt': 'so it was\n' }, { final: 'false' }))
    await using other = await signedIn(browser, service, { role: 'member', workspaceId: acme.workspaceId })
    const { page } = other
    await page.goto(`${origin}/console/submissions/${id}`)
    await page.getByText('1 file already uploaded').waitFor()
    await page.locator('[data-pick=files]').setInputFiles([NOTES, MORE])
    await page.getByText('1 file skipped: a file with the same name is already in this submission.').waitFor()
    await page.getByText('No problems found. Ready to submit.').waitFor()
    assert.deepEqual(await page.locator('.file-name').allInnerTexts(), ['more.txt'])
    let uploads = 0
    await page.route('**/evidence', (route) => (++uploads === 2 ? route.abort() : route.fallback()))
    await send(page)
    await page.getByText('Upload incomplete').waitFor()
    await page.getByText('1 file already uploaded').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.locator('.verdict.pass').waitFor()
  })

  test('the page polls if the event stream fails', async () => {
    const { page } = member
    await page.route('**/v1/events/stream*', (route) => route.abort())
    await fill(page, 'No stream')
    await page.locator('[data-pick=files]').setInputFiles([NOTES])
    await page.getByText('No problems found. Ready to submit.').waitFor()
    await send(page)
    await page.locator('.verdict.pass').waitFor()
    await page.unroute('**/v1/events/stream*')
  })
})

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { until } from '../../test/kit/until.ts'
import { administer, workspaceClient } from '../../test/kit/workspace.ts'
import { builtPages } from './built-pages.ts'
import { choose, verdictOf } from './on-page.ts'
import { originOf, signedIn, visitor } from './visitor.ts'

const FILE_BYTES = 33_000_000

/** `KITSEAL_LARGE_GIB=5 npm test -- large-kit` checks a file of 5 GiB. */
const EVIDENCE_BYTES = Math.round(Number(process.env['KITSEAL_LARGE_GIB'] ?? '0.1') * 1024) * 1024 * 1024
/** Of a page with its worker, whatever it checks. */
const MAX_PAGE_BYTES = 600_000_000

describe('a 100 MB kit in the browser', { skip: noBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-large-'))
  const zip = join(folder, 'kit.zip')
  let browser: Browser
  let service: TestService

  before(async () => {
    await builtPages()
    service = await testService({}, 'work in a thread')
    browser = await launchBrowser()
    const client = await workspaceClient(service)
    const id = await client.submission()
    const form = new FormData()
    const line = `${'the quick brown fox, '.repeat(5)}\n`
    for (const name of ['a.txt', 'b.txt', 'c.txt'])
      form.append('file', new Blob([name, line.repeat(Math.floor(FILE_BYTES / line.length))]), name)
    await client.upload(id, form)
    const { status } = await client.ended(id)
    assert.equal(status, 'PASS')
    const answer = await fetch(`${service.base}/v1/submissions/${id}/deliverables/kit.zip`, {
      headers: { 'x-api-key': client.key },
    })
    writeFileSync(zip, Buffer.from(await answer.arrayBuffer()))
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  /** How often the page did something else during verification. */
  async function verified(page: Page): Promise<number> {
    await page.goto(`${service.base}/verify`)
    await page.locator('details.no-print').waitFor()
    await page.evaluate(() => {
      const watch = { ticks: 0 }
      Object.assign(globalThis, { watch })
      // A result ends the count.
      setInterval(() => document.querySelector('.verdict') ?? (watch.ticks += 1), 10)
    })
    const idle = Number(await page.evaluate('watch.ticks'))
    await choose(page, zip)
    await page.getByRole('progressbar').waitFor()
    assert.equal(await verdictOf(page), 'PASS')
    return Number(await page.evaluate('watch.ticks')) - idle
  }

  test('verification can be stopped with the keyboard', async () => {
    await using anyone = await visitor(browser)
    const { page } = anyone
    await page.goto(`${service.base}/verify`)
    await page.locator('details.no-print').waitFor()
    await choose(page, zip)
    await page.getByRole('button', { name: 'Stop' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Stopped. Nothing was verified.').waitFor()
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Choose a file…')
  })

  test('verification shows progress and keeps the page responsive', async () => {
    await using anyone = await visitor(browser)
    const ticks = await verified(anyone.page)
    // A page that verifies on its own thread has none or one between reading and result.
    assert.ok(ticks > 10, `timers ran ${ticks} times`)
  })

  test('a large file is checked with progress, and without reading it into memory', async (t) => {
    const large = join(folder, 'large.log')
    writeFileSync(large, 'one line of a log\n'.repeat(1000))
    // The rest is a hole: it takes no space on the disk.
    truncateSync(large, EVIDENCE_BYTES)
    const limits = { uploadLimitBytes: EVIDENCE_BYTES, unpackedLimitBytes: EVIDENCE_BYTES }
    await administer(service, (admin) => admin.plans.update('default', limits))
    await using member = await signedIn(browser, service, { role: 'member' })
    const { page } = member
    await page.goto(`${originOf(service)}/console/new`)
    await page.getByRole('textbox', { name: 'Name' }).fill('Large')
    const idle = await pageMemory()
    const started = performance.now()
    await page.locator('[data-pick=files]').setInputFiles([large])
    const progress = page.getByRole('progressbar', { name: 'Checking files in your browser' })
    await until(async () => (await progress.evaluate((bar: HTMLProgressElement) => bar.value)) > 0)
    await page.getByText('Ready to submit').waitFor({ timeout: 0 })
    const seconds = (performance.now() - started) / 1000
    const peak = await pageMemory()
    t.diagnostic(
      `${EVIDENCE_BYTES} bytes checked in ${seconds.toFixed(0)} s; memory ${idle}, at most ${peak}`,
    )
    assert.ok(peak < MAX_PAGE_BYTES, `${peak} bytes`)
    assert.deepEqual(member.problems, [])
  })

  /** The largest peak memory of a page so far. */
  async function pageMemory(): Promise<number> {
    const devtools = await browser.newBrowserCDPSession()
    const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
    await devtools.detach()
    const peaks = processInfo
      .filter(({ type }) => type === 'renderer')
      .map(({ id }) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) * 1024)
    return Math.max(...peaks)
  }
})

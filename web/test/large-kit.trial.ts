import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { type TestService, testService } from '../../server/test/test-service.ts'
import { workspaceClient } from '../../server/test/workspace-client.ts'
import { builtPages } from './built-pages.ts'
import { visitor } from './visitor.ts'
import { choose, verdictOf } from './on-page.ts'

const FILE_BYTES = 33_000_000
/** Reading, CRC-32 and messages between threads included. */
const MAX_HASH_TIMES = 20

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

  /** How long verification took, and how long the page was blocked at most. */
  async function verified(page: Page): Promise<{ readonly tookMs: number; readonly pauseMs: number }> {
    await page.goto(`${service.base}/verify`)
    await page.locator('.keys-used').waitFor()
    await page.evaluate(() => {
      const watch = { longest: 0, last: performance.now() }
      Object.assign(globalThis, { watch })
      setInterval(() => {
        const now = performance.now()
        watch.longest = Math.max(watch.longest, now - watch.last)
        watch.last = now
      }, 10)
    })
    await choose(page, zip)
    await page.getByRole('progressbar').waitFor()
    assert.equal(await verdictOf(page), 'PASS')
    const seconds = /in ([\d.]+) s/.exec(await page.locator('.verdict').innerText())?.[1]
    const pauseMs = await page.evaluate('watch.longest')
    return { tookMs: Number(seconds) * 1000, pauseMs: Number(pauseMs) }
  }

  test('verification can be stopped with the keyboard', async () => {
    await using anyone = await visitor(browser)
    const { page } = anyone
    await page.goto(`${service.base}/verify`)
    await page.locator('.keys-used').waitFor()
    await choose(page, zip)
    await page.getByRole('button', { name: 'Stop' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Stopped. Nothing was verified.').waitFor()
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Choose a file…')
  })

  test('verification shows progress, keeps the page responsive, and costs little more than hashing', async () => {
    await using anyone = await visitor(browser)
    const { tookMs, pauseMs } = await verified(anyone.page)
    const hashMs = await hashTime(anyone.page)
    assert.ok(tookMs < MAX_HASH_TIMES * hashMs, `${tookMs} ms, hashing alone takes ${hashMs} ms`)
    assert.ok(pauseMs < tookMs / 3, `the page was blocked for ${pauseMs} of ${tookMs} ms`)
    console.log(`100 MB verified in ${tookMs} ms, the longest pause ${Math.round(pauseMs)} ms`)
  })
})

/** Milliseconds to hash as many bytes in the same browser, under the same load. */
function hashTime(page: Page): Promise<number> {
  return page.evaluate(async (bytes) => {
    const started = performance.now()
    for (let file = 0; file < 3; file += 1) await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))
    return performance.now() - started
  }, FILE_BYTES)
}

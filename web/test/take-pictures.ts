import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { saveKits, startDemoService } from '../../cli/src/commands/demo-service.ts'
import { makeDemoWorld } from '../../cli/src/demo-world.ts'
import { BUSY_TIMEOUT_MS, launchBrowser } from '../../kit/embed/test/browser.ts'

/** A text that the picture shows, without what differs from day to day, and where it is. */
export type ShownText = readonly [text: string, x: number, y: number]

export interface Picture {
  readonly name: string
  readonly light: Buffer
  readonly dark: Buffer
  readonly texts: readonly ShownText[]
}

/** Takes the pictures of the demo, in both colour schemes. */
export async function takePictures(): Promise<readonly Picture[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-pictures-'))
  const { signal } = new AbortController()
  const browser = await launchBrowser()
  try {
    await using demo = await startDemoService(path.join(folder, 'data'))
    const world = await makeDemoWorld(demo.service, signal)
    const { changed } = await saveKits(demo.service, world, folder, signal)
    const signIn = await demo.signInLink()
    const { origin } = new URL(signIn)
    const context = await browser.newContext({ deviceScaleFactor: 2, locale: 'en', timezoneId: 'UTC' })
    context.setDefaultTimeout(BUSY_TIMEOUT_MS)
    const page = await context.newPage()
    await page.goto(signIn)
    await page.getByRole('button', { name: 'Sign in once without a passkey' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    const pictures: Picture[] = []
    const take = async (name: string, size: { width: number; height: number }): Promise<void> => {
      await page.setViewportSize(size)
      await page.evaluate(() => document.fonts.ready)
      const texts = (await page.evaluate(shownTexts)).map(steady)
      const [light, dark] = [await picture(page, 'light'), await picture(page, 'dark')]
      pictures.push({ name, light, dark, texts })
    }
    await page.goto(`${origin}/verify`)
    await page.locator('[data-pick=files]').setInputFiles(changed)
    await page.locator('.verdict-heading').waitFor()
    await take('verifier', { width: 900, height: 940 })
    await page.goto(`${origin}/console/programs/${world.programId}`)
    await page.getByRole('grid').waitFor()
    await take('board', { width: 1100, height: 660 })
    await page.goto(world.room)
    await page.getByText('Verified in this browser:').waitFor()
    await take('room', { width: 900, height: 760 })
    await page.goto(world.request)
    await page.getByRole('button', { name: 'Submit' }).waitFor()
    await take('request', { width: 900, height: 760 })
    return pictures
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** WebP, which Playwright does not offer: a third of the bytes of PNG. */
async function picture(page: Page, colorScheme: 'light' | 'dark'): Promise<Buffer> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.waitForFunction(
    (scheme) => document.documentElement.dataset['mantineColorScheme'] === scheme,
    colorScheme,
  )
  const devtools = await page.context().newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  await devtools.detach()
  return Buffer.from(data, 'base64')
}

/** Runs in the page: the texts inside the window, in the order of the document. */
function shownTexts(): [string, number, number][] {
  const shown: [string, number, number][] = []
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const text = (node.textContent ?? '').trim()
    const range = document.createRange()
    range.selectNodeContents(node)
    const { left, top, width, height } = range.getBoundingClientRect()
    const isInside = left >= 0 && top >= 0 && top + height <= innerHeight && width > 1 && height > 1
    const parent = node.parentElement
    const isSeen = parent?.checkVisibility() === true && parent.closest('.visually-hidden') === null
    if (text !== '' && isInside && isSeen) shown.push([text, Math.round(left), Math.round(top)])
  }
  return shown
}

/** What is different each time: quarters, days, times, durations, sizes, IDs, hashes and ports. */
const UNSTEADY =
  /\b\d{4}-Q\d\b|\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC|\b\d+ [A-Z][a-z]{2,3}\b(?: \d{4})?(?:, \d\d:\d\d UTC)?|\b[\d.]+ (?:s|KB|days?|seconds?)\b|\bentry \d+ of \d+|\bkit_[\w-]+|\b[0-9a-f]{64}\b|(?<=127\.0\.0\.1:|localhost:)\d+/g

export const steady = ([text, x, y]: ShownText): ShownText => [text.replaceAll(UNSTEADY, '…'), x, y]

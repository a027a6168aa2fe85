import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { saveKits, startDemoService, makeDemoWorld } from '../../cli/src/commands/demo-world.ts'
import { BUSY_TIMEOUT_MS, launchBrowser } from '../../kit/embed/test/browser.ts'

export interface Picture {
  readonly name: string
  readonly light: Buffer
  readonly dark: Buffer
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
      const [light, dark] = [await picture(page, 'light'), await picture(page, 'dark')]
      pictures.push({ name, light, dark })
    }
    await page.goto(`${origin}/verify`)
    await page.locator('[data-pick=files]').setInputFiles(changed)
    await page.locator('.verdict-heading').waitFor()
    await take('verifier', { width: 900, height: 940 })
    await page.goto(`${origin}/console/programs/${world.programId}`)
    await page.locator('.board').waitFor()
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
  const devtools = await page.context().newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  await devtools.detach()
  return Buffer.from(data, 'base64')
}

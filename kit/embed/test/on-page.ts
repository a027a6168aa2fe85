import type { Page } from 'playwright-core'

export interface Shown {
  /** PASS or FAIL. */
  readonly verdict: string
  readonly heading: string
  readonly checks: readonly string[]
  readonly errors: readonly string[]
  readonly text: string
}

/** Clicks Verify and reads the result. */
export async function verifyOnPage(page: Page): Promise<Shown> {
  await page.locator('#verify').click()
  return readResult(page)
}

export async function readResult(page: Page): Promise<Shown> {
  await page.locator('#verdict').waitFor()
  const checks = await page.locator('.checks li').all()
  return {
    verdict: (await page.locator('#verdict .verdict-word').textContent()) ?? '',
    heading: ((await page.locator('#verdict small').textContent()) ?? '').trim(),
    checks: await Promise.all(
      checks.map(async (row) =>
        (await row.locator('.word, .what').allTextContents()).map((text) => text.trim()).join(' | '),
      ),
    ),
    errors: await page.locator('.errors li').allTextContents(),
    text: (await page.locator('#result').innerText()) ?? '',
  }
}

export async function chooseZip(page: Page, path: string): Promise<void> {
  await page.locator('#choose-zip').setInputFiles(path)
  await page.locator('.has-kit').waitFor()
}

export async function chooseKeys(page: Page, path: string): Promise<void> {
  await page.locator('#choose-keys').setInputFiles(path)
  await page.locator('#key-sets li').first().waitFor()
}

/** Drops real files and folders through the browser's own drag and drop. */
export async function drop(page: Page, ...files: readonly string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data })
  }
  await devtools.detach()
}

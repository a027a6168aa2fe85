import { basename } from 'node:path'
import type { Page } from 'playwright-core'

export interface Shown {
  /** PASS or FAIL. */
  readonly verdict: string
  readonly heading: string
  readonly checks: readonly string[]
  readonly errors: readonly string[]
  readonly text: string
}

/** Chooses a zip and reads the result. */
export async function checkZip(page: Page, path: string): Promise<Shown> {
  await page.locator('#choose-zip').setInputFiles(path)
  return readResult(page, basename(path))
}

export interface Keys {
  /** The path of a key set. */
  readonly keySet?: string
  readonly kid?: string
}

/** Enters the issuer's keys in the form of a result, without checking again. */
export async function enterKeys(page: Page, { keySet, kid }: Keys): Promise<void> {
  await page.locator('.key-form').waitFor()
  if (kid !== undefined) await page.locator('#kid').fill(kid)
  if (keySet === undefined) return
  await page.locator('#choose-keys').setInputFiles(keySet)
  await page.locator('#chosen-keys', { hasText: basename(keySet) }).waitFor()
}

/** Gives the issuer's keys, confirms where they are from, and reads the result. */
export async function giveKeys(page: Page, keys: Keys): Promise<Shown> {
  await enterKeys(page, keys)
  await page.locator('#confirmed').check()
  await page.locator('#check-again').click()
  return readResult(page)
}

/** Chooses a zip, gives the keys, and reads the second result. */
export async function checkZipWith(page: Page, path: string, keys: Keys): Promise<Shown> {
  await checkZip(page, path)
  return giveKeys(page, keys)
}

/** The result, of the kit with this name where given. */
export async function readResult(page: Page, name = ''): Promise<Shown> {
  await page.locator('.verdict', { hasText: name }).waitFor()
  const checks = await page.locator('.checks li').all()
  return {
    verdict: (await page.locator('#verdict').getAttribute('data-status')) ?? '',
    heading: (await page.locator('#verdict .verdict-heading').textContent()) ?? '',
    checks: await Promise.all(
      checks.map(async (row) =>
        (await row.locator('.word, .what').allTextContents()).map((text) => text.trim()).join(' | '),
      ),
    ),
    errors: await page.locator('.errors li').allTextContents(),
    text: await page.locator('.result').innerText(),
  }
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

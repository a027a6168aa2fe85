import type { Page } from 'playwright-core'

export const choose = (page: Page, file: string): Promise<void> =>
  page.locator('[data-pick=files]').setInputFiles(file)

/** The word of the result, once there is one. */
export async function verdictOf(page: Page): Promise<string> {
  return page.locator('.verdict-word').innerText()
}

/** A drop as the system makes it, with real files and folders. */
export async function drop(page: Page, ...files: readonly string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data })
  }
  await devtools.detach()
}

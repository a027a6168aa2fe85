import type { Page } from 'playwright-core'

export const NOTES = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('so it was\n') }
export const MORE = { name: 'more.txt', mimeType: 'text/plain', buffer: Buffer.from('and so it went on\n') }

/** Opens the upload page and names the submission. */
export async function nameSubmission(page: Page, origin: string, label: string): Promise<void> {
  await page.goto(`${origin}/console/new`)
  await page.getByRole('textbox', { name: 'Name' }).fill(label)
}

export const send = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Submit', exact: true }).click()

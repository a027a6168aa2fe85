import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'

/** Why the suites that need a browser cannot run here, or false: node:test's `skip`. */
export const noBrowser: string | false = existsSync(CHROMIUM)
  ? false
  : `there is no ${CHROMIUM}: the pages were NOT tried in a browser`

if (noBrowser !== false) console.log(`skipped: ${noBrowser}`)

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export interface OpenPage extends AsyncDisposable {
  readonly page: Page
  /** Every address that the page or its workers asked for. */
  readonly requests: readonly string[]
  /** Errors that reached the console or were never caught. */
  readonly problems: readonly string[]
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const requests: string[] = []
  const problems: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(url)
  return { page, requests, problems, [Symbol.asyncDispose]: () => context.close() }
}

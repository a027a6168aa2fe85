import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'
/** How long a page may take on a busy machine. */
export const BUSY_TIMEOUT_MS = 120_000

/** The `skip` option for suites that need a browser: the reason, or false. */
export const noBrowser: string | false = existsSync(CHROMIUM)
  ? false
  : `${CHROMIUM} not found: browser tests were NOT run`

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
  /** Every URL that the page or its workers requested. */
  readonly requests: readonly string[]
  /** Console errors and uncaught exceptions. */
  readonly problems: readonly string[]
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(BUSY_TIMEOUT_MS)
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

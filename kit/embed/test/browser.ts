import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type ConsoleMessage,
  type Page,
  type Request,
} from 'playwright-core'

/** The shell is Chromium without its windows: a test file takes a fifth less processor time. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const browserFile = BROWSERS.find((file) => existsSync(file))
/** How long a page may take on a busy machine. */
export const BUSY_TIMEOUT_MS = 30_000

/** The `skip` option for suites that need a browser: the reason, or false. */
export const noBrowser: string | false =
  browserFile === undefined ? `${BROWSERS.join(' or ')} not found: browser tests were NOT run` : false

if (noBrowser !== false) console.log(`skipped: ${noBrowser}`)

/**
 * Features of the browser around the page that no test needs. Each context loads the popup of the address bar as two
 * pages of its own, which takes a second of processor time. The others are those that Playwright disables: Chromium
 * reads only the last list.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'SpareRendererForSitePerProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserFile ?? '',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${DISABLED_FEATURES.join(',')}`,
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

/** Opens a URL. Pages that are opened one after another share a context, unless options are passed, even empty ones. */
export async function openPage(
  browser: Browser,
  url: string,
  options?: BrowserContextOptions,
): Promise<OpenPage> {
  const shared = options === undefined ? takeIdle(browser) : undefined
  const page = shared ?? (await newPage(browser, options))
  const context = page.context()
  const requests: string[] = []
  const problems: string[] = []
  const onRequest = (request: Request): void => void requests.push(request.url())
  const onConsole = (message: ConsoleMessage): void => {
    if (message.type() === 'error') problems.push(message.text())
  }
  const onError = (error: Error): void => void problems.push(error.message)
  context.on('request', onRequest)
  page.on('console', onConsole)
  page.on('pageerror', onError)
  await page.goto(url)
  return {
    page,
    requests,
    problems,
    [Symbol.asyncDispose]: async () => {
      if (options !== undefined || page.isClosed() || context.pages().length > 1) return context.close()
      context.off('request', onRequest)
      page.off('console', onConsole)
      page.off('pageerror', onError)
      await page.goto('about:blank')
      idle.set(browser, page)
    },
  }
}

const idle = new WeakMap<Browser, Page>()

function takeIdle(browser: Browser): Page | undefined {
  const page = idle.get(browser)
  idle.delete(browser)
  return page
}

async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(BUSY_TIMEOUT_MS)
  return context.newPage()
}

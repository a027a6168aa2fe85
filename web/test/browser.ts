import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'

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

export interface Visitor extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** Every address that the page or its workers asked for. */
  readonly requests: readonly string[]
  /** What reached the console as an error or was never caught; what the policy refused is among it. */
  readonly problems: readonly string[]
}

/** Somebody with a browser of their own, and a passkey that lives in it. */
export async function visitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ acceptDownloads: true, ...options })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  const requests: string[] = []
  const problems: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => {
    const { url } = message.location()
    if (message.type() === 'error' && !isSignedOut(url)) problems.push(`${url}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await addAuthenticator(context, page)
  return { page, context, requests, problems, [Symbol.asyncDispose]: () => context.close() }
}

/** Chromium reports each answer that is no success; that nobody is signed in is one of them. */
const isSignedOut = (url: string): boolean => url.endsWith('/console/api/me')

async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

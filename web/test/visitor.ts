import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { BUSY_TIMEOUT_MS } from '../../kit/embed/test/browser.ts'
import { inviteLink } from '../../test/kit/console.ts'
import type { TestService } from '../../test/kit/service.ts'

export interface Visitor extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** Every URL that the page or its workers requested. */
  readonly requests: readonly string[]
  /** Console errors, uncaught exceptions and Content-Security-Policy violations. */
  readonly problems: readonly string[]
}

/** A browser context with a virtual authenticator for passkeys. */
export async function visitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ acceptDownloads: true, ...options })
  context.setDefaultTimeout(BUSY_TIMEOUT_MS)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  const requests: string[] = []
  const problems: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.location().url}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await addAuthenticator(context, page)
  return { page, context, requests, problems, [Symbol.asyncDispose]: () => context.close() }
}

export interface Joining {
  readonly role: 'owner' | 'manager' | 'member' | 'viewer'
  readonly workspaceId?: string
}

/** A member who signed in with a link, without a passkey. */
export async function signedIn(browser: Browser, service: TestService, joining: Joining): Promise<Visitor> {
  const member = await visitor(browser)
  const token = await inviteLink(service, `${joining.role}-${Math.random()}@acme.example`, joining)
  await member.page.goto(`${originOf(service)}/console/invite#${token}`)
  const enter = member.page.getByRole('button', { name: 'Sign in once without a passkey' })
  await enter.waitFor()
  if (await member.page.getByLabel('Organization').isVisible()) {
    await member.page.getByLabel('Organization').fill('Acme')
    await member.page.getByLabel('Your name').fill('Ann Meier')
  }
  await enter.click()
  await member.page.getByRole('heading', { name: 'Overview' }).waitFor()
  return member
}

/** The console's origin. Passkeys need a host name, not an IP address. */
export const originOf = ({ base }: TestService): string => base.replace('127.0.0.1', 'localhost')

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

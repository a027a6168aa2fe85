import { type ClientOptions, createClient, createTransport } from './client.ts'
import { consoleCalls } from './console-calls.ts'

export type { Ceremony, Introduction, PasskeyAnswer, Person, ServiceLimits } from './console-calls.ts'
export type * from './console-types.generated.ts'

/** Sent by the pages of the console. Other sites cannot send it, because it requires a CORS preflight. */
export const OWN_REQUEST = { 'x-console-request': '1' } as const

/** Sent with polling, which does not extend the session. */
export const IN_BACKGROUND = { 'x-console-background': '1' } as const

export type ConsoleClient = ReturnType<typeof createConsoleClient>

/** A client for pages of the service: the API with the session of a member, and what only a session can do. */
export function createConsoleClient(service: Omit<ClientOptions, 'apiKey' | 'headers'>) {
  const options = { ...service, headers: OWN_REQUEST }
  return {
    ...createClient(options),
    ...consoleCalls(createTransport({ ...options, fetch: service.fetch ?? fetchQuietly })),
  }
}

/**
 * Fetches for a page of the service. Browsers log every error status as an error of the page, also one that the page expects and
 * explains. Such errors come with status 200 and their own in a header.
 */
export async function fetchQuietly(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('x-errors', 'quiet')
  const response = await fetch(url, { ...init, headers })
  const status = Number(response.headers.get('x-error-status') ?? 200)
  return status === 200 ? response : new Response(response.body, { status, headers: response.headers })
}

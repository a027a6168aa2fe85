import type { FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import type { ConsolePlace } from './console-place.ts'

/** Other sites cannot send this header, because it requires a CORS preflight. */
export const CONSOLE_HEADER = 'x-console-request'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

export const isSafe = ({ method }: Pick<FastifyRequest, 'method'>): boolean => SAFE.has(method)

/** Whether a request for reading comes from a page of this service, a typed address or a program. */
export function isSameOrigin({ headers }: FastifyRequest, { origins }: ConsolePlace): boolean {
  const { origin, 'sec-fetch-site': site = 'none' } = headers
  return (origin === undefined || origins.includes(origin)) && (site === 'same-origin' || site === 'none')
}

/** CSRF protection: changes need a matching Origin and Sec-Fetch-Site, and a custom header. The cookie is SameSite=Strict too. */
export function rejectOtherSites(request: FastifyRequest, { origins }: ConsolePlace): void {
  const { headers } = request
  const site = headers['sec-fetch-site']
  if (isSafe(request)) return
  const { origin } = headers
  const isOwn =
    origin !== undefined && origins.includes(origin) && (site === undefined || site === 'same-origin')
  if (isOwn && headers[CONSOLE_HEADER] === '1') return
  throw new Refusal(
    'cross_site_refused',
    'The request was not sent by a page of this console. Nothing was changed.',
  )
}

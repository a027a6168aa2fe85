import type { FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import type { ConsolePlace } from './console-place.ts'

/** Other sites cannot send this header, because it requires a CORS preflight. */
export const CONSOLE_HEADER = 'x-console-request'

const SAFE = new Set(['GET', 'HEAD'])

/** CSRF protection: changes need a matching Origin and Sec-Fetch-Site, and a custom header. The cookie is SameSite=Strict too. */
export function rejectOtherSites(request: FastifyRequest, { origins }: ConsolePlace): void {
  const { method, headers } = request
  const site = headers['sec-fetch-site']
  if (SAFE.has(method)) return
  const { origin } = headers
  const isOwn =
    origin !== undefined && origins.includes(origin) && (site === undefined || site === 'same-origin')
  if (isOwn && headers[CONSOLE_HEADER] === '1') return
  throw new Refusal(
    'cross_site_refused',
    'The request was not sent by a page of this console. Nothing was changed.',
  )
}

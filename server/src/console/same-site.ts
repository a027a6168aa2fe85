import type { FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import type { ConsolePlace } from './console-place.ts'

/** No page of another site can send it without being asked first whether it may, and it may not. */
export const CONSOLE_HEADER = 'x-console-request'

const SAFE = new Set(['GET', 'HEAD'])

/**
 * What changes something comes from the console's own pages: the browser says so (Sec-Fetch-Site, Origin), and the
 * page does, by a header field that other sites can't send. The cookie is not sent for other sites either.
 */
export function refuseOtherSites(request: FastifyRequest, { origins }: ConsolePlace): void {
  const { method, headers } = request
  const site = headers['sec-fetch-site']
  if (SAFE.has(method)) return
  const { origin } = headers
  const isOwn =
    origin !== undefined && origins.includes(origin) && (site === undefined || site === 'same-origin')
  if (isOwn && headers[CONSOLE_HEADER] === '1') return
  throw new Refusal('cross_site_refused', 'This was not sent by a page of this console. Nothing was changed.')
}

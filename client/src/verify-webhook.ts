import { fromBase64, utf8 } from '@kitseal/kit/internal'
import type { WorkspaceEvent } from './events.ts'

/**
 * The message is not from the service, or not from now. Answer with 400 and ignore it.
 *
 * @example
 * ```ts
 * import { verifyWebhook, WebhookError } from '@kitseal/client'
 *
 * try {
 *   await verifyWebhook('{}', {}, 'whsec_a2l0c2VhbCBleGFtcGxlIG9ubHkh')
 * } catch (error) {
 *   if (!(error instanceof WebhookError)) throw error
 *   console.log(error.message) // the header webhook-id is missing
 * }
 * ```
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

/** Of a request: `Headers`, or an object as Node.js has it. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** How far the clock of the sender may differ. */
const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'
const MIN_KEY_BYTES = 16

/**
 * Verifies the signature and the time of a webhook's message, and returns its event. `body` is the body as it arrived, before it is
 * parsed. Throws `WebhookError` if the message is not from the service.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { text } from 'node:stream/consumers'
 * import { verifyWebhook } from '@kitseal/client'
 *
 * const server = createServer(async (request, response) => {
 *   const event = await verifyWebhook(await text(request), request.headers, process.env.WEBHOOK_SECRET ?? '')
 *   if (event.type === 'submission.passed') console.log(event.subject, event.data.kit_id)
 *   response.writeHead(204).end()
 * })
 * server.close()
 * ```
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: { readonly now?: () => number } = {},
): Promise<WorkspaceEvent> {
  const bytes = typeof body === 'string' ? utf8(body) : body.slice()
  const [id, sent, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string]
  const key = await importKey(secret)
  const nowSeconds = (options.now ?? Date.now)() / 1000
  if (!/^\d{1,12}$/.test(sent) || Math.abs(Number(sent) - nowSeconds) > TOLERANCE_SECONDS)
    throw new WebhookError('the message is not from now: check the clock')
  const signed = new Uint8Array(await new Blob([`${id}.${sent}.`, bytes]).arrayBuffer())
  for (const each of signatures.split(' ')) {
    const signature = each.startsWith('v1,') ? fromBase64(each.slice(3)) : undefined
    // Compares in constant time.
    if (signature !== undefined && (await crypto.subtle.verify('HMAC', key, signature, signed)))
      return eventIn(bytes)
  }
  throw new WebhookError('the signature is wrong: check the secret, and pass the body as it arrived')
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  if (typeof value !== 'string') throw new WebhookError(`the header ${name} is missing`)
  return value
}

function importKey(secret: string) {
  const key = secret.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : undefined
  if (key === undefined || key.length < MIN_KEY_BYTES)
    throw new TypeError(`the secret is not one of a webhook: expected ${PREFIX} and base64`)
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function eventIn(bytes: Uint8Array): WorkspaceEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (isEvent(event)) return event
  } catch {
    // Not JSON.
  }
  throw new WebhookError('the body is not an event')
}

const isEvent = (value: unknown): value is WorkspaceEvent =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

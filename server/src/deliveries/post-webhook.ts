import { createHmac, randomBytes } from 'node:crypto'
import type { lookup } from 'node:dns'
import { Agent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Signer } from '../keys/signer.ts'
import { type AllowedAddresses, exchange } from './outgoing.ts'

interface PostOptions {
  readonly allowed: AllowedAddresses
  readonly timeoutMs?: number
  /** Resolves names; for tests. */
  readonly resolve?: typeof lookup
}

const TIMEOUT_MS = 15_000
/** The response does not matter. A small one is read, so that the connection can be used again. */
const MAX_ANSWER_BYTES = 16 * 1024
const IDLE_MS = 10_000

export function postWebhooks({ allowed, timeoutMs = TIMEOUT_MS, resolve }: PostOptions) {
  const plain = new Agent({ keepAlive: true, timeout: IDLE_MS })
  const encrypted = new HttpsAgent({ keepAlive: true, timeout: IDLE_MS })
  /** `status` is null if there was no response, and `problem` if the webhook was delivered. */
  return async (text: string, headers: Readonly<Record<string, string>>, body: string) => {
    const url = new URL(text)
    const agent = url.protocol === 'https:' ? encrypted : plain
    try {
      const asked = { allowed, headers, agent, timeoutMs, limitBytes: MAX_ANSWER_BYTES, body, resolve }
      const { status } = await exchange(url, asked)
      return { status, problem: status >= 200 && status < 300 ? null : statusProblem(status) }
    } catch (error) {
      return { status: null, problem: problemOf(error as NodeJS.ErrnoException) }
    }
  }
}

const statusProblem = (status: number): string =>
  status >= 300 && status < 400
    ? `the receiver returned ${status}, a redirect. Redirects are not followed.`
    : `the receiver returned ${status}`

function problemOf(error: NodeJS.ErrnoException): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return 'the receiver did not answer in time'
  // Errors of a connection name the address, which a name may have only inside the operator's network.
  const { code, syscall } = error
  const text = syscall === 'connect' || error instanceof AggregateError ? String(code) : error.message
  return `the receiver cannot be reached: ${text.replaceAll(/[^ -~]+/g, ' ')}`
}

const PREFIX = 'whsec_'

/** A secret of 256 bits, as Standard Webhooks writes it. */
export const makeWebhookSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`

interface SignedWebhook {
  readonly id: string
  readonly timestampMs: number
  readonly body: string
}

/** The headers of Standard Webhooks: HMAC with each valid secret (`v1`), and Ed25519 (`v1a`). */
export async function webhookHeaders(
  { id, timestampMs, body }: SignedWebhook,
  secrets: readonly string[],
  signer: Signer,
): Promise<Readonly<Record<string, string>>> {
  const seconds = Math.floor(timestampMs / 1000)
  const signed = `${id}.${seconds}.${body}`
  const ed25519 = Buffer.from(await signer.sign(Buffer.from(signed))).toString('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'kitseal-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': [...secrets.map((each) => `v1,${hmac(each, signed)}`), `v1a,${ed25519}`].join(' '),
  }
}

const hmac = (secret: string, signed: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(signed)
    .digest('base64')

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { MailConfig } from '../settings/parse.ts'

export interface OutgoingMail {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly messageId: string
  readonly date: Date
  readonly headers: Readonly<Record<string, string>>
}

export type Sent =
  | { readonly is: 'sent' }
  /** `retry`: it may work later. */
  | { readonly is: 'retry' | 'failed'; readonly problem: string }

export type SendMail = (message: OutgoingMail) => Promise<Sent>

/** Sends to the mail server of the settings, or writes to a folder. */
export function mailServer({ server }: MailConfig): SendMail {
  return server.is === 'folder' ? writeMails(server.path) : sendBySmtp(server.url)
}

const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 20_000
const TOTAL_TIMEOUT_MS = 90_000
/** Nothing in a message makes the service read a file or fetch an address. */
const CLOSED = { disableFileAccess: true, disableUrlAccess: true } as const

function sendBySmtp(url: string): SendMail {
  const { hostname, username } = new URL(url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const transport = createTransport({
    url,
    ...CLOSED,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // A password is sent only over TLS, except to this machine.
    ...(username !== '' && !isLocal ? { requireTLS: true } : {}),
  })
  return async (message) => {
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(() => timeout.reject(new Error('the mail server is too slow')), TOTAL_TIMEOUT_MS)
    try {
      const sending = transport.sendMail({ ...addressed(message), ...CLOSED })
      sending.catch(() => {})
      await Promise.race([sending, timeout.promise])
      return { is: 'sent' }
    } catch (error) {
      return { is: isFinal(error) ? 'failed' : 'retry', problem: problemOf(error) }
    } finally {
      clearTimeout(timer)
    }
  }
}

/** As objects, so that no address is parsed from text. */
const addressed = ({ to, headers, ...message }: OutgoingMail) => ({
  ...message,
  headers: { ...headers },
  to: { name: '', address: to },
})

/** A 5xx answer about this message. A refused login is about the settings, and is retried. */
function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown }
  return code !== 'EAUTH' && typeof responseCode === 'number' && responseCode >= 500
}

const problemOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/[^ -~]+/g, ' ')

/** For development: each mail is a file that mail programs open, and a page with its HTML part. */
function writeMails(folder: string): SendMail {
  const transport = createTransport({ streamTransport: true, buffer: true, ...CLOSED })
  return async (message) => {
    const { message: bytes } = await transport.sendMail({ ...addressed(message), ...CLOSED })
    const name = `${message.date.toISOString().replaceAll(':', '')}-${message.messageId.replaceAll(/[<>]|@.*/g, '')}`
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${name}.eml`), bytes as Buffer)
    await writeFile(join(folder, `${name}.html`), message.html)
    return { is: 'sent' }
  }
}

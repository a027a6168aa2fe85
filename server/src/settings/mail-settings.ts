import { resolve } from 'node:path'

export interface MailConfig {
  readonly server: MailServer
  /** `Kits <kits@example.com>` */
  readonly from: string
}

export type MailServer =
  | { readonly is: 'smtp'; readonly url: string }
  /** For development: mail is written to files. Absolute. */
  | { readonly is: 'folder'; readonly path: string }

/** Undefined if no mail is sent. The URL may contain a password, so problems do not quote it. */
export function readMail(
  url: string | undefined,
  from: string | undefined,
  problems: string[],
): MailConfig | undefined {
  if (url === undefined && from === undefined) return undefined
  const server = url === undefined ? undefined : readMailServer(url)
  if (server === undefined)
    problems.push(
      `KITSEAL_SMTP_URL is not ${url === undefined ? 'set, but KITSEAL_MAIL_FROM is' : 'valid'}. Expected smtps://USER:PASSWORD@HOST:465, smtp://HOST:587 or file:FOLDER.`,
    )
  else if (from !== undefined && SENDER.test(from)) return { server, from }
  else
    problems.push(
      `KITSEAL_MAIL_FROM (or --mail-from) is ${from === undefined ? 'not set' : 'not an address'}. Expected an address, such as Kits <kits@example.com>.`,
    )
  return undefined
}

function readMailServer(value: string): MailServer | undefined {
  if (value.startsWith('file:')) {
    const path = value.slice('file:'.length)
    return path === '' ? undefined : { is: 'folder', path: resolve(path) }
  }
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined
  return { is: 'smtp', url: value }
}

const ADDRESS = '[^\\s\\p{C}<>@,;:"]+@[^\\s\\p{C}<>@,;:"]+'
/** `kits@example.com`, or `Kits <kits@example.com>`. */
const SENDER = new RegExp(`^(?:[^<>@,;:"\\p{C}]+ <${ADDRESS}>|${ADDRESS})$`, 'u')

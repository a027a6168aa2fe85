// What shares and rooms take and print.
import { readFileSync } from 'node:fs'
import type { Share } from '@kitseal/client'
import { parseReceipt } from '@kitseal/kit'
import { openKit } from '@kitseal/kit/node'
import { durationProblems, parseDuration } from './duration.ts'
import { InputError, readOrFail } from './input-error.ts'
import { promptSecret } from './prompt-secret.ts'
import { readDocument } from './read-document.ts'
import type { ServiceCall } from './service-call.ts'
import type { Terminal } from './terminal.ts'

/** Of what creates links. */
export const LINK_OPTIONS = {
  expires: 'one',
  note: 'one',
  'max-downloads': 'one',
  password: 'flag',
  'password-file': 'one',
  notify: 'flag',
  to: 'many',
} as const

interface GivenTerms {
  value(name: 'expires' | 'note' | 'max-downloads'): string | undefined
  values(name: 'to'): readonly string[]
  has(name: 'password' | 'password-file' | 'notify' | 'to'): boolean
}

/** The terms of new links, which shares and rooms have in common: what is wrong with them, and the members of the request. */
export function linkTerms({ value, values, has }: GivenTerms) {
  const [expires, limit, note] = [value('expires'), value('max-downloads'), value('note')]
  return {
    problems: [
      ...durationProblems('--expires', expires),
      limitProblem(limit),
      has('password') && has('password-file') && '--password cannot be combined with --password-file',
    ],
    members: (password: string | undefined) => ({
      expires_at: endIn(expires ?? '14d'),
      ...(note !== undefined && { note }),
      ...(limit !== undefined && { max_downloads: Number(limit) }),
      ...(password !== undefined && { password }),
      ...(has('notify') && { notify_downloads: true }),
      ...(has('to') && { recipients: [...values('to')] }),
    }),
  }
}

export const limitProblem = (limit: string | undefined): string | false =>
  limit !== undefined &&
  !/^[1-9]\d{0,6}$/.test(limit) &&
  `--max-downloads must be a number from 1, not ${JSON.stringify(limit)}`

export const endIn = (duration: string): string =>
  new Date(Date.now() + (parseDuration(duration) ?? 0) * 1000).toISOString()

export function mailText({ recipients }: Pick<Share, 'recipients'>): readonly string[] {
  if (recipients.some(({ url }) => url !== null))
    return ['This service sends no mail. Send each recipient their link:']
  return recipients.flatMap(({ email, mail }) => (mail === null ? [] : [`Mail to ${email}: ${mail.status}`]))
}

export const linkLines = ({ url, recipients }: Pick<Share, 'url' | 'recipients'>): readonly string[] =>
  url === null
    ? recipients.flatMap((each) => (each.url === null ? [] : [`${each.email}  ${each.url}`]))
    : [url]

/** An ID as it is, or the kit ID in the receipt of a local kit. */
export async function kitName(kit: string): Promise<string> {
  if (/^(kit|sub)_[\w-]{22,64}$/.test(kit)) return kit
  using files = await readOrFail(kit, () => openKit(kit))
  return (await readDocument(files, 'receipt', parseReceipt)).kit_id
}

export async function kitIdOf(name: string, { client, signal }: ServiceCall): Promise<string> {
  if (name.startsWith('kit_')) return name
  const { kit_id, status } = await client.getSubmission(name, { signal })
  if (kit_id === null) throw new InputError(`${name} has no kit: its status is ${status}`)
  return kit_id
}

export async function readPassword(
  file: string | undefined,
  isAsked: boolean,
  terminal: Terminal,
): Promise<string | undefined> {
  if (file !== undefined) {
    const [line = ''] = (await readOrFail(file, async () => readFileSync(file, 'utf8'))).split(/\r?\n/, 1)
    if (line === '') throw new InputError(`the first line of ${file} is empty`)
    return line
  }
  if (!isAsked) return undefined
  const typed = await promptSecret(terminal, 'Password for the share: ')
  if (typed === undefined) throw new InputError('no password given. Without a terminal, use --password-file')
  return typed
}

export const instant = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`

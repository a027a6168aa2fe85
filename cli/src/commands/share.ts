import { readFileSync } from 'node:fs'
import type { Share } from '@kitseal/client'
import { parseReceipt } from '@kitseal/kit'
import { openKit } from '@kitseal/kit/node'
import { subcommands } from '../command-line.ts'
import { durationProblems, parseDuration } from '../duration.ts'
import { InputError, readOrFail } from '../input-error.ts'
import { readDocument } from '../read-document.ts'
import { promptSecret } from '../prompt-secret.ts'
import { SERVICE_HELP, type ServiceCall, serviceCommand } from '../service-call.ts'
import { pluralize, printable, type Terminal } from '../terminal.ts'

const HELP = `usage: kitseal share KIT [--path PATH]… [--expires 14d] [--note TEXT] [--max-downloads N] [--password]
                     [--to ADDRESS]… [--url URL] [--json]
       kitseal share list [--url URL] [--json]
       kitseal share log SHARE [--url URL] [--json]
       kitseal share revoke SHARE [--url URL] [--json]

Creates a link that lets someone without an account verify and download a kit, or only some of its files. The link is
printed once: the service stores a hash of it. Anyone who has it can use it until it expires or is revoked.

  KIT                  a kit ID, the ID of its submission, or a kit.zip
  --path PATH          share only this file, or this folder with a slash at the end: report.pdf, data/logs/. Repeatable
  --expires DURATION   how long the link works: 14d (default), 12h, at most 366d
  --note TEXT          a line for the recipient
  --max-downloads N    close the share after N downloads. Verifying and previewing on the page do not count
  --password           ask for a password that the recipient needs too
  --password-file FILE read it from the first line of a file
  --to ADDRESS         mail a link to this address. Repeatable: each recipient gets a link of their own, and the log
                       tells whose was used. If the service sends no mail, their links are printed instead

commands:
  list            list the newest 100 shares
  log SHARE       show who used a share, newest first
  revoke SHARE    make the link stop working at once

${SERVICE_HELP}

examples:
  kitseal share kit_5wYvRk1oUxw2HcAjZ0pQdKfNs4E --expires 14d
  kitseal share kit.zip --path access-review.csv --note "For the Q3 walkthrough"
  kitseal share kit.zip --to ann@auditor.example --to bob@auditor.example
  kitseal share revoke shr_Hc2AjZ0pQdKfNs4E5wYvRk1oUxw

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const create = serviceCommand('share', HELP, {
  options: {
    path: 'many',
    expires: 'one',
    note: 'one',
    'max-downloads': 'one',
    password: 'flag',
    'password-file': 'one',
    to: 'many',
  },
  arguments: ['pass a kit'],
  input: async ({ positionals: [kit = ''], value, has }, terminal) => ({
    kit: await kitName(kit),
    password: await readPassword(value('password-file'), has('password'), terminal),
  }),
  read: ({ value, values, has, reject }) => {
    const [expires, limit, note] = [value('expires'), value('max-downloads'), value('note')]
    reject(
      ...durationProblems('--expires', expires),
      limit !== undefined &&
        !/^[1-9]\d{0,6}$/.test(limit) &&
        `--max-downloads must be a number from 1, not ${JSON.stringify(limit)}`,
      has('password') && has('password-file') && '--password cannot be combined with --password-file',
    )
    return async (call, { kit, password }) => {
      const seconds = parseDuration(expires ?? '14d') ?? 0
      const share = await call.client.createShare(
        {
          kit_id: await kitIdOf(kit, call),
          expires_at: new Date(Date.now() + seconds * 1000).toISOString(),
          ...(has('path') && { paths: values('path') }),
          ...(note !== undefined && { note }),
          ...(limit !== undefined && { max_downloads: Number(limit) }),
          ...(password !== undefined && { password }),
          ...(has('to') && { recipients: values('to') }),
        },
        { signal: call.signal },
      )
      const what = share.paths === null ? 'the whole kit' : pluralize(share.paths.length, 'file')
      const heading = `Sharing ${what} until ${instant(share.expires_at)}. Share ID: ${share.share_id}`
      return {
        json: share,
        err: [heading, ...mailText(share)].map(printable),
        out: linkLines(share).map(printable),
      }
    }
  },
})

const list = serviceCommand('share list', HELP, {
  arguments: [],
  read:
    () =>
    async ({ client, signal }) => {
      const { data: shares } = await client.listShares({ limit: 100 }, { signal })
      const err = shares.length === 0 ? ['Nothing is shared.'] : []
      return { json: shares, out: shares.map((share) => printable(rowOf(share as Share))), err }
    },
})

const log = serviceCommand('share log', HELP, {
  arguments: ['pass the ID of a share'],
  read:
    ({ positionals: [id = ''] }) =>
    async ({ client, signal }) => {
      const { data: accesses } = await client.listShareAccesses(id, { limit: 100 }, { signal })
      const out = accesses.map(({ created_at, kind, name, address, recipient }) => {
        const who = [recipient, name].filter((text) => text !== null)
        return printable([instant(created_at), kind.padEnd(16), address, ...who].join('  '))
      })
      return { json: accesses, out, err: out.length === 0 ? ['Nobody has used this share yet.'] : [] }
    },
})

const revoke = serviceCommand('share revoke', HELP, {
  arguments: ['pass the ID of a share'],
  read:
    ({ positionals: [id = ''] }) =>
    async ({ client, signal }) => {
      await client.revokeShare(id, { signal })
      const share = await client.getShare(id, { signal })
      return { json: share, out: [printable(`${share.share_id} is revoked. Its link no longer works.`)] }
    },
})

/** `kitseal share`. */
export const run = subcommands('share', HELP, { list, log, revoke }, create)

function mailText({ recipients }: Share): readonly string[] {
  if (recipients.length === 0) return []
  if (recipients.some(({ url }) => url !== null))
    return ['This service sends no mail. Send each recipient their link:']
  return [`Mailed to ${recipients.map(({ email }) => email).join(', ')}. Your own link:`]
}

const linkLines = ({ url, recipients }: Share): readonly string[] =>
  recipients.some((each) => each.url !== null)
    ? recipients.map((each) => `${each.email}  ${each.url}`)
    : [url ?? '']

/** An ID as it is, or the kit ID in the receipt of a local kit. */
async function kitName(kit: string): Promise<string> {
  if (/^(kit|sub)_[\w-]{22,64}$/.test(kit)) return kit
  using files = await readOrFail(kit, () => openKit(kit))
  return (await readDocument(files, 'receipt', parseReceipt)).kit_id
}

async function kitIdOf(name: string, { client, signal }: ServiceCall): Promise<string> {
  if (name.startsWith('kit_')) return name
  const { kit_id, status } = await client.getSubmission(name, { signal })
  if (kit_id === null) throw new InputError(`${name} has no kit: its status is ${status}`)
  return kit_id
}

async function readPassword(
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

function rowOf({ share_id, status, expires_at, downloads, max_downloads, paths, label }: Share): string {
  const used =
    max_downloads === null ? pluralize(downloads, 'download') : `${downloads}/${max_downloads} downloads`
  const what = paths === null ? 'whole kit' : pluralize(paths.length, 'file')
  return [share_id, status.padEnd(9), instant(expires_at), used, what, label].join('  ')
}

const instant = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`

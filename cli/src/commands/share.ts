import { readFileSync } from 'node:fs'
import { ApiError, type Room, type Share } from '@kitseal/client'
import { parseReceipt } from '@kitseal/kit'
import { openKit } from '@kitseal/kit/node'
import { helpText, tableOf, type Shown, subcommands, wholeList } from '../command-line.ts'
import { durationProblems, parseDuration } from '../arguments.ts'
import { InputError, readOrFail } from '../input-error.ts'
import { promptSecret } from '../prompt-secret.ts'
import { readDocument } from '../read-documents.ts'
import { SERVICE_NOTE, SERVICE_TABLE, type ServiceCall, serviceCommand } from '../service-call.ts'
import { pluralize, printable, type Terminal } from '../terminal.ts'

const OPTIONS = {
  title: 'TITLE  open a room with this title',
  series: 'NAME  the kits of a series, with those that come while the room is open',
  program: 'ID  the kits of a program, with those that come while the room is open',
  path: 'PATH…  share only this file, or this folder with a slash at the end: report.pdf, data/logs/ (repeatable)',
  expires: 'DURATION  how long the link works: 14d (default), 12h, at most 366d',
  note: 'TEXT  a line for the recipient',
  'max-downloads':
    'N  close the share after N visits that read files. A visit to the page counts once, with its download',
  password: 'ask for a password that the recipient needs too',
  'password-file': 'FILE  read it from the first line of a file',
  notify: 'mail you when something is downloaded, at most once a day for each recipient',
  to: 'ADDRESS…  mail a link to this address (repeatable): each recipient gets a link of their own, and there is no other. If the service sends no mail, they are printed',
} as const

const HELP = helpText(
  `usage: kitseal share KIT [--path PATH]… [--expires 14d] [--note TEXT] [--max-downloads N] [--password]
                     [--to ADDRESS]… [--notify] [--url URL] [--json]
       kitseal share --title TITLE KIT…|--series NAME|--program ID [--expires 14d] [--to ADDRESS]… [--note TEXT] …
       kitseal share list [--url URL] [--json]
       kitseal share revoke SHARE [--to ADDRESS] [--url URL] [--json]

Creates a link that lets someone without an account verify and download a kit, or only some of its files. The link is
printed once: the service stores a hash of it. Anyone who has it can use it until it expires or is revoked.

With --title, the link opens a room: several kits, questions, and what reviewers have read. A KIT is a kit ID, the ID of its
submission, or a kit.zip.

OPTIONS

commands:
  list            list the newest 100 shares and rooms
  revoke SHARE    make all links stop working at once, or with --to the one of a recipient

"kitseal api changeShare" changes how long a share works, "kitseal api createShareLink" replaces a lost link, and "kitseal api
listShareAccesses" shows who used it; for a room, "Room" stands for "Share".

${SERVICE_NOTE}

examples:
  kitseal share kit_5wYvRk1oUxw2HcAjZ0pQdKfNs4E --expires 14d
  kitseal share kit.zip --path access-review.csv --note "For the Q3 walkthrough"
  kitseal share --title "Audit 2026" --program prg_Hc2AjZ0pQdKfNs4E --to ann@auditor.example

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`,
  { ...OPTIONS, ...SERVICE_TABLE },
)

const create = serviceCommand('share', HELP, {
  options: OPTIONS,
  input: async ({ positionals: kits, value, has }, terminal) => ({
    kits: await Promise.all(kits.map(kitName)),
    password: await readPassword(value('password-file'), has('password'), terminal),
  }),
  read: ({ positionals: kits, value, values, has, reject }) => {
    const [expires = '14d', limit, note] = [value('expires'), value('max-downloads'), value('note')]
    const [title, series, program] = [value('title'), value('series'), value('program')]
    const given = [kits.length > 0, series !== undefined, program !== undefined].filter(Boolean)
    reject(
      given.length === 0 &&
        (title === undefined ? 'pass a kit' : 'pass kits, or --series NAME, or --program ID'),
      given.length > 1 && 'kits, --series and --program cannot be combined',
      title === undefined && (kits.length > 1 || kits.length < given.length) && 'a room needs a --title',
      title !== undefined && has('path') && '--path cannot be combined with --title',
      ...durationProblems('--expires', expires),
      limit !== undefined &&
        !/^[1-9]\d{0,6}$/.test(limit) &&
        `--max-downloads must be a number from 1, not ${JSON.stringify(limit)}`,
      has('password') && has('password-file') && '--password cannot be combined with --password-file',
    )
    return async (call, { kits: named, password }) => {
      const ids = await Promise.all(named.map((kit) => kitIdOf(kit, call)))
      const terms = {
        expires_at: new Date(Date.now() + (parseDuration(expires) ?? 0) * 1000).toISOString(),
        ...(note !== undefined && { note }),
        ...(limit !== undefined && { max_downloads: Number(limit) }),
        ...(password !== undefined && { password }),
        ...(has('notify') && { notify_downloads: true }),
        ...(has('to') && { recipients: [...values('to')] }),
      }
      const { client, signal } = call
      if (title !== undefined) {
        const what = series !== undefined ? { series } : program !== undefined ? { program } : { kits: ids }
        const room = await client.createRoom({ title, ...what, ...terms }, { signal })
        return created(
          room,
          `A room with ${pluralize(room.kits.length, 'kit')} is open`,
          `Room ID: ${room.room_id}`,
        )
      }
      const paths = has('path') ? { paths: values('path') } : {}
      const share = await client.createShare({ kit_id: ids[0] ?? '', ...paths, ...terms }, { signal })
      const what = share.paths === null ? 'the whole kit' : pluralize(share.paths.length, 'file')
      return created(share, `Sharing ${what}`, `Share ID: ${share.share_id}`)
    }
  },
})

const created = (made: Share | Room, heading: string, name: string): Shown => ({
  json: made,
  err: [`${heading} until ${instant(made.expires_at)}. ${name}`, ...mailText(made)].map(printable),
  out: linkLines(made).map(printable),
})

const list = serviceCommand('share list', HELP, {
  arguments: [],
  read:
    () =>
    async ({ client, signal }) => {
      const [shares, rooms] = await Promise.all([
        client.listShares({ limit: 100 }, { signal }),
        client.listRooms({ limit: 100 }, { signal }),
      ])
      const data = [...shares.data, ...rooms.data].toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))
      const shown = data.map((each) => ({
        id: 'room_id' in each ? each.room_id : each.share_id,
        status: each.status,
        expires_at: each.expires_at,
        visits: each.downloads,
        limit: each.max_downloads,
        files: 'room_id' in each ? pluralize(each.kits.length, 'kit') : (each.paths ?? 'whole kit'),
        name: 'room_id' in each ? each.title : each.label,
      }))
      const { out } = tableOf(['id', 'status', 'expires_at', 'visits', 'limit', 'files', 'name'], shown)
      return { json: wholeList(data), out: data.length === 0 ? ['Nothing is shared.'] : out }
    },
})

const revoke = serviceCommand('share revoke', HELP, {
  options: { to: 'ADDRESS  revoke the link of this recipient alone' },
  arguments: ['pass the ID of a share or a room'],
  read: ({ positionals: [id = ''], value }) => {
    const recipient = value('to')
    return async ({ client, signal }) => {
      const ofShare =
        recipient === undefined
          ? client.revokeShare(id, { signal })
          : client.revokeShareLink(id, { recipient }, { signal })
      await ofShare.catch(async (error: unknown) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error
        // The ID may be of a room.
        await (recipient === undefined
          ? client.revokeRoom(id, { signal })
          : client.revokeRoomLink(id, { recipient }, { signal }))
      })
      const what =
        recipient === undefined
          ? `${id} is revoked. Its links no longer work.`
          : `The link of ${recipient} no longer works.`
      return { json: { revoked: id, recipient: recipient ?? null }, out: [printable(what)] }
    }
  },
})

/** `kitseal share`. */
export const run = subcommands('share', HELP, { list, revoke }, create)

function mailText({ recipients }: Pick<Share, 'recipients'>): readonly string[] {
  if (recipients.some(({ url }) => url !== null))
    return ['This service sends no mail. Send each recipient their link:']
  return recipients.flatMap(({ email, mail }) => (mail === null ? [] : [`Mail to ${email}: ${mail.status}`]))
}

const linkLines = ({ url, recipients }: Pick<Share, 'url' | 'recipients'>): readonly string[] =>
  url === null
    ? recipients.flatMap((each) => (each.url === null ? [] : [`${each.email}  ${each.url}`]))
    : [url]

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

const instant = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`

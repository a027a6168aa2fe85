import { ApiError, type Room, type Share } from '@kitseal/client'
import { type Shown, subcommands, wholeList } from '../command-line.ts'
import { durationProblems } from '../duration.ts'
import { SERVICE_HELP, type ServiceCall, serviceCommand } from '../service-call.ts'
import {
  endIn,
  instant,
  kitIdOf,
  kitName,
  limitProblem,
  LINK_OPTIONS,
  linkLines,
  linkTerms,
  mailText,
  readPassword,
} from '../share-arguments.ts'
import { pluralize, printable } from '../terminal.ts'

const HELP = `usage: kitseal share KIT [--path PATH]… [--expires 14d] [--note TEXT] [--max-downloads N] [--password]
                     [--to ADDRESS]… [--notify] [--url URL] [--json]
       kitseal share --title TITLE KIT…|--series NAME|--program ID [--expires 14d] [--to ADDRESS]… [--note TEXT] …
       kitseal share list [--url URL] [--json]
       kitseal share log SHARE [--url URL] [--json]
       kitseal share change SHARE [--expires 14d] [--max-downloads N|none] [--password|--password-file FILE] [--no-password]
                     [--notify|--no-notify] [--url URL] [--json]
       kitseal share link SHARE [--to ADDRESS] [--url URL] [--json]
       kitseal share revoke SHARE [--to ADDRESS] [--url URL] [--json]

Creates a link that lets someone without an account verify and download a kit, or only some of its files. The link is
printed once: the service stores a hash of it. Anyone who has it can use it until it expires or is revoked.

With --title, the link opens a room: several kits, questions, and what reviewers have read. A share is named by its ID below, a
room by its own.

  KIT                  a kit ID, the ID of its submission, or a kit.zip
  --title TITLE        open a room with this title
  --series NAME        the kits of a series, with those that come while the room is open
  --program ID         the kits of a program, with those that come while the room is open
  --path PATH          share only this file, or this folder with a slash at the end: report.pdf, data/logs/. Repeatable
  --expires DURATION   how long the link works: 14d (default), 12h, at most 366d
  --note TEXT          a line for the recipient
  --max-downloads N    close the share after N visits that read files. A visit to the page counts once, with its download
  --password           ask for a password that the recipient needs too
  --password-file FILE read it from the first line of a file
  --notify             mail you when something is downloaded, at most once a day for each recipient
  --to ADDRESS         mail a link to this address. Repeatable: each recipient gets a link of their own, and the log
                       tells whose was used. There is no other link. If the service sends no mail, they are printed

commands:
  list            list the newest 100 shares and rooms
  log SHARE       show who used a share or a room, newest first
  change SHARE    change how long it works, its limit, its password or notices. The links stay the same
  link SHARE      create a new link for a recipient, or for anyone. Their former link stops working
  revoke SHARE    make all links stop working at once, or with --to the one of a recipient

${SERVICE_HELP}

examples:
  kitseal share kit_5wYvRk1oUxw2HcAjZ0pQdKfNs4E --expires 14d
  kitseal share kit.zip --path access-review.csv --note "For the Q3 walkthrough"
  kitseal share --title "Audit 2026" --program prg_Hc2AjZ0pQdKfNs4E --to ann@auditor.example
  kitseal share kit.zip --to ann@auditor.example --to bob@auditor.example
  kitseal share revoke shr_Hc2AjZ0pQdKfNs4E5wYvRk1oUxw

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const create = serviceCommand('share', HELP, {
  options: { path: 'many', title: 'one', series: 'one', program: 'one', ...LINK_OPTIONS },
  input: async ({ positionals: kits, value, has }, terminal) => ({
    kits: await Promise.all(kits.map(kitName)),
    password: await readPassword(value('password-file'), has('password'), terminal),
  }),
  read: ({ positionals: kits, value, values, has, reject }) => {
    const terms = linkTerms({ value, values, has })
    const [title, series, program] = [value('title'), value('series'), value('program')]
    const given = [kits.length > 0, series !== undefined, program !== undefined].filter(Boolean)
    reject(
      given.length === 0 &&
        (title === undefined ? 'pass a kit' : 'pass kits, or --series NAME, or --program ID'),
      given.length > 1 && 'kits, --series and --program cannot be combined',
      title === undefined && (kits.length > 1 || kits.length < given.length) && 'a room needs a --title',
      title !== undefined && has('path') && '--path cannot be combined with --title',
      ...terms.problems,
    )
    return async (call, input) => {
      const ids = await Promise.all(input.kits.map((kit) => kitIdOf(kit, call)))
      const { client, signal } = call
      if (title !== undefined) {
        const what = series !== undefined ? { series } : program !== undefined ? { program } : { kits: ids }
        const room = await client.createRoom({ title, ...what, ...terms.members(input.password) }, { signal })
        return created(
          room,
          `A room with ${pluralize(room.kits.length, 'kit')} is open`,
          `Room ID: ${room.room_id}`,
        )
      }
      const paths = has('path') ? { paths: values('path') } : {}
      const share = await client.createShare(
        { kit_id: ids[0] ?? '', ...paths, ...terms.members(input.password) },
        { signal },
      )
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

/** The operations of a share or of a room, by its ID. */
async function linked({ client, signal }: ServiceCall, id: string) {
  const isRoom = await client.getShare(id, { signal }).then(
    () => false,
    async (error: unknown) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error
      await client.getRoom(id, { signal }).catch(() => {
        throw error
      })
      return true
    },
  )
  return {
    get: () => (isRoom ? client.getRoom(id, { signal }) : client.getShare(id, { signal })),
    accesses: () =>
      isRoom
        ? client.listRoomAccesses(id, { limit: 100 }, { signal })
        : client.listShareAccesses(id, { limit: 100 }, { signal }),
    change: (body: Parameters<typeof client.changeShare>[1]) =>
      isRoom ? client.changeRoom(id, body, { signal }) : client.changeShare(id, body, { signal }),
    link: (recipient: object) =>
      isRoom
        ? client.createRoomLink(id, recipient as { recipient: string }, { signal })
        : client.createShareLink(id, recipient, { signal }),
    revoke: () => (isRoom ? client.revokeRoom(id, { signal }) : client.revokeShare(id, { signal })),
    revokeLink: (recipient: string) =>
      isRoom
        ? client.revokeRoomLink(id, { recipient }, { signal })
        : client.revokeShareLink(id, { recipient }, { signal }),
  }
}

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
      return {
        json: wholeList(data),
        out: data.map((each) => printable(rowOf(each as Share | Room))),
        err: data.length === 0 ? ['Nothing is shared.'] : [],
      }
    },
})

const ID = ['pass the ID of a share or a room'] as const

const log = serviceCommand('share log', HELP, {
  arguments: ID,
  read:
    ({ positionals: [id = ''] }) =>
    async (call) => {
      const page = await (await linked(call, id)).accesses()
      const out = page.data.map(({ created_at, kind, name, address, recipient }) => {
        const who = [recipient, name].filter((text) => text !== null)
        return printable([instant(created_at), kind.padEnd(16), address, ...who].join('  '))
      })
      return { json: page, out, err: out.length === 0 ? ['Nobody has used it yet.'] : [] }
    },
})

const revoke = serviceCommand('share revoke', HELP, {
  options: { to: 'one' },
  arguments: ID,
  read: ({ positionals: [id = ''], value }) => {
    const recipient = value('to')
    return async (call) => {
      const { get, revoke: end, revokeLink } = await linked(call, id)
      await (recipient === undefined ? end() : revokeLink(recipient))
      const what =
        recipient === undefined
          ? `${id} is revoked. Its links no longer work.`
          : `The link of ${recipient} no longer works.`
      return { json: await get(), out: [printable(what)] }
    }
  },
})

const link = serviceCommand('share link', HELP, {
  options: { to: 'one' },
  arguments: ID,
  read: ({ positionals: [id = ''], value }) => {
    const recipient = value('to')
    return async (call) => {
      const made = await (await linked(call, id)).link(recipient === undefined ? {} : { recipient })
      const former =
        recipient === undefined ? 'The former link for anyone' : `The former link of ${recipient}`
      return {
        json: made,
        err: [`${former}, if there was one, no longer works.`, ...mailText(made)].map(printable),
        out: linkLines(made).map(printable),
      }
    }
  },
})

const change = serviceCommand('share change', HELP, {
  options: {
    expires: 'one',
    'max-downloads': 'one',
    password: 'flag',
    'password-file': 'one',
    'no-password': 'flag',
    notify: 'flag',
    'no-notify': 'flag',
  },
  arguments: ID,
  input: ({ value, has }, terminal) => readPassword(value('password-file'), has('password'), terminal),
  read: ({ positionals: [id = ''], value, has, reject }) => {
    const [expires, limit] = [value('expires'), value('max-downloads')]
    const isPassword = (['password', 'password-file', 'no-password'] as const).filter((name) => has(name))
    reject(
      ...durationProblems('--expires', expires),
      limit !== 'none' && limitProblem(limit),
      isPassword.length > 1 && `--${isPassword[0]} cannot be combined with --${isPassword[1]}`,
      has('notify') && has('no-notify') && '--notify cannot be combined with --no-notify',
      expires === undefined &&
        limit === undefined &&
        isPassword.length === 0 &&
        !has('notify') &&
        !has('no-notify') &&
        'pass what to change',
    )
    return async (call, password) => {
      const body = {
        ...(expires !== undefined && { expires_at: endIn(expires) }),
        ...(limit !== undefined && { max_downloads: limit === 'none' ? null : Number(limit) }),
        ...((has('notify') || has('no-notify')) && { notify_downloads: has('notify') }),
        ...(has('no-password') && { password: null }),
        ...(password !== undefined && { password }),
      }
      const changed = await (await linked(call, id)).change(body)
      return { json: changed, out: [printable(rowOf(changed))] }
    }
  },
})

/** `kitseal share`. */
export const run = subcommands('share', HELP, { list, log, change, link, revoke }, create)

function rowOf(row: Share | Room): string {
  const { status, expires_at, downloads, max_downloads } = row
  const used = max_downloads === null ? pluralize(downloads, 'visit') : `${downloads}/${max_downloads} visits`
  const [id, what, name] =
    'room_id' in row
      ? [
          row.room_id,
          `room, ${pluralize(row.kits.length, 'kit')}, ${pluralize(row.open_questions, 'open question')}`,
          row.title,
        ]
      : [row.share_id, row.paths === null ? 'whole kit' : pluralize(row.paths.length, 'file'), row.label]
  return [id, status.padEnd(9), instant(expires_at), used, what, name].join('  ')
}

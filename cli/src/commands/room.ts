import type { Room, RoomComment } from '@kitseal/client'
import { subcommands } from '../command-line.ts'
import { SERVICE_HELP, type ServiceCall, serviceCommand } from '../service-call.ts'
import {
  instant,
  kitIdOf,
  kitName,
  LINK_OPTIONS,
  linkLines,
  linkTerms,
  mailText,
  readPassword,
} from '../share-arguments.ts'
import { listCommand } from '../resource-commands.ts'
import { pluralize, printable } from '../terminal.ts'

const HELP = `usage: kitseal room create TITLE KIT… [--expires 14d] [--to ADDRESS]… [--note TEXT] [--max-downloads N] [--password]
                           [--notify]
       kitseal room create TITLE --series NAME | --program ID [--expires 14d] [--to ADDRESS]…
       kitseal room list [--url URL] [--json]
       kitseal room show ROOM [--url URL] [--json]
       kitseal room comment ROOM TEXT --kit KIT [--path PATH] [--question] [--url URL] [--json]
       kitseal room comment ROOM TEXT --reply-to COMMENT [--url URL] [--json]
       kitseal room revoke ROOM [--to ADDRESS] [--url URL] [--json]

Opens a room: several kits behind one link per reviewer, who needs no account. Reviewers verify and download the kits, ask
questions, and mark what they have reviewed. Everyone in a room sees its comments.

  KIT                  a kit ID, the ID of its submission, or a kit.zip
  --series NAME        the kits of a series, with those that come while the room is open
  --program ID         the kits of a program, with those that come while the room is open
  --expires DURATION   how long the links work: 14d (default), 12h, at most 366d
  --to ADDRESS         mail a link to this address. Repeatable: each reviewer gets a link of their own. There is no other
                       link. If the service sends no mail, they are printed
  --notify             mail you when something is downloaded, at most once a day for each recipient
  --note TEXT          a line for the reviewers
  --max-downloads N    close the room after N visits that read files
  --password           ask for a password that reviewers need too
  --password-file FILE read it from the first line of a file
  --kit KIT            the kit that a comment is about
  --path PATH          the file that it is about: data/report.pdf
  --question           it waits for an answer
  --reply-to COMMENT   answer the comment with this ID

commands:
  create TITLE    open a room and print its links, once
  list            list the newest 100 rooms
  show ROOM       show kits, questions and answers, and what reviewers marked as reviewed
  comment ROOM    comment, ask or answer
  revoke ROOM     make all links stop working at once, or with --to the one of a reviewer

${SERVICE_HELP}

examples:
  kitseal room create "Audit 2026" --series "Access review" --to ann@auditor.example
  kitseal room create "Audit 2026" kit_5wYvRk1oUxw2HcAjZ0pQdKfNs4E kit.zip --expires 30d
  kitseal room show shr_Hc2AjZ0pQdKfNs4E5wYvRk1oUxw
  kitseal room comment shr_Hc2AjZ0pQdKfNs4E5wYvRk1oUxw "The board, on 3 March." --reply-to cmt_Hc2AjZ0pQdKfNs4E5wYvRk1oUxw

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const create = serviceCommand('room create', HELP, {
  options: { series: 'one', program: 'one', ...LINK_OPTIONS },
  input: async ({ positionals: [, ...kits], value, has }, terminal) => ({
    kits: await Promise.all(kits.map(kitName)),
    password: await readPassword(value('password-file'), has('password'), terminal),
  }),
  read: ({ positionals: [title = '', ...kits], value, values, has, reject }) => {
    const terms = linkTerms({ value, values, has })
    const [series, program] = [value('series'), value('program')]
    const given = [kits.length > 0, series !== undefined, program !== undefined].filter(Boolean)
    reject(
      title === '' && 'pass a title',
      given.length === 0 && 'pass kits, or --series NAME, or --program ID',
      given.length > 1 && 'kits, --series and --program cannot be combined',
      ...terms.problems,
    )
    return async (call, input) => {
      const ids = await Promise.all(input.kits.map((kit) => kitIdOf(kit, call)))
      const room = await call.client.createRoom(
        {
          title,
          ...(ids.length > 0 && { kits: ids }),
          ...(series !== undefined && { series }),
          ...(program !== undefined && { program }),
          ...terms.members(input.password),
        },
        { signal: call.signal },
      )
      const what = pluralize(room.kits.length, 'kit')
      const heading = `A room with ${what} is open until ${instant(room.expires_at)}. Room ID: ${room.room_id}`
      return {
        json: room,
        err: [heading, ...mailText(room)].map(printable),
        out: linkLines(room).map(printable),
      }
    }
  },
})

const list = listCommand(
  'room list',
  HELP,
  ({ client, signal }) => client.listRooms({ limit: 100 }, { signal }),
  (room) => [rowOf(room as Room)],
  'There are no rooms.',
)

const show = serviceCommand('room show', HELP, {
  arguments: ['pass the ID of a room'],
  read:
    ({ positionals: [id = ''] }) =>
    async (call) => {
      const room = await call.client.getRoom(id, { signal: call.signal })
      const { comments, reviews } = await remarksOf(call, id)
      const out = [
        rowOf(room),
        ...room.recipients.map(
          ({ email, last_access_at: at }) =>
            `  ${email}: ${at === null ? 'not opened yet' : `last opened ${instant(at)}`}`,
        ),
        ...room.kits.flatMap(({ kit_id, label, issued_at, erased_at }) => [
          `${kit_id}  ${instant(issued_at)}  ${label}${erased_at === null ? '' : '  (files deleted)'}`,
          ...reviews
            .filter((each) => each.kit_id === kit_id)
            .map((each) => {
              const what = each.path ?? each.item_id ?? 'the kit'
              const who = nameOf(each.reviewer, each.reviewer_basis)
              return `  ${what}: marked as reviewed by ${who} on ${instant(each.created_at)}`
            }),
          ...comments.filter((each) => each.kit_id === kit_id).flatMap(linesOf),
        ]),
      ]
      return { json: { ...room, comments, reviews }, out: out.map(printable) }
    },
})

const comment = serviceCommand('room comment', HELP, {
  options: { kit: 'one', path: 'one', question: 'flag', 'reply-to': 'one' },
  arguments: ['pass the ID of a room', 'pass the text'],
  input: async ({ value }) => {
    const kit = value('kit')
    return kit === undefined ? undefined : kitName(kit)
  },
  read: ({ positionals: [id = '', text = ''], value, has, reject }) => {
    const [kit, path, first] = [value('kit'), value('path'), value('reply-to')]
    reject(
      kit === undefined && first === undefined && 'pass --kit KIT, or --reply-to COMMENT',
      first !== undefined && kit !== undefined && '--reply-to cannot be combined with --kit',
      first !== undefined && path !== undefined && '--reply-to cannot be combined with --path',
      first !== undefined && has('question') && '--reply-to cannot be combined with --question',
    )
    return async (call, name) => {
      const { client, signal } = call
      // The place of a reply is that of its thread.
      const { kits } = name === undefined ? await client.getRoom(id, { signal }) : { kits: [] }
      const said = await client.commentInRoom(
        id,
        {
          kit_id: name === undefined ? (kits[0]?.kit_id ?? '') : await kitIdOf(name, call),
          text,
          ...(path !== undefined && { path }),
          ...(has('question') && { is_question: true }),
          ...(first !== undefined && { reply_to: first }),
        },
        { signal },
      )
      return { json: said, out: linesOf(said).map(printable) }
    }
  },
})

const revoke = serviceCommand('room revoke', HELP, {
  options: { to: 'one' },
  arguments: ['pass the ID of a room'],
  read: ({ positionals: [id = ''], value }) => {
    const recipient = value('to')
    return async ({ client, signal }) => {
      if (recipient === undefined) await client.revokeRoom(id, { signal })
      else await client.revokeRoomLink(id, { recipient }, { signal })
      const room = await client.getRoom(id, { signal })
      const what =
        recipient === undefined
          ? `${room.room_id} is revoked. Its links no longer work.`
          : `The link of ${recipient} no longer works.`
      return { json: room, out: [printable(what)] }
    }
  },
})

/** `kitseal room`. */
export const run = subcommands('room', HELP, { create, list, show, comment, revoke })

/** The newest 100 of each, oldest first. */
async function remarksOf({ client, signal }: ServiceCall, id: string) {
  const [comments, reviews] = await Promise.all([
    client.listRoomComments(id, { limit: 100 }, { signal }),
    client.listRoomReviews(id, { limit: 100 }, { signal }),
  ])
  return { comments: comments.data.toReversed() as RoomComment[], reviews: reviews.data.toReversed() }
}

const nameOf = (name: string, basis: RoomComment['author_basis']): string =>
  basis === 'not_verified' ? `${name} (not verified)` : name

function linesOf(said: RoomComment): readonly string[] {
  const { comment_id, created_at, author, author_basis, text, state, reply_to, path, item_id } = said
  const place = path ?? item_id
  const about = place === null || reply_to !== null ? '' : ` about ${place}`
  const heading = `${comment_id}  ${instant(created_at)}  ${nameOf(author, author_basis)}${about}`
  const indent = reply_to === null ? '  ' : '    '
  return [
    `${indent}${heading}${state === null ? '' : `  [${state}]`}`,
    ...(text === null ? ['(erased)'] : text.split('\n')).map((line) => `${indent}  ${line}`),
  ]
}

function rowOf({ room_id, status, expires_at, kits, open_questions, title }: Room): string {
  const open = `${pluralize(open_questions, 'open question')}`
  return [room_id, status.padEnd(9), instant(expires_at), pluralize(kits.length, 'kit'), open, title].join(
    '  ',
  )
}

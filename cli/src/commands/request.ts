import type { EvidenceRequest, EvidenceRequestList, Operations } from '@kitseal/client'
import { type DateOrder, parseDue, type RequestedItem } from '@kitseal/examiner'
import { type Given, oneOf, type Shown, subcommands } from '../command-line.ts'
import { readItemFile } from '../read-item-file.ts'
import { SERVICE_HELP, type ServiceCall, serviceCommand } from '../service-call.ts'
import { pluralize, printable } from '../terminal.ts'

const HELP = `usage: kitseal request create --title TEXT (--items FILE | --profile NAME) [--due DATE] [--to ADDRESS]… [--url URL] [--json]
       kitseal request list [--status STATUS] [--url URL] [--json]
       kitseal request show REQUEST [--url URL] [--json]
       kitseal request accept REQUEST [--item ID]… [--comment TEXT] [--url URL] [--json]
       kitseal request reopen | undo REQUEST --item ID… [--comment TEXT] [--url URL] [--json]
       kitseal request not-applicable REQUEST --item ID… --reason TEXT [--comment TEXT] [--url URL] [--json]
       kitseal request link REQUEST [--replace] [--url URL] [--json]
       kitseal request remind | copy | close REQUEST [--url URL] [--json]

Asks someone for evidence, item by item. create, copy and link print a link for the supplier, who needs no account. A link
is printed once: the service stores a hash of it. Anyone who has it can answer the request.

create:
  --title TEXT      what it is about
  --items FILE      a list in XLSX or CSV with the columns id, title, description, due. It is read here
  --date-order ORDER  how to read dates such as 03/04/2026 in the list: day-first or month-first
  --profile NAME    the items of a profile, instead of a list
  --message TEXT    a message to the supplier
  --due DATE        when it is due: 2026-12-01, or a date and time with a time zone
  --to ADDRESS      email address of the supplier. Repeatable

commands:
  list      list the newest 100 requests. --status: open, submitted, accepted or closed
  show      show the items, their files and comments
  accept    accept every item with files to review, or those of --item. Says which are left
  reopen    send items back to the supplier: they need changes
  not-applicable   say that items do not apply, and why
  undo      take back the review of items, until a later kit has it
  link      create another link. Earlier ones keep working. --replace: they stop working at once
  remind    mail a reminder to each recipient, if the service sends mail
  copy      ask for the same items again. Takes --title, --due and --to
  close     end the request. The supplier can still read it and download the kit

${SERVICE_HELP}

examples:
  kitseal request create --title "Access review Q4" --items list.xlsx --to ann@supplier.example --due 2026-12-01
  kitseal request show evr_5wYvRk1oUxw2HcAjZ0pQdKfNs4E
  kitseal request reopen evr_5wYvRk1oUxw2HcAjZ0pQdKfNs4E --item CC6.1 --comment "Please send the signed version."

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const NEW = { title: 'one', due: 'one', to: 'many' } as const
const REVIEW = { item: 'many', comment: 'one', reason: 'one' } as const
const STATUSES = ['open', 'submitted', 'accepted', 'closed'] as const
const ID = ['pass the ID of a request']

const create = serviceCommand('request create', HELP, {
  options: { ...NEW, items: 'one', 'date-order': 'one', profile: 'one', message: 'one' },
  arguments: [],
  input: async ({ value }) => {
    const [file, dateOrder] = [value('items'), value('date-order') as DateOrder | undefined]
    return file === undefined ? undefined : readItemFile(file, { dateOrder })
  },
  read: (given) => {
    const { value, has, reject } = given
    const [message, profile] = [value('message'), value('profile')]
    const terms = termsOf(given)
    oneOf(given, 'date-order', ['day-first', 'month-first'])
    reject(
      !has('title') && '--title is missing',
      has('items') === has('profile') && 'pass either --items or --profile',
    )
    return async ({ client, signal }, items) => {
      const request = {
        title: '',
        ...terms,
        ...(items !== undefined && { items: items.map(itemOf) }),
        ...(profile !== undefined && { profile }),
        ...(message !== undefined && { message }),
      }
      return created(await client.createRequest(request, { signal }))
    }
  },
})

const list = serviceCommand('request list', HELP, {
  options: { status: 'one' },
  arguments: [],
  read: (given) => {
    const status = oneOf(given, 'status', STATUSES)
    return async ({ client, signal }) => {
      const query = { limit: 100, ...(status !== undefined && { status }) }
      const page = await client.listRequests(query, { signal })
      const err = page.data.length === 0 ? ['No requests.'] : []
      return { json: page, out: page.data.map(rowOf).map(printable), err }
    }
  },
})

const show = serviceCommand('request show', HELP, {
  arguments: ID,
  read:
    ({ positionals: [id = ''] }) =>
    async ({ client, signal }) => {
      const request = await client.getRequest(id, { signal })
      return { json: request, out: detailLines(request).map(printable) }
    },
})

const accept = serviceCommand('request accept', HELP, {
  options: REVIEW,
  arguments: ID,
  read: (given) => async (call) => {
    const [id = ''] = given.positionals
    if (given.has('item')) return review(call, given, 'accepted')
    return changed(await call.client.acceptRequest(id, { signal: call.signal }))
  },
})

const reviewCommand = (name: string, status: Status) =>
  serviceCommand(`request ${name}`, HELP, {
    options: REVIEW,
    arguments: ID,
    read: (given) => {
      given.reject(
        !given.has('item') && '--item is missing: name the items',
        status === 'not_applicable' && !given.has('reason') && '--reason is missing: say why',
      )
      return (call) => review(call, given, status)
    },
  })

const remind = serviceCommand('request remind', HELP, {
  arguments: ID,
  read:
    ({ positionals: [id = ''] }) =>
    async ({ client, signal }) => {
      const request = await client.remindSupplier(id, { signal })
      return { json: request, out: mailLines(request).map(printable) }
    },
})

const link = serviceCommand('request link', HELP, {
  options: { replace: 'flag' },
  arguments: ID,
  read:
    ({ positionals: [id = ''], has }) =>
    async ({ client, signal }) => {
      const made = await client.createRequestLink(id, { replace: has('replace') }, { signal })
      const until = `The link works until ${made.expires_at.slice(0, 10)}.`
      return { json: made, out: [printable(made.url)], err: [printable(until)] }
    },
})

/** What became of the last mail to each recipient. */
const mailLines = ({ mails }: EvidenceRequest): readonly string[] =>
  mails.flatMap(({ to, request, reminder }) => {
    const mail = reminder ?? request
    if (mail === null) return []
    const reason = mail.reason === null ? '' : `: ${mail.reason}`
    return [`  ${(reminder === null ? 'request' : 'reminder').padEnd(14)} ${to} ${mail.status}${reason}`]
  })

const copy = serviceCommand('request copy', HELP, {
  options: NEW,
  arguments: ID,
  read: (given) => {
    const [id = ''] = given.positionals
    const terms = termsOf(given)
    return async ({ client, signal }) => created(await client.copyRequest(id, terms, { signal }))
  },
})

const close = serviceCommand('request close', HELP, {
  arguments: ID,
  read:
    ({ positionals: [id = ''] }) =>
    async ({ client, signal }) =>
      changed(await client.closeRequest(id, { signal })),
})

/** `kitseal request`. */
export const run = subcommands('request', HELP, {
  create,
  list,
  show,
  accept,
  reopen: reviewCommand('reopen', 'needs_changes'),
  'not-applicable': reviewCommand('not-applicable', 'not_applicable'),
  undo: reviewCommand('undo', 'to_review'),
  remind,
  link,
  copy,
  close,
})

function termsOf({ value, values, has, reject }: Given<keyof typeof NEW>) {
  const [title, due_at] = [value('title'), value('due')]
  reject(
    due_at !== undefined &&
      parseDue(due_at) === undefined &&
      `--due must be a date such as 2026-12-01, not ${JSON.stringify(due_at)}`,
  )
  return {
    ...(title !== undefined && { title }),
    ...(due_at !== undefined && { due_at }),
    ...(has('to') && { recipients: values('to') }),
  }
}

const itemOf = ({ id, title, description, due_at }: RequestedItem) => ({
  id,
  title,
  description: description ?? null,
  due_at: due_at ?? null,
})

function created(request: EvidenceRequest): Shown {
  const { evidence_request_id: id, items } = request
  const text = `Created ${id} with ${pluralize(items.length, 'item')}. Send this link to the supplier:`
  return {
    json: request,
    out: [printable(request.link?.url ?? '')],
    err: [text, ...mailLines(request)].map(printable),
  }
}

type Listed = EvidenceRequestList['data'][number]

function rowOf({ evidence_request_id: id, status, due_at, progress, title }: Listed): string {
  const isOverdue = status === 'open' && due_at !== null && Date.parse(due_at) < Date.now()
  const due = due_at === null ? 'no due date' : `due ${due_at.slice(0, 10)}${isOverdue ? ', overdue' : ''}`
  return [
    id,
    status.padEnd(9),
    `${progress.items - progress.missing}/${progress.items} items`,
    due,
    title,
  ].join('  ')
}

type Status = NonNullable<Operations['reviewItem']['body']['status']>

async function review(
  { client, signal }: ServiceCall,
  { positionals: [id = ''], value, values }: Given<keyof typeof REVIEW>,
  status: Status,
): Promise<Shown> {
  const [comment, reason] = [value('comment'), value('reason')]
  const body = { status, ...(comment !== undefined && { comment }), ...(reason !== undefined && { reason }) }
  let request = await client.getRequest(id, { signal })
  for (const item of values('item')) request = await client.reviewItem(id, item, body, { signal })
  return changed(request)
}

function changed(request: EvidenceRequest): Shown {
  const { evidence_request_id: id, status, progress } = request
  const { items, accepted, not_applicable, needs_changes } = progress
  const text = `${id} is ${status}: ${accepted} of ${pluralize(items, 'item')} accepted, ${not_applicable} not applicable, ${needs_changes} to change.`
  const left = request.items.filter((item) => item.status === 'missing' || item.status === 'to_review')
  const rest = left.map((item) => `  ${item.status.padEnd(14)} ${item.id} ${item.title}`)
  return { json: request, out: [text, ...rest].map(printable) }
}

function detailLines(request: EvidenceRequest): readonly string[] {
  const { kit_id, items, other_files } = request
  return [
    rowOf(request),
    ...items.flatMap(itemLines),
    ...other_files.map(({ name, size_bytes }) => `  other file     ${name} (${size_bytes} bytes)`),
    ...mailLines(request),
    ...(kit_id === null ? [] : [`  kit            ${kit_id}. Download it with: kitseal get ${kit_id}`]),
  ]
}

function itemLines({ id, title, status, files, ...item }: EvidenceRequest['items'][number]): string[] {
  const { comments, not_applicable } = item
  const below = [
    files.map(
      ({ name, size_bytes, change }) =>
        `${name} (${size_bytes} bytes${change === null ? '' : `, ${change}`})`,
    ),
    not_applicable === null ? [] : [`not applicable: ${not_applicable.reason.replaceAll(/\s+/g, ' ')}`],
    comments.map(({ by, text }) => `${by}: ${text.replaceAll(/\s+/g, ' ')}`),
  ].flat()
  return [`  ${status.padEnd(13)}  ${id}  ${title}`].concat(below.map((line) => ' '.repeat(17) + line))
}

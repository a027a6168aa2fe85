import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { EvidenceRequest, EvidenceRequestList } from '@kitseal/client'
import { parseDue, readItemList, type RequestedItem } from '@kitseal/evidence'
import { parseArguments, type ParsedArguments } from '../arguments.ts'
import { InputError, readOrFail } from '../input-error.ts'
import {
  callService,
  rejectApiKeyOption,
  SERVICE_HELP,
  SERVICE_OPTIONS,
  type ServiceCall,
} from '../service-call.ts'
import {
  EXIT,
  jsonText,
  pluralize,
  printable,
  showHelp,
  type Terminal,
  usageError,
  writeLines,
} from '../terminal.ts'

const HELP = `usage: kitseal request create --title TEXT (--items FILE | --profile NAME) [--due DATE] [--to ADDRESS]… [--url URL] [--json]
       kitseal request list [--status STATUS] [--url URL] [--json]
       kitseal request show REQUEST [--url URL] [--json]
       kitseal request accept REQUEST [--item ID]… [--comment TEXT] [--url URL] [--json]
       kitseal request reopen REQUEST --item ID… [--comment TEXT] [--url URL] [--json]
       kitseal request remind | copy | close REQUEST [--url URL] [--json]

Asks someone for evidence, item by item. create, copy and remind print a link for the supplier, who needs no account. A link
is printed once: the service stores a hash of it. Anyone who has it can answer the request.

create:
  --title TEXT      what it is about
  --items FILE      a list in XLSX or CSV with the columns id, title, description, due. It is read here
  --profile NAME    the items of a profile, instead of a list
  --message TEXT    a message to the supplier
  --due DATE        when it is due: 2026-12-01, or a date and time with a time zone
  --to ADDRESS      email address of the supplier. Repeatable
  --repeat PERIOD   monthly, quarterly or yearly: creates the next request when this one is due

commands:
  list      list the newest 100 requests. --status: open, submitted, accepted or closed
  show      show the items, their files and comments
  accept    accept every item, or those of --item
  reopen    send items back to the supplier: they need changes
  remind    create a new link, and mail a reminder if the service sends mail
  copy      ask for the same items again. Takes --title, --due and --to
  close     end the request. The supplier can still read it and download the kit

${SERVICE_HELP}

examples:
  kitseal request create --title "Access review Q4" --items list.xlsx --to ann@supplier.example --due 2026-12-01
  kitseal request show evr_5wYvRk1oUxw2HcAjZ0pQdKfNs4E
  kitseal request reopen evr_5wYvRk1oUxw2HcAjZ0pQdKfNs4E --item CC6.1 --comment "Please send the signed version."

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const NEW = { title: 'one', due: 'one', to: 'many' } as const
const REVIEW = { item: 'many', comment: 'one' } as const

type Parsed = ParsedArguments<string>
type Verb = (call: ServiceCall, id: string, parsed: Parsed, items: Items) => Promise<Shown>
type Items = readonly RequestedItem[] | undefined

/** What a command prints: JSON, or lines to stdout and stderr. */
interface Shown {
  readonly json: unknown
  readonly out: readonly string[]
  readonly err?: readonly string[]
}

const VERBS: Readonly<
  Record<string, { readonly options: Readonly<Record<string, 'flag' | 'one' | 'many'>>; run: Verb }>
> = {
  create: {
    options: { ...NEW, items: 'one', profile: 'one', message: 'one', repeat: 'one' },
    run: create,
  },
  list: { options: { status: 'one' }, run: list },
  show: {
    options: {},
    run: async ({ client, signal }, id) => {
      const request = await client.getRequest(id, { signal })
      return { json: request, out: detailLines(request) }
    },
  },
  accept: { options: REVIEW, run: accept },
  reopen: { options: REVIEW, run: reopen },
  remind: {
    options: {},
    run: async ({ client, signal }, id) => {
      const link = await client.remindSupplier(id, { signal })
      return { json: link, out: [link.url], err: [`The link works until ${link.expires_at.slice(0, 10)}.`] }
    },
  },
  copy: {
    options: NEW,
    run: async ({ client, signal }, id, { values }) =>
      created(await client.copyRequest(id, termsOf(values), { signal })),
  },
  close: {
    options: {},
    run: async ({ client, signal }, id) => changed(await client.closeRequest(id, { signal })),
  },
}

/** `kitseal request`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [verb = '--help', ...rest] = args
  if (verb === '--help' || verb === '-h') return showHelp(terminal, HELP)
  const command = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (command === undefined)
    return usageError(terminal, 'request', [
      `unknown command ${JSON.stringify(verb)}. Use ${Object.keys(VERBS).join(', ')}`,
    ])
  const parsed: Parsed = parseArguments<string>(rest, { ...command.options, ...SERVICE_OPTIONS })
  if (parsed.wantsHelp) return showHelp(terminal, HELP)
  const wrong = problemsOf(verb, parsed)
  if (wrong.length > 0) return usageError(terminal, `request ${verb}`, wrong)
  const json = parsed.flags.has('json')
  const setup = { command: `request ${verb}`, url: parsed.values.get('url')?.[0], json }
  return callService(
    terminal,
    setup,
    () => itemsIn(parsed.values.get('items')?.[0]),
    async (call, items) => {
      const shown = await command.run(call, parsed.positionals[0] ?? '', parsed, items)
      writeLines(terminal.stderr, json ? [] : (shown.err ?? []).map(printable))
      writeLines(terminal.stdout, json ? [jsonText(shown.json)] : shown.out.map(printable))
      return EXIT.ok
    },
  )
}

const WITHOUT_ID = new Set(['create', 'list'])
const REPEATS = ['monthly', 'quarterly', 'yearly'] as const
const STATUSES = ['open', 'submitted', 'accepted', 'closed'] as const

function problemsOf(verb: string, { positionals, values, problems }: Parsed): readonly string[] {
  const [id, ...more] = positionals
  const given = (name: string): string | undefined => values.get(name)?.[0]
  const due = given('due')
  const isNew = verb === 'create'
  const unexpected = WITHOUT_ID.has(verb) ? positionals : more
  const oneOf = (name: string, allowed: readonly string[]): readonly string[] => {
    const value = given(name)
    return value === undefined || allowed.includes(value) ? [] : [`--${name} must be ${allowed.join(', ')}`]
  }
  return [
    ...problems,
    ...rejectApiKeyOption(values),
    ...(id === undefined && !WITHOUT_ID.has(verb) ? ['pass the ID of a request'] : []),
    ...unexpected.map((word) => `unexpected argument ${JSON.stringify(word)}`),
    ...(isNew && given('title') === undefined ? ['--title is missing'] : []),
    ...(isNew && values.has('items') === values.has('profile') ? ['pass either --items or --profile'] : []),
    ...(due !== undefined && parseDue(due) === undefined
      ? [`--due must be a date such as 2026-12-01, not ${JSON.stringify(due)}`]
      : []),
    ...(given('repeat') !== undefined && due === undefined ? ['--repeat needs --due'] : []),
    ...oneOf('repeat', REPEATS),
    ...oneOf('status', STATUSES),
    ...(verb === 'reopen' && !values.has('item')
      ? ['--item is missing: name the items that need changes']
      : []),
  ]
}

async function itemsIn(file: string | undefined): Promise<Items> {
  if (file === undefined) return undefined
  const bytes = await readOrFail(file, async () => readFileSync(file))
  const read = await readItemList({ name: basename(file), bytes: new Uint8Array(bytes) })
  if (!read.ok) throw new InputError(`${file} is not a list of items:\n  ${read.problems.join('\n  ')}`)
  return read.items
}

type Values = Parsed['values']

function termsOf(values: Values) {
  const [title, due_at, to] = [values.get('title')?.[0], values.get('due')?.[0], values.get('to')]
  return {
    ...(title === undefined ? {} : { title }),
    ...(due_at === undefined ? {} : { due_at }),
    ...(to === undefined ? {} : { recipients: [...to] }),
  }
}

async function create(
  { client, signal }: ServiceCall,
  _id: string,
  { values }: Parsed,
  items: Items,
): Promise<Shown> {
  const [message, profile] = [values.get('message')?.[0], values.get('profile')?.[0]]
  const repeat = REPEATS.find((period) => period === values.get('repeat')?.[0])
  const request = await client.createRequest(
    {
      title: '',
      ...termsOf(values),
      ...(items === undefined ? {} : { items: items.map(itemOf) }),
      ...(profile === undefined ? {} : { profile }),
      ...(message === undefined ? {} : { message }),
      ...(repeat === undefined ? {} : { repeat }),
    },
    { signal },
  )
  return created(request)
}

const itemOf = ({ id, title, description, due_at }: RequestedItem) => ({
  id,
  title,
  description: description ?? null,
  due_at: due_at ?? null,
})

function created(request: EvidenceRequest): Shown {
  const { evidence_request_id: id, items, link } = request
  const text = `Created ${id} with ${pluralize(items.length, 'item')}. Send this link to the supplier:`
  return { json: request, out: [link?.url ?? ''], err: [text] }
}

async function list({ client, signal }: ServiceCall, _id: string, { values }: Parsed): Promise<Shown> {
  const status = STATUSES.find((each) => each === values.get('status')?.[0])
  const { data: requests } = await client.listRequests(
    { limit: 100, ...(status === undefined ? {} : { status }) },
    { signal },
  )
  return { json: requests, out: requests.map(rowOf), err: requests.length === 0 ? ['No requests.'] : [] }
}

type Listed = EvidenceRequestList['data'][number]

function rowOf({ evidence_request_id: id, status, due_at, progress, title }: Listed): string {
  const isOverdue = status === 'open' && due_at !== null && Date.parse(due_at) < Date.now()
  const due = due_at === null ? 'no due date' : `due ${due_at.slice(0, 10)}${isOverdue ? ', overdue' : ''}`
  return [id, status.padEnd(9), `${progress.received}/${progress.items} items`, due, title].join('  ')
}

async function accept({ client, signal }: ServiceCall, id: string, { values }: Parsed): Promise<Shown> {
  const items = values.get('item')
  if (items === undefined) return changed(await client.acceptRequest(id, { signal }))
  return review({ client, signal }, id, items, { status: 'accepted', ...commentIn(values) })
}

function reopen(call: ServiceCall, id: string, { values }: Parsed): Promise<Shown> {
  return review(call, id, values.get('item') ?? [], { status: 'needs_changes', ...commentIn(values) })
}

async function review(
  { client, signal }: Pick<ServiceCall, 'client' | 'signal'>,
  id: string,
  items: readonly string[],
  body: { readonly status: 'accepted' | 'needs_changes'; readonly comment?: string },
): Promise<Shown> {
  let request = await client.getRequest(id, { signal })
  for (const item of items) request = await client.reviewItem(id, item, body, { signal })
  return changed(request)
}

function commentIn(values: Values): { readonly comment?: string } {
  const comment = values.get('comment')?.[0]
  return comment === undefined ? {} : { comment }
}

function changed(request: EvidenceRequest): Shown {
  const { evidence_request_id: id, status, progress } = request
  const { items, accepted, needs_changes } = progress
  const text = `${id} is ${status}: ${accepted} of ${pluralize(items, 'item')} accepted, ${needs_changes} to change.`
  return { json: request, out: [text] }
}

function detailLines(request: EvidenceRequest): readonly string[] {
  const { kit_id, items, other_files } = request
  return [
    rowOf(request),
    ...items.flatMap(itemLines),
    ...other_files.map(({ name, size_bytes }) => `  other file     ${name} (${size_bytes} bytes)`),
    ...(kit_id === null ? [] : [`  kit            ${kit_id}. Download it with: kitseal get ${kit_id}`]),
  ]
}

function itemLines({ id, title, status, files, comments }: EvidenceRequest['items'][number]): string[] {
  const below = [
    files.map(({ name, size_bytes }) => `${name} (${size_bytes} bytes)`),
    comments.map(({ by, text }) => `${by}: ${text.replaceAll(/\s+/g, ' ')}`),
  ].flat()
  return [`  ${status.padEnd(13)}  ${id}  ${title}`].concat(below.map((line) => ' '.repeat(17) + line))
}

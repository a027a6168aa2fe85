import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { canonicalJson, type JsonValue, utf8, type VerificationReport } from '@kitseal/kit'
import { kidProblems, readArguments, suggestion } from '../arguments.ts'
import { TRUST_HELP, TRUST_OPTIONS, trustLine } from '../download-trust.ts'
import { fetchKit } from '../fetch-kit.ts'
import { keptFile, kitFileName } from '../kept-file.ts'
import { UnreadableInput } from '../unreadable-input.ts'
import { type ReadersKeys, readersKeys } from '../readers-keys.ts'
import {
  apiKeyProblem,
  callService,
  SERVICE_HELP,
  SERVICE_OPTIONS,
  type ServiceCall,
} from '../service-call.ts'
import { EXIT, jsonText, lines, plain, showHelp, type Terminal, usageError } from '../terminal.ts'
import { transferProgress } from '../transfer-progress.ts'

const HELP = `usage: kitseal get SUBMISSION|KIT [NAME] [--out FILE|DIR] [--url URL] [--json]

Fetches what a submission came to: its kit, which is verified before it is kept, or one deliverable by its name, as
"kitseal status SUBMISSION" lists them. Of a kit: the kit itself, manifest.json or receipt.json; that takes no API key
where the workspace leaves its kits public.

  --out FILE|DIR  where it goes (default: this folder, under its own name); - is standard output, not for a kit
${TRUST_HELP}
${SERVICE_HELP}

examples:
  kitseal get sub_5wYvRk1oUxw2HcAjZ0pQdKfNs4E
  kitseal get sub_5wYvRk1oUxw2HcAjZ0pQdKfNs4E binder.pdf
  kitseal get sub_5wYvRk1oUxw2HcAjZ0pQdKfNs4E fail_report.json --out -
  kitseal get kit_T1mVh0d2bXqZr8PyWkLc3sGnE4U receipt.json --out -

exit codes: 0 fetched, and verified if it is a kit; 1 it did not pass, or refused; 2 wrong usage, or a service that
cannot be reached`

interface Order {
  readonly id: string
  readonly name: string | undefined
  readonly out: string
  readonly keys: ReadersKeys
  readonly json: boolean
}

const KIT = 'kit.zip'
const NO_KEYS: ReadersKeys = { keySets: [], kids: [], pins: [] }

/** `kitseal get`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = { out: 'one', ...TRUST_OPTIONS, ...SERVICE_OPTIONS } as const
  const { words, flags, values, problems, wantsHelp } = readArguments(args, options)
  if (wantsHelp) return showHelp(terminal, HELP)
  const [id, name, ...more] = words
  const kids = values.get('kid') ?? []
  const isKit = name === undefined || name === KIT
  const wrong = [
    ...problems,
    ...apiKeyProblem(values),
    ...(id === undefined ? ['of which submission, or which kit?'] : []),
    ...(id === undefined || /^(sub|kit)_[A-Za-z0-9_-]+$/.test(id)
      ? []
      : [`${JSON.stringify(id)} is no submission (sub_…) and no kit (kit_…)`]),
    ...more.map((word) => `${JSON.stringify(word)} is one argument too many`),
    ...kidProblems(kids),
    ...(!isKit && (values.has('jwks') || values.has('kid'))
      ? ['--jwks and --kid are for a kit: nothing else is verified']
      : []),
  ]
  if (id === undefined || wrong.length > 0) return usageError(terminal, 'get', wrong)
  const json = flags.has('json')
  const readOrder = async (): Promise<Order> => {
    const keys = isKit ? await readersKeys(values.get('jwks') ?? [], kids, terminal) : NO_KEYS
    return { id, name, out: values.get('out')?.[0] ?? '.', keys, json }
  }
  const setup = {
    command: 'get',
    url: values.get('url')?.[0],
    json,
    isPublic: id.startsWith('kit_'),
  }
  return callService(terminal, setup, readOrder, (call, order) =>
    id.startsWith('kit_') ? ofKit(call, order, terminal) : ofSubmission(call, order, terminal),
  )
}

const DOCUMENTS = ['manifest.json', 'receipt.json'] as const

async function ofKit(call: ServiceCall, order: Order, terminal: Terminal): Promise<number> {
  const { client, signal } = call
  const { id, name = KIT } = order
  if (name === KIT) return kitOf(call, id, order, terminal)
  if (name !== DOCUMENTS[0] && name !== DOCUMENTS[1]) throw unknownName(id, name, [KIT, ...DOCUMENTS])
  const document =
    name === 'receipt.json'
      ? await client.getReceipt(id, { signal })
      : await client.getManifest(id, { signal })
  // The very bytes that stand in the kit.
  const text = canonicalJson(document as unknown as JsonValue)
  if (order.out === '-') {
    terminal.stdout.write(text)
    return EXIT.ok
  }
  const path = placeFor(order.out, name)
  const sink = keptFile(path)
  try {
    await sink.write(utf8(text))
    await sink.keep()
  } finally {
    await sink.discard()
  }
  return saved(path, order.json, terminal)
}

async function ofSubmission(call: ServiceCall, order: Order, terminal: Terminal): Promise<number> {
  const { client, signal } = call
  const submission = await client.getSubmission(order.id, { signal })
  const names = Object.keys(submission.deliverables)
  const { name = KIT } = order
  if (!names.includes(name)) {
    if (names.length === 0)
      throw new UnreadableInput(`${order.id} is ${submission.status}: there is nothing to fetch yet`)
    if (order.name === undefined)
      throw new UnreadableInput(
        `${order.id} is ${submission.status}, and has no kit; it has ${names.join(', ')}`,
      )
    throw unknownName(order.id, name, names)
  }
  if (name === KIT) return kitOf(call, submission.kit_id ?? '', order, terminal)
  if (order.out === '-') {
    const content = await client.getDeliverable(order.id, name, { signal })
    terminal.stdout.write(new Uint8Array(await content.arrayBuffer()) as unknown as string)
    return EXIT.ok
  }
  const path = placeFor(order.out, basename(name))
  const progress = transferProgress(terminal, 'fetching')
  try {
    await client.getDeliverable(order.id, name, { signal, into: keptFile(path), onProgress: progress.at })
  } finally {
    progress.clear()
  }
  return saved(path, order.json, terminal)
}

async function kitOf(call: ServiceCall, kitId: string, order: Order, terminal: Terminal): Promise<number> {
  if (order.out === '-')
    throw new UnreadableInput(
      'a kit is verified before it is kept: it goes to a file, not to standard output',
    )
  const path = placeFor(order.out, kitFileName(kitId))
  const { report, trust } = await fetchKit(call, { kitId, path, keys: order.keys }, terminal)
  if (report.status === 'FAIL') return notVerified(kitId, report, order.json, terminal)
  if (!order.json)
    return saved(path, false, terminal, [`verified  ${trustLine(trust, call.url)}`, report.boundary])
  lines(terminal.stdout, [jsonText({ path, keys: trust.keys, verification: report })])
  return EXIT.ok
}

function notVerified(kitId: string, report: VerificationReport, json: boolean, terminal: Terminal): number {
  if (json) lines(terminal.stdout, [jsonText({ verification: report })])
  else
    lines(terminal.stderr, [
      ...report.errors.map((text) => `  - ${plain(text)}`),
      `kitseal get: ${kitId} did not pass verification. It was not kept.`,
    ])
  return EXIT.fail
}

function unknownName(id: string, name: string, names: readonly string[]): UnreadableInput {
  const hint = suggestion(name, names) || `; there is ${names.join(', ')}`
  return new UnreadableInput(`${id} has no ${JSON.stringify(name)}${hint}`)
}

/** A folder that is there takes the file under its own name; anything else is the name. */
function placeFor(out: string, name: string): string {
  const path = existsSync(out) && statSync(out).isDirectory() ? join(out, name) : out
  if (existsSync(path)) throw new UnreadableInput(`${path} is there already: name another with --out`)
  return path
}

function saved(path: string, json: boolean, { stdout }: Terminal, more: readonly string[] = []): number {
  if (json) lines(stdout, [jsonText({ path })])
  else lines(stdout, [`saved     ${plain(path)}`, ...more])
  return EXIT.ok
}

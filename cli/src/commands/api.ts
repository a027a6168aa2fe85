import { text as streamText } from 'node:stream/consumers'
import { readSmallFile } from '@kitseal/kit/internal/node'
import { suggestion } from '../arguments.ts'
import { InputError, readOrFail } from '../input-error.ts'
import OPERATIONS from '../operations.generated.json' with { type: 'json' }
import { SERVICE_NOTE, serviceCommand } from '../service-call.ts'
import { pairOf } from '../submission-attributes.ts'
import { EXIT, jsonText, type Piped, showHelp, type Terminal, writeLines } from '../terminal.ts'

const HELP = `usage: kitseal api OPERATION [NAME=VALUE]… [--body JSON|@FILE|-] [--url URL] [--json]
       kitseal api METHOD PATH [--body JSON|@FILE|-] [--url URL] [--json]
       kitseal api --list

Sends one request to the API and prints the response: JSON in a readable form, other files as they are. "kitseal api
OPERATION --help" lists what an operation takes, and /docs/reference/api of the service describes it. The next page of a list
has the next_cursor of this one as its cursor.

  NAME=VALUE      a member of the path, the query or the body. A list of strings is given by repeating NAME; objects, and
                  lists of objects, are JSON. NAME=@FILE reads the value from a file
OPTIONS

${SERVICE_NOTE}

examples:
  kitseal api me
  kitseal api createWebhook url=https://hooks.example/kitseal types=submission.passed types=submission.failed
  kitseal api createProfile --body @profile.json
  kitseal api GET /v1/kits/kit_4Xw0s6S1/download > kit.zip

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
interface Member {
  readonly name: string
  /** What a value is parsed as: `string`, `number`, `boolean`, `strings` or `json`. */
  readonly kind: string
  readonly required: boolean
}

interface Operation {
  /** `POST /v1/shares` */
  readonly call: string
  readonly summary: string
  readonly isPublic: boolean
  readonly path: readonly Member[]
  readonly query: readonly Member[]
  readonly body: readonly Member[] | null
}

const TABLE = OPERATIONS as Readonly<Record<string, Operation>>
const membersOf = ({ path, query, body }: Operation): readonly Member[] => [
  ...path,
  ...query,
  ...(body ?? []),
]
const operationNamed = (name: string): Operation | undefined =>
  Object.hasOwn(TABLE, name) ? TABLE[name] : undefined

interface Call {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | undefined
}

const send = serviceCommand('api', HELP, {
  options: {
    list: 'list the operations',
    body: 'JSON  the whole body: JSON, a file as @FILE, or - for standard input',
  },
  isPublic: ({ positionals: [first = '', path = ''] }) =>
    operationNamed(first)?.isPublic ?? !path.startsWith('/v1/'),
  input: async ({ positionals, value }, terminal) => {
    const body = await readBody(value('body'), terminal)
    const [name = '', ...words] = positionals
    const operation = operationNamed(name)
    return { body, values: operation && (await valuesIn(words, operation)) }
  },
  read: ({ positionals: [first = '', ...words], has, reject }) => {
    const operation = operationNamed(first)
    reject(
      ...(operation === undefined
        ? requestProblems(first, words)
        : memberProblems(operation, words, has('body'))),
    )
    return async ({ client, signal, terminal }, { body: given, values: members }) => {
      const call =
        operation === undefined
          ? { method: first.toUpperCase(), path: words[0] ?? '', body: undefined }
          : callOf(operation, members ?? new Map())
      const body = given ?? (call.body && JSON.stringify(call.body))
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
      const response = await client.request(call.method, call.path, {
        signal,
        headers,
        ...(body && { body }),
      })
      await print(response, terminal)
      return EXIT.ok
    }
  },
})

/** `kitseal api`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = ''] = args
  const operation = operationNamed(name)
  if (operation !== undefined && args.some((arg) => arg === '--help' || arg === '-h'))
    return showHelp(terminal, helpOf(name, operation))
  if (name !== '--list') return send(args, terminal)
  const widest = Math.max(...Object.keys(TABLE).map(({ length }) => length))
  writeLines(
    terminal.stdout,
    Object.entries(TABLE).map(([each, { summary }]) => `${each.padEnd(widest)}  ${summary}`),
  )
  return EXIT.ok
}

const about = ({ name, kind, required }: Member): string =>
  `  ${name.padEnd(20)}  ${KINDS[kind] ?? kind}${required ? '' : ', optional'}`

function helpOf(name: string, operation: Operation): string {
  const { call, summary } = operation
  const members = membersOf(operation)
  const usage = members.map(({ name: member, required }) => (required ? `${member}=…` : `[${member}=…]`))
  return [
    `usage: kitseal api ${[name, ...usage].join(' ')}`,
    '',
    `${summary.replace(/\.$/, '')}: ${call}`,
    ...(members.length === 0 ? [] : ['', ...members.map(about)]),
  ].join('\n')
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  strings: 'text, can be repeated',
  boolean: 'true or false',
  json: 'JSON',
}

function requestProblems(
  method: string,
  [path = '', ...more]: readonly string[],
): readonly (string | false)[] {
  if (method !== '' && !METHODS.has(method.toUpperCase()))
    return [
      `there is no operation ${JSON.stringify(method)}${suggestion(method, Object.keys(TABLE)) || '.'} See "kitseal api --list".`,
    ]
  return [
    method === '' && 'pass an operation, such as me, or a method and a path',
    path === ''
      ? 'pass a path, such as /v1/me'
      : !/^\/[\x21-\x7e]*$/.test(path) && 'the path must start with / and contain no spaces',
    ...more.map((word) => `unexpected argument ${JSON.stringify(word)}`),
  ]
}

function memberProblems(
  operation: Operation,
  words: readonly string[],
  hasBody: boolean,
): readonly (string | false)[] {
  const { body } = operation
  const members = membersOf(operation)
  const given = words.map(pairOf)
  const names = members.map(({ name }) => name)
  return [
    ...words.map((word) => !word.includes('=') && `${JSON.stringify(word)} must be NAME=VALUE`),
    ...given.map(
      ([name]) => !names.includes(name) && `there is no ${JSON.stringify(name)}${suggestion(name, names)}`,
    ),
    ...members
      .filter((member) => member.required && !(hasBody && body?.includes(member)))
      .map(({ name }) => !given.some(([each]) => each === name) && `${name}=… is missing`),
    ...members.map(
      ({ name, kind }) =>
        kind !== 'strings' &&
        given.filter(([each]) => each === name).length > 1 &&
        `${name} can be given once`,
    ),
    hasBody &&
      given.some(([name]) => body?.some((member) => member.name === name)) &&
      '--body cannot be combined with members of the body',
  ]
}

type Values = ReadonlyMap<string, unknown>

async function valuesIn(words: readonly string[], operation: Operation): Promise<Values> {
  const values = new Map<string, unknown>()
  for (const [name, given] of words.map(pairOf)) {
    const kind = membersOf(operation).find((member) => member.name === name)?.kind ?? 'string'
    const text = given.startsWith('@') ? (await fileText(given.slice(1))).replace(/\r?\n$/, '') : given
    const value = parseValue(name, text, kind)
    values.set(
      name,
      kind === 'strings' ? [...((values.get(name) as string[] | undefined) ?? []), value] : value,
    )
  }
  return values
}

function parseValue(name: string, text: string, kind: string): unknown {
  if (kind === 'string' || kind === 'strings') return text
  try {
    const value: unknown = JSON.parse(text)
    if (kind === 'json' || value === null || typeof value === kind) return value
  } catch {
    // Reported below.
  }
  throw new InputError(
    `${name} must be ${kind === 'json' ? 'JSON' : (KINDS[kind] ?? `a ${kind}`)}, not ${JSON.stringify(text)}`,
  )
}

function callOf({ call, path, query, body }: Operation, values: Values): Call {
  const [method = '', pattern = ''] = call.split(' ')
  const text = (name: string): string => String(values.get(name))
  // A file path has several segments. In none can it leave the operation.
  const encoded = (name: string): string => {
    const segments = text(name).split('/')
    if (segments.some((segment) => /^\.{0,2}$/.test(segment)))
      throw new InputError(
        `${name} must not be empty, and have no . or .. in it: ${JSON.stringify(text(name))}`,
      )
    return segments.map(encodeURIComponent).join('/')
  }
  const parameters = new URLSearchParams(
    query.flatMap(({ name }) => [values.get(name) ?? []].flat().map((value) => [name, String(value)])),
  )
  const filled = path.reduce((whole, { name }) => whole.replace(`{${name}}`, () => encoded(name)), pattern)
  const members = body?.filter(({ name }) => values.has(name)).map(({ name }) => [name, values.get(name)])
  return {
    method,
    path: parameters.size === 0 ? filled : `${filled}?${parameters}`,
    body: members && Object.fromEntries(members),
  }
}

async function readBody(given: string | undefined, terminal: Terminal): Promise<string | undefined> {
  if (given === undefined) return undefined
  const { stdin } = terminal as { readonly stdin?: Piped }
  const file = given.startsWith('@') ? given.slice(1) : undefined
  const text =
    given === '-'
      ? stdin === undefined
        ? ''
        : await streamText(stdin)
      : file === undefined
        ? given
        : await fileText(file)
  try {
    JSON.parse(text)
    return text
  } catch {
    throw new InputError('--body is not JSON. To name a file, put @ before it.')
  }
}

const fileText = async (file: string): Promise<string> =>
  Buffer.from(await readOrFail(file, () => readSmallFile(file, { what: 'a body', limitMiB: 16 }))).toString()

async function print(response: Response, { stdout }: Terminal): Promise<void> {
  if (response.status === 204) return
  const type = response.headers.get('content-type') ?? ''
  if (/^application\/(?:[\w.-]+\+)?json\b/.test(type))
    return writeLines(stdout, [jsonText(await response.json())])
  if (stdout.isTTY === true && !type.startsWith('text/')) {
    await response.body?.cancel()
    throw new InputError(`the response is not text (${type}). Write it to a file: kitseal api … > FILE`)
  }
  for await (const part of response.body ?? []) stdout.write(part)
}

import { readSmallFile } from '@kitseal/kit/node'
import { InputError, readOrFail } from '../input-error.ts'
import { SERVICE_HELP, serviceCommand } from '../service-call.ts'
import { type Piped, STDIN } from '../stdin-evidence.ts'
import { EXIT, jsonText, type Terminal, writeLines } from '../terminal.ts'

const HELP = `usage: kitseal api METHOD PATH [--body JSON|@FILE|-] [--header 'NAME: VALUE']… [--url URL] [--json]

Sends one request to the API and prints the response: JSON in a readable form, other files as they are. The API is described
at /docs/reference/api of the service. The next page of a list has the next_cursor of this one as its cursor.

  --body JSON     the body: JSON, a file as @FILE, or - for standard input
  --header 'NAME: VALUE'  a header, such as 'Idempotency-Key: 42'. Can be repeated
${SERVICE_HELP}

examples:
  kitseal api GET /v1/me
  kitseal api GET '/v1/submissions?tag=q3&limit=10'
  kitseal api PATCH /v1/submissions/sub_4Xw0s6S1 --body '{"tags": ["q3"]}'
  kitseal api POST /v1/profiles --body @profile.json
  kitseal api GET /v1/kits/kit_4Xw0s6S1/download > kit.zip

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const HEADER = /^([A-Za-z0-9-]+): *([\x20-\x7e]*)$/
/** Other users see arguments, and the shell stores them. */
const SECRET_HEADERS = /^(?:x-api-key|authorization|cookie)$/i

/** `kitseal api`. */
export const run = serviceCommand('api', HELP, {
  options: { body: 'one', header: 'many' },
  arguments: ['pass a method, such as GET', 'pass a path, such as /v1/me'],
  isPublic: ({ positionals: [, path = ''] }) => !path.startsWith('/v1/'),
  input: ({ value }, terminal) => readBody(value('body'), terminal),
  read: ({ positionals: [given = '', path = ''], values, reject }) => {
    const method = given.toUpperCase()
    const headers = values('header').map((text) => HEADER.exec(text)?.slice(1))
    reject(
      given !== '' && !METHODS.includes(method) && `the method must be ${METHODS.join(', ')}`,
      path !== '' && !/^\/[\x21-\x7e]*$/.test(path) && 'the path must start with / and contain no spaces',
      headers.includes(undefined) && '--header must be a name, a colon and a value',
      headers.some((pair) => SECRET_HEADERS.test(pair?.[0] ?? '')) &&
        '--header cannot be a secret: other users can see arguments. Run "kitseal login" or set KITSEAL_API_KEY.',
    )
    return async ({ client, signal, terminal }, body) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const all = { ...type, ...(Object.fromEntries(headers.map((pair) => pair ?? [])) as object) }
      await print(
        await client.request(method, path, { signal, headers: all, ...(body && { body }) }),
        terminal,
      )
      return EXIT.ok
    }
  },
})

async function readBody(given: string | undefined, terminal: Terminal): Promise<string | undefined> {
  if (given === undefined) return undefined
  const { stdin } = terminal as { readonly stdin?: Piped }
  const file = given.startsWith('@') ? given.slice(1) : undefined
  const text = given === STDIN ? await textOf(stdin ?? []) : file === undefined ? given : await fileText(file)
  try {
    JSON.parse(text)
    return text
  } catch {
    throw new InputError('--body is not JSON. To name a file, put @ before it.')
  }
}

async function textOf(input: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of input) parts.push(part)
  return Buffer.concat(parts).toString()
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

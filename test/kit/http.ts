import assert from 'node:assert/strict'
import { STATUS_CODES } from 'node:http'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { BEFORE_ROUTING, openapi, type OpenApi, phrases } from './openapi.ts'

/** A response that was validated against the OpenAPI document. */
export interface Checked {
  readonly status: number
  readonly headers: Headers
  /** Empty if the response is not JSON. */
  readonly json: Record<string, unknown>
  readonly bytes: Buffer<ArrayBuffer>
}

export type CheckedFetch = (path: string, init?: RequestInit) => Promise<Checked>

/** A fetch that fails if a response does not match spec/openapi.json, which another test compares with the service's own. */
export function checkedClient(base: string): CheckedFetch {
  return async (path, init) => {
    documented ??= readValidators()
    const response = await fetch(base + path, init)
    const bytes = Buffer.from(await response.arrayBuffer())
    const checked: Checked = {
      status: response.status,
      headers: response.headers,
      bytes,
      json: jsonOf(response, bytes),
    }
    assertMatchesDescription(documented, init?.method ?? 'GET', path, checked)
    return checked
  }
}

/** With the status that the tus protocol adds. */
const PHRASES: Readonly<Record<number, string | undefined>> = { ...STATUS_CODES, 460: 'Checksum Mismatch' }

let documented: Validators | undefined

function readValidators(): Validators {
  return responseValidators(withoutExtraMembers(openapi) as OpenApi)
}

/** Clients must accept new members. Tests must not: a member that is not documented is a mistake. */
function withoutExtraMembers(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutExtraMembers)
  if (schema === null || typeof schema !== 'object') return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withoutExtraMembers(value)]),
  )
  const isObject = copy['type'] === 'object' && copy['properties'] !== undefined
  return isObject ? { additionalProperties: false, ...copy } : copy
}

function jsonOf(response: Response, bytes: Buffer): Record<string, unknown> {
  const isJson = /^application\/(.*\+)?json\b(?!l)/.test(response.headers.get('content-type') ?? '')
  return isJson && bytes.length > 0 ? (JSON.parse(bytes.toString()) as Record<string, unknown>) : {}
}

type Validators = (method: string, path: string, status: number) => ResponseValidator | undefined

interface ResponseValidator {
  /** The error codes of the operation. */
  readonly codes: readonly string[]
  /** Required headers. */
  readonly requiredHeaders: readonly string[]
  readonly mediaTypes: readonly string[]
  readonly validate: ValidateFunction | undefined
}

function responseValidators(description: OpenApi): Validators {
  // Compiling a validator takes longer than all its uses, so it is not optimized.
  const code = { optimize: false }
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code })
  formats.default(ajv)
  ajv.addSchema({ $id: 'openapi', ...description })
  const operations = Object.entries(description.paths).map(([template, item]) => ({
    matches: new RegExp(`^${template.replaceAll('.', String.raw`\.`).replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    template,
    item,
  }))
  return (method, path, status) => {
    // As it is requested: without dot segments.
    const { pathname } = new URL(path, 'http://localhost')
    const operation = operations.find(({ matches }) => matches.test(pathname))
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
    const { responses, 'x-error-codes': codes = [] } = operation?.item[verb] ?? {}
    if (operation === undefined || responses === undefined) return undefined
    const key = `${status}` in responses ? `${status}` : 'default'
    const shared = responses[key]?.$ref?.split('/').at(-1)
    const { content = {}, headers = {} } =
      (shared === undefined ? responses[key] : description.components.responses[shared]) ?? {}
    const requiredHeaders = Object.keys(headers).filter((name) =>
      isRequired(description, headers[name]?.$ref ?? ''),
    )
    const own = `paths/${pointerPart(operation.template)}/${verb}/responses/${key}`
    const pointer = `openapi#/${shared === undefined ? own : `components/responses/${shared}`}/content`
    const schema = content['application/json']?.schema
    const validate =
      schema === undefined ? undefined : ajv.getSchema(`${pointer}/${pointerPart('application/json')}/schema`)
    return { codes, requiredHeaders, mediaTypes: Object.keys(content), validate }
  }
}

const isRequired = ({ components }: OpenApi, reference: string): boolean =>
  components.headers[reference.split('/').at(-1) ?? '']?.required === true

const pointerPart = (text: string): string =>
  encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))

function assertMatchesDescription(
  validators: Validators,
  method: string,
  path: string,
  response: Checked,
): void {
  const what = `${method} ${path} → ${response.status} ${response.bytes.toString('utf8', 0, 500)}`
  assert.match(response.headers.get('x-request-id') ?? '', /^req_[\w-]{22,}$/, what)
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff', what)
  const described = validators(method, path, response.status)
  if (response.status >= 400 && method !== 'HEAD') assertErrorShape(described, response, what)
  for (const name of described?.requiredHeaders ?? [])
    assert.ok(response.headers.has(name), `${what}: ${name} is missing`)
  if (described === undefined || response.bytes.length === 0) return
  const mediaType = response.headers.get('content-type')?.split(';')[0] ?? ''
  assert.ok(described.mediaTypes.includes(mediaType), `${what}: ${mediaType} is not described`)
  if (mediaType !== 'application/json') return
  assert.ok(described.validate !== undefined, `${what} has no described schema`)
  assert.ok(described.validate(response.json), `${what}: ${JSON.stringify(described.validate.errors)}`)
}

function assertErrorShape(described: ResponseValidator | undefined, response: Checked, what: string): void {
  const { error, code, message, args = {}, param = '', request_id, boundary, ...rest } = response.json
  assert.deepEqual(rest, {}, what)
  assert.equal(typeof param, 'string', what)
  for (const value of Object.values(args as object))
    assert.ok(['string', 'number'].includes(typeof value), what)
  assert.equal(error, PHRASES[response.status], what)
  assert.equal(phrases.get(String(code)), error, `${what}: code and status`)
  if (described !== undefined && !BEFORE_ROUTING.includes(String(code)))
    assert.ok(described.codes.includes(String(code)), `${what}: not a documented code`)
  assert.ok(typeof message === 'string' && message.length > 0, what)
  assert.doesNotMatch(message, /\bat .*:\d+|node_modules|\/tmp\/|SQLITE|FST_/, `${what}: leaks`)
  assert.equal(request_id, response.headers.get('x-request-id'), what)
  assert.match(String(boundary), /^Integrity and issuance evidence only/, what)
}

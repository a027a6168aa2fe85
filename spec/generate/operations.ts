// The operations of the API, from which the methods of the clients and `kitseal api` are generated: one name and one order of parameters everywhere.

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly description?: string
}

export type Schemas = Readonly<Record<string, Schema>>
export type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
  readonly security?: readonly object[]
}

export interface OpenApi {
  readonly components: { readonly schemas: Schemas }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Described }>>
}

export interface Operation {
  readonly name: string
  /** Upper case. */
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  /** The parameters of the path, in its order. */
  readonly ids: readonly Parameter[]
  readonly query: readonly Parameter[]
  /** What is sent; without one, nothing is. */
  readonly content: Content | undefined
  /** The JSON that is sent, unless it is a receipt, which is sent as it was received. */
  readonly body: Schema | undefined
  readonly response: Content | undefined
  readonly answer: 'json' | 'file' | 'nothing'
  /** Whether a retry sends the same Idempotency-Key. */
  readonly isIdempotent: boolean
  readonly isPublic: boolean
}

/** For operators and tools, the steps of `uploadFile`, and what `getDeliverable` does too. */
const NOT_FOR_CLIENTS =
  'getLogCheckpoint getLogTile getLogPolicy getReport getWebhookKeys getOpenApi getHealth getReadiness createUpload getUpload appendToUpload'
/** Methods that do more than one request, or send and return something else than JSON. */
const BY_HAND = 'downloadKit uploadEvidence deleteUpload verifyKit streamEvents exchangeToken'
const SKIPPED = new Set(`${NOT_FOR_CLIENTS} ${BY_HAND}`.split(' '))
/** The response to a repeated request has no link, so these are not repeated. */
const LINK_IS_SHOWN_ONCE = new Set(['createShare', 'createShareLink', 'createRoom', 'createRoomLink'])

/** Operations that are one method of a client each. */
export const isGenerated = ({ name }: Operation): boolean => !SKIPPED.has(name)

/** Every operation but HEAD, whose responses have no body. */
export const operationsIn = ({ paths, components }: OpenApi): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'head')
      .map(([method, described]) => operation(path, method.toUpperCase(), described, components.schemas)),
  )

function operation(path: string, method: string, described: Described, schemas: Schemas): Operation {
  const { operationId: name, summary, description = '', parameters = [], requestBody, responses } = described
  const [response] = Object.entries(responses).flatMap(([status, one]) =>
    status[0] === '2' ? [one.content] : [],
  )
  const types = Object.keys(response ?? {}).filter((type) => type !== 'application/jsonl')
  return {
    name,
    method,
    path,
    summary,
    description,
    ids: parameters.filter((one) => one.in === 'path'),
    query: parameters.filter((one) => one.in === 'query'),
    content: requestBody?.content,
    body: bodyOf(requestBody?.content['application/json']?.schema, schemas),
    response,
    answer: response === undefined ? 'nothing' : types.join() === 'application/json' ? 'json' : 'file',
    isIdempotent: parameters.some((one) => one.name === 'Idempotency-Key') && !LINK_IS_SHOWN_ONCE.has(name),
    isPublic: described.security?.every((way) => Object.keys(way).length > 0) !== true,
  }
}

function bodyOf(schema: Schema | undefined, schemas: Schemas): Schema | undefined {
  if (schema?.$ref === undefined) return schema
  return schema.$ref.endsWith('/Receipt') ? {} : bodyOf(resolved(schema, schemas), schemas)
}

/** The schema that a reference names. */
export const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})

export const isRequired = (body: Schema | undefined, name: string): boolean =>
  body?.required?.includes(name) === true

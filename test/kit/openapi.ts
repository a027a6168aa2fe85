import { readFileSync } from 'node:fs'

/** A schema as far as tests read it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

export interface Media {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: { readonly error: string } }>>
}

export interface Answer {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Readonly<Record<string, Media>>
}

export interface Operation {
  readonly operationId: string
  readonly description?: string
  readonly parameters?: readonly {
    readonly in: string
    readonly name: string
    readonly schema: Schema
    readonly example?: unknown
  }[]
  readonly requestBody?: Answer
  readonly responses: Readonly<Record<string, Answer>>
  readonly 'x-scope'?: string
  readonly 'x-role'?: string
  readonly 'x-error-codes': readonly string[]
  readonly 'x-codeSamples': readonly { readonly source: string }[]
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly required?: boolean }>>
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Answer>>
  }
}

const FILE = new URL('../../spec/openapi.json', import.meta.url)

/** The committed description of the API. */
export const openapi = JSON.parse(readFileSync(FILE, 'utf8')) as OpenApi

/** Every operation with its method and path. */
export const operations = Object.entries(openapi.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

/** Codes of requests that reach no operation. */
export const BEFORE_ROUTING: readonly string[] = [
  'request_malformed',
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'expectation_failed',
  'host_unknown',
  'headers_too_large',
]

/** The reason phrase of each error code. */
export const phrases: ReadonlyMap<string, string> = new Map(
  Object.values(openapi.components.responses).flatMap(({ content }) =>
    Object.entries(content?.['application/json']?.examples ?? {}).map(
      ([code, { value }]) => [code, value.error] as const,
    ),
  ),
)

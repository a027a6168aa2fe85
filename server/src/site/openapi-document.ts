import type { RefusalCode } from '../refusals.ts'

/** The parts of the OpenAPI document that are added to it, and that the API reference shows. */
export interface Described {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Record<string, Operation>>>
  readonly components: {
    readonly schemas: Record<string, Schema>
    readonly responses: Readonly<Record<string, Answer>>
  }
  readonly 'x-service-boundary'?: string
}

export interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Record<string, Answer>
  /** The scope that an API key needs. */
  readonly 'x-scope'?: string
  /** The lowest role that a member needs in the console. */
  readonly 'x-role'?: string
  /** Present only if an API key is required. */
  security?: readonly object[]
  'x-codeSamples'?: readonly object[]
  /** What its route says of itself. The document has it elsewhere. */
  'x-own-codes'?: readonly RefusalCode[]
  'x-own-example'?: unknown
  /** The codes of the errors that it can return. */
  'x-error-codes'?: readonly RefusalCode[]
}

export interface Answer {
  readonly $ref?: string
  readonly description?: string
  headers?: object
  readonly content?: Content
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  example?: unknown
}

export type Content = Readonly<Record<string, { readonly schema?: Schema; example?: unknown }>>

export interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly string[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly pattern?: string
}

/** One endpoint of the API reference. */
export interface Shown {
  /** The body that a curl command sends, as the shell reads it. */
  readonly sends?: string | undefined
  readonly path: string
  readonly method: string
  readonly said: Operation
}

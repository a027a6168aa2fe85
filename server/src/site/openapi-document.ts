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

interface Answer {
  readonly $ref?: string
  readonly description?: string
  headers?: object
  readonly content?: Content
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  example?: unknown
}

type Content = Readonly<Record<string, { readonly schema?: Schema; example?: unknown }>>

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

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The name of a part in its URL. */
export const partName = (tag: string): string => tag.toLowerCase()

/** The description of one group: its operations, and only the components that they refer to. Undefined if there is no such group. */
export function openapiPart(document: Described, name: string): object | undefined {
  const tag = document.tags?.find((each) => partName(each.name) === name)
  if (tag === undefined) return undefined
  const isOf = (operation: unknown): boolean =>
    (operation as { readonly tags?: readonly string[] }).tags?.includes(tag.name) === true
  const only = (items: Readonly<Record<string, object>> = {}): Record<string, object> =>
    Object.fromEntries(
      Object.entries(items).flatMap(([path, item]) => {
        const operations = Object.entries(item).filter(([, operation]) => isOf(operation))
        return operations.length === 0 ? [] : [[path, Object.fromEntries(operations)]]
      }),
    )
  const { webhooks, components, ...rest } = document as Described & {
    readonly webhooks?: Record<string, object>
  }
  const part = { ...rest, tags: [tag], paths: only(document.paths), webhooks: only(webhooks) }
  return { ...part, components: reachable(part, components as unknown as Components) }
}

/** The components that are referred to, by the part or by each other, and all security schemes. */
function reachable(part: object, components: Components): Components {
  const found = new Map<string, unknown>()
  const look = (value: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(REFERENCE)) {
      const key = `${kind}/${name}`
      if (found.has(key)) continue
      found.set(key, components[kind]?.[name])
      look(found.get(key))
    }
  }
  look(part)
  const used = Object.entries(components).map(([kind, members]) => [
    kind,
    Object.fromEntries(
      Object.entries(members).filter(([name]) => kind === 'securitySchemes' || found.has(`${kind}/${name}`)),
    ),
  ])
  return Object.fromEntries(used) as Components
}

const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([^"/]+)"/g

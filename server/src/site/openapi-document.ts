import type { RefusalCode } from '../refusals.ts'

/** The parts of the OpenAPI document that are added to it, and that the API reference shows. */
export interface Described {
  readonly info: object
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Record<string, Operation>>>
  readonly components: {
    readonly schemas: Record<string, Schema>
  }
}

export interface Operation {
  readonly operationId: string
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
  headers?: object
  readonly content?: Content
}

interface Parameter {
  readonly name: string
  readonly in: string
  example?: unknown
}

type Content = Readonly<Record<string, { readonly schema?: Schema; example?: unknown }>>

interface Schema {
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
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

/**
 * Parts of the named schemas that have a name of their own in the OpenAPI document, so that generated clients have a type for each: a
 * member, the items of a list, or what is not null.
 */
const PARTS: Readonly<Record<string, string>> = {
  ErrorCode: 'ErrorResponse.code',
  Artifact: 'Manifest.artifacts[]',
  CheckResult: 'VerificationResult.checks[]',
  Signer: 'VerificationResult.signer',
  LogStatement: 'VerificationResult.log',
  ProvenanceEntry: 'KitDetail.provenance[]',
  PublicKey: 'JWKS.keys[]',
  RevokedKey: 'JWKS.revoked_keys[]',
  ProfileItem: 'Profile.items[]',
  ProfileItemRequest: 'ProfileRequest.items[]',
  EvidenceFile: 'Submission.evidence[]',
  SubmissionWaiting: 'Submission.waiting?',
  Blocker: 'Submission.blockers[]',
  Finding: 'Submission.findings[]',
  Deliverable: 'DeliverableList.data[]',
  LedgerEntry: 'CreditAccount.data[]',
  AuditEvent: 'AuditTrail.data[]',
  Event: 'EventList.data[]',
  ShareRecipient: 'Share.recipients[]',
  ShareAccess: 'ShareAccessList.data[]',
  RoomKit: 'Room.kits[]',
  RoomReview: 'RoomReviewList.data[]',
  NewRequestItem: 'NewRequest.items[]',
  RequestItem: 'EvidenceRequest.items[]',
  RequestFile: 'EvidenceRequest.other_files[]',
  RequestProgress: 'EvidenceRequest.progress',
  RequestRound: 'EvidenceRequest.rounds[]',
  NewProgramItem: 'NewProgram.items[]',
  ProgramItem: 'Program.items[]',
  PeriodSummary: 'ProgramBoard.periods[]',
  PeriodItem: 'Period.items[]',
  BoardCell: 'ProgramBoard.cells[]',
  IssuerPin: 'TrustedIssuers.data[]',
  ClaimRule: 'FederationRequest.claims[]',
}

/** Names of request bodies and responses that are not named schemas, by operation. */
const BODIES: Readonly<Record<string, string>> = {
  exchangeToken: 'TokenRequest',
  uploadEvidence: 'EvidenceForm',
}

/** Moves schemas that are used in several places to the components, and refers to them from there. */
export function shareSchemas(document: Described): Described {
  const schemas = { ...document.components.schemas, ...partsOf(document), ...bodiesOf(document) }
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [shapeOf(schema), name]))
  const referring = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referring)
    if (value === null || typeof value !== 'object') return value
    const name = isNameable(value) ? names.get(shapeOf(value)) : undefined
    if (name === undefined) return membersOf(value, referring)
    const { description } = value as Schema
    const isOwn = description !== undefined && description !== schemas[name]?.description
    return { $ref: `#/components/schemas/${name}`, ...(isOwn ? { description } : {}) }
  }
  const shared = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describeDefaults(membersOf(schema, referring))]),
  )
  return {
    ...document,
    components: { ...document.components, schemas: shared },
    paths: referring(document.paths),
  } as Described
}

/** Says defaults in words, because generators make members with a `default` required. */
function describeDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describeDefaults)
  if (value === null || typeof value !== 'object') return value
  if (!('default' in value && 'type' in value)) return membersOf(value, describeDefaults)
  const { default: used, ...rest } = value as { readonly default: unknown; readonly description?: string }
  const said = `Default: \`${[used].flat().join('`, `')}\`.`
  return { ...rest, description: [rest.description, said].filter((text) => text !== undefined).join(' ') }
}

const membersOf = (value: object, each: (member: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(value).map(([key, member]) => [key, each(member)]))

const isNameable = (value: object): boolean =>
  ('properties' in value && 'type' in value) || ('enum' in value && 'type' in value)

/** What a schema says, apart from how it is introduced. */
const shapeOf = (schema: object): string => {
  const { title: _, description: __, ...shape } = schema as Schema
  return JSON.stringify(shape)
}

function partsOf({ components }: Described): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(PARTS).map(([name, place]) => {
      const [, owner = '', member = '', of] = /^(\w+)\.(\w+)(\[\]|\?)?$/.exec(place) ?? []
      const found = components.schemas[owner]?.properties?.[member]
      const part = of === '[]' ? found?.items : of === '?' ? found?.anyOf?.[0] : found
      if (part === undefined) throw new Error(`openapi-document.ts: there is no ${place}`)
      return [name, part]
    }),
  )
}

function bodiesOf({ paths }: Described): Record<string, Schema> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  return Object.fromEntries(
    operations.flatMap(({ operationId = '', requestBody }) => {
      const [body] = Object.values(requestBody?.content ?? {})
      const name = BODIES[operationId]
      return name === undefined || body?.schema === undefined ? [] : [[name, body.schema]]
    }),
  )
}

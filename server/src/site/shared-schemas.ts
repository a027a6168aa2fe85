import type { Described, Schema } from './openapi-document.ts'

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
      if (part === undefined) throw new Error(`shared-schemas.ts: there is no ${place}`)
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

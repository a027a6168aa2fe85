import { type Static, Type } from 'typebox'
import { column, type RowOf, type StoredRow, table } from '../database/table.ts'
import type { Bounds, Reader } from '../database/unit.ts'
import {
  Closed,
  ADDRESS,
  Count,
  LABEL,
  NullableString,
  OneOf,
  SEVERAL_LINES_OF,
  OptionalOrNull,
} from '../http/schema-parts.ts'
import { body } from '../http/resource.ts'
import { type Problem, problem } from '../http/validate-request.ts'
import { Refusal } from '../refusals.ts'
import type { MemberId, ProgramId } from '../runtime/identifiers.ts'
import {
  addresses,
  emptyProblems,
  ITEM_TEXTS,
  ItemId,
  itemProblems,
  itemsIn,
  MAX_ITEMS,
  Recipients,
  type Sent,
} from './create-request.ts'
import { peopleBy, requests, type RequestRow } from './request.ts'

export const CADENCES = ['monthly', 'quarterly', 'half_yearly', 'yearly', 'none'] as const
export type Cadence = (typeof CADENCES)[number]

/** Where the files of an item come from: the workspace itself, or a supplier who is asked with a request. */
export const ITEM_SOURCES = ['internal', 'request'] as const

/** What an item of a program says in a response too. */
export const PROGRAM_ITEM = {
  item_id: Type.String({ description: 'Also the folder of its files in the kit.' }),
  title: Type.String(),
  description: NullableString('What to supply.'),
  source: OneOf(ITEM_SOURCES),
  recipients: Type.Array(Type.String(), { description: 'Email addresses of the supplier.' }),
  due_days: Count('Days after the start of the period.'),
}
const StoredItem = Type.Object({
  ...PROGRAM_ITEM,
  /** The colleague who supplies it. */
  owner_id: Type.Unsafe<MemberId | null>(NullableString()),
})

/** What a workspace shows again and again. Each period of it is a request. */
export const programs = table('programs', {
  program_id: column.id<ProgramId>('prg'),
  workspace_id: column.owner(),
  /** The number of the audit event of its creation, so that programs of a workspace have an order. */
  sequence: column.count(),
  name: column.text(),
  /** It stays when the program is renamed. */
  series: column.text().doc('The series of its kits.'),
  cadence: column.oneOf(...CADENCES),
  /** A date. */
  starts_on: column.text(),
  message: column.text().nullable().doc('In the mails to owners and suppliers.'),
  /** The date on which the next period opens. Null if none opens by itself. */
  next_on: column.text().nullable(),
  /** Those of the next period. */
  items: column.json(Type.Array(StoredItem)),
  created_by: column.text(),
  created_at: column.created(),
  updated_at: column.updated(),
  ended_at: column.time().nullable().doc('When it was ended.'),
})
  .unique(['workspace_id', 'sequence'])
  .unique(['workspace_id', 'series'])
  .index(['next_on'], 'next_on is not null')
  .fixed(
    'an ended program stays ended, and keeps its series',
    ['name', 'cadence', 'message', 'next_on', 'items', 'updated_at', 'ended_at'],
    'old.ended_at is not null and new.ended_at is distinct from old.ended_at',
  )
  .stays('programs are not deleted')
  .missing('program_not_found', 'Program not found in this workspace.')

declare module '../database/schema.ts' {
  interface Database {
    readonly programs: StoredRow<typeof programs>
  }
}

export type Program = RowOf<typeof programs>
export type ProgramItem = Static<typeof StoredItem>

export const DEFAULT_DUE_DAYS = 30
const MAX_DUE_DAYS = 3660
/** The period is added to it, and the result is a label and a series. */
const NAME = { ...LABEL, maxLength: 90 }
const CadenceIn = () =>
  OneOf(CADENCES, 'How often a period opens. With `none`, periods after the first open on request only.')
const Message = () =>
  OptionalOrNull(
    Type.String({ ...SEVERAL_LINES_OF(5000), description: 'In the mails to owners and suppliers.' }),
  )
const NewItem = Closed({
  item_id: ItemId(),
  ...ITEM_TEXTS,
  owner: OptionalOrNull(
    Type.String({ ...ADDRESS, description: 'The email address of the member who supplies it.' }),
  ),
  source: Type.Optional(
    OneOf(
      ITEM_SOURCES,
      '`internal`: members of the workspace add the files. `request`: a supplier is asked with a request when a period opens. Default: `internal`.',
    ),
  ),
  recipients: Type.Optional(Recipients()),
  due_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_DUE_DAYS,
      description: `Days after the start of the period. Default: ${DEFAULT_DUE_DAYS}.`,
    }),
  ),
})
const NewItems = () =>
  Type.Optional(
    Type.Array(NewItem, { minItems: 1, maxItems: MAX_ITEMS, description: 'What to show each time.' }),
  )

export const NewProgram = body(
  'NewProgram',
  {
    name: Type.String(NAME),
    cadence: CadenceIn(),
    starts_on: Type.String({
      format: 'date',
      description: 'When the first period starts. If it has passed, the current period opens at once.',
    }),
    items: NewItems(),
    profile: OptionalOrNull(Type.String({ ...LABEL })),
    message: Message(),
  },
  'The body of a new program: its items, or the profile that they are taken from.',
)
export const ProgramChange = body('ProgramUpdate', {
  name: Type.Optional(Type.String(NAME)),
  message: Message(),
  cadence: Type.Optional(CadenceIn()),
  items: NewItems(),
  ended: Type.Optional(
    Type.Literal(true, { description: 'No further period opens. This cannot be undone.' }),
  ),
})

export type NewProgramItem = Static<typeof NewItem>

/** The newest periods of a program, only those with a number below `before`. */
export const periodRows = (
  reader: Reader,
  { program_id }: Pick<RequestRow, 'program_id'>,
  { before, limit }: Bounds,
): Promise<readonly RequestRow[]> =>
  reader.rows(requests, { program_id }).where('number', '<', before).orderBy('number', 'desc').all(limit)

/** What is stored of the items that were sent. Refuses owners who cannot add files. */
export async function storedItems(reader: Reader, sent: readonly NewProgramItem[]): Promise<ProgramItem[]> {
  const ownerOf = await ownersOf(
    reader,
    sent.flatMap(({ owner }) => owner ?? []),
  )
  return sent.map(({ item_id, title, description, source, owner, recipients, due_days }, index) => ({
    item_id,
    title: title.trim(),
    description: description?.trim() || null,
    source: source ?? 'internal',
    owner_id: owner == null ? null : ownerOf(owner, `items[${index}].owner`),
    recipients: addresses(recipients ?? []),
    due_days: due_days ?? DEFAULT_DUE_DAYS,
  }))
}

/** Finds members by their addresses. Who is invited owns their items from now on. Those who cannot add files are refused. */
export async function ownersOf(reader: Reader, owners: readonly string[]) {
  const emails = [...new Set(owners.map(addressOf))]
  const found = await peopleBy(reader.db, 'email', emails)
  const members = new Map(
    found
      .filter(({ workspace_id }) => workspace_id === reader.workspaceId)
      .map((person) => [person.email, person]),
  )
  return (owner: string, param: string): MemberId => {
    const member = members.get(addressOf(owner))
    if (member !== undefined && member.role !== 'viewer') return member.member_id
    const wrong =
      member === undefined
        ? `${owner} is not a member of this workspace. Invite them, or use the source "request" with this address as a recipient.`
        : `${owner} is a viewer, who cannot add files. Change their role first.`
    throw new Refusal('body_invalid', wrong, { param })
  }
}

const addressOf = (owner: string): string => owner.trim().toLowerCase()

/** What the schema cannot say. */
export const programProblems = ({ items, name }: Sent): readonly Problem[] => [
  ...itemProblems(items, 'item_id'),
  ...emptyProblems('name', name),
  ...itemsIn(items).flatMap(peopleProblems),
]

function peopleProblems({ source, owner, recipients }: Sent, index: number): readonly Problem[] {
  if (source === 'request')
    return typeof owner === 'string'
      ? [problem(`items[${index}].owner`, 'must be left out: the recipients supply this item')]
      : []
  return Array.isArray(recipients) && recipients.length > 0
    ? [problem(`items[${index}].recipients`, 'needs the source "request"')]
    : []
}

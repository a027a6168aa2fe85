import { openInvitations } from '../access/member-queries.ts'
import { type Static, Type } from 'typebox'
import { column, type RowOf, type StoredRow, table } from '../database/table.ts'
import type { Bounds, Reader, Unit } from '../database/unit.ts'
import { Closed, ADDRESS, LABEL, OneOf, SEVERAL_LINES_OF, OptionalOrNull } from '../http/schema-parts.ts'
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
  MAX_ITEMS,
  Recipients,
} from './create-request.ts'
import { requests, type RequestRow } from './request.ts'

export const CADENCES = ['monthly', 'quarterly', 'half_yearly', 'yearly', 'none'] as const
export type Cadence = (typeof CADENCES)[number]

/** Where the files of an item come from: the workspace itself, or a supplier who is asked with a request. */
export const ITEM_SOURCES = ['internal', 'request'] as const

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
    ['name', 'cadence', 'message', 'next_on', 'updated_at', 'ended_at'],
    'old.ended_at is not null and new.ended_at is distinct from old.ended_at',
  )
  .stays('programs are not deleted')
  .missing('program_not_found', 'Program not found in this workspace.')

/** The items of the next period. */
export const programItems = table('program_items', {
  program_id: column.refersTo<ProgramId>('programs (program_id)'),
  item_id: column.text().doc('Also the folder of its files in the kit.'),
  position: column.integer(),
  title: column.text(),
  description: column.text().nullable().doc('What to supply.'),
  source: column.oneOf(...ITEM_SOURCES),
  owner_id: column.text<MemberId>().nullable(),
  recipients: column.json(Type.Array(Type.String())).doc('Email addresses of the supplier.'),
  due_days: column.count().doc('Days after the start of the period.'),
}).primaryKey('program_id', 'item_id')

declare module '../database/schema.ts' {
  interface Database {
    readonly programs: StoredRow<typeof programs>
    readonly program_items: StoredRow<typeof programItems>
  }
}

export type Program = RowOf<typeof programs>
export type ProgramItem = RowOf<typeof programItems>

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

export async function itemsOfProgram(reader: Reader, { program_id }: Pick<Program, 'program_id'>) {
  const items = await reader.rows(programItems, { program_id }).all()
  return items.toSorted((a, b) => a.position - b.position)
}

/** Replaces the items of a program. Refuses owners who cannot add files. */
export async function saveItems(unit: Unit, program_id: ProgramId, items: readonly NewProgramItem[]) {
  const owners = await ownersOf(
    unit,
    items.map(({ owner }) => owner ?? null),
  )
  const rows = items.map((item, position) => ({
    program_id,
    item_id: item.item_id,
    position,
    title: item.title.trim(),
    description: item.description?.trim() || null,
    source: item.source ?? ('internal' as const),
    owner_id: item.owner == null ? null : owners(item.owner, `items[${position}].owner`),
    recipients: addresses(item.recipients ?? []),
    due_days: item.due_days ?? DEFAULT_DUE_DAYS,
  }))
  await unit.db.deleteFrom('program_items').where('program_id', '=', program_id).execute()
  return unit.insertAll(programItems, rows)
}

/** Finds members by their addresses. Those who cannot add files are refused. */
export async function ownersOf(
  { db, workspaceId }: Reader,
  owners: readonly (string | null)[],
): Promise<(owner: string, param: string) => MemberId> {
  const emails = [...new Set(owners.flatMap((owner) => (owner === null ? [] : [owner.trim().toLowerCase()])))]
  const rows =
    emails.length === 0
      ? []
      : await db
          .selectFrom('members')
          .select(['member_id', 'email', 'role'])
          .where('workspace_id', '=', workspaceId)
          .where('email', 'in', emails)
          .where('removed_at', 'is', null)
          .unionAll(
            // Who is invited owns their items from now on.
            openInvitations(db)
              .select(['member_id', 'email', 'role'])
              .where('workspace_id', '=', workspaceId)
              .where('email', 'in', emails),
          )
          .execute()
  const members = new Map(rows.map((row) => [row.email, row]))
  return (owner, param) => {
    const member = members.get(owner.trim().toLowerCase())
    if (member !== undefined && member.role !== 'viewer') return member.member_id
    const wrong =
      member === undefined
        ? `${owner} is not a member of this workspace. Invite them, or use the source "request" with this address as a recipient.`
        : `${owner} is a viewer, who cannot add files. Change their role first.`
    throw new Refusal('body_invalid', wrong, { param })
  }
}

/** What the schema cannot say. */
export const programProblems = ({
  items,
  name,
}: {
  readonly items?: unknown
  readonly name?: unknown
}): readonly Problem[] => [
  ...itemProblems(items, 'item_id'),
  ...emptyProblems('name', name),
  ...(Array.isArray(items) ? items.flatMap(peopleProblems) : []),
]

function peopleProblems(item: unknown, index: number): readonly Problem[] {
  if (typeof item !== 'object' || item === null) return []
  const { source, owner, recipients } = item as Readonly<Record<string, unknown>>
  if (source === 'request')
    return typeof owner === 'string'
      ? [problem(`items[${index}].owner`, 'must be left out: the recipients supply this item')]
      : []
  return Array.isArray(recipients) && recipients.length > 0
    ? [problem(`items[${index}].recipients`, 'needs the source "request"')]
    : []
}

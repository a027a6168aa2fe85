import { itemIdProblem, parseDue, type Profile, repeatedIds } from '@kitseal/examiner'
import { type Static, Type } from 'typebox'
import type { New } from '../database/table.ts'
import type { Unit } from '../database/unit.ts'
import { body } from '../http/resource.ts'
import { Closed, OptionalOrNull, ADDRESS, LABEL, SEVERAL_LINES_OF } from '../http/schema-parts.ts'
import { type Problem, problem } from '../http/validate-request.ts'
import { Refusal } from '../refusals.ts'
import type { Actor, Anonymous } from '../runtime/actor.ts'
import type { EvidenceRequestId, WorkspaceId } from '../runtime/identifiers.ts'
import { actorText } from '../submissions/provenance-report.ts'
import { type Mailing, requestItems, requests, type RequestRow } from './request.ts'
import { mailRequest } from './request-mail.ts'

export const MAX_ITEMS = 500
const MAX_RECIPIENTS = 20

export const Due = (description: string) =>
  Type.String({ minLength: 10, maxLength: 40, description: `${description} A date, or a date and time.` })

export const ItemId = () =>
  Type.String({ ...LABEL, maxLength: 64, description: 'Also the folder of its files in the kit.' })
/** Of an item of a request or a program. */
export const ITEM_TEXTS = {
  title: Type.String({ ...LABEL }),
  description: OptionalOrNull(Type.String(SEVERAL_LINES_OF(2000))),
}
const NewItem = Closed({ id: ItemId(), ...ITEM_TEXTS, due_at: OptionalOrNull(Due('When this item is due.')) })

export const Recipients = () =>
  Type.Array(Type.String(ADDRESS), {
    maxItems: MAX_RECIPIENTS,
    description: 'Email addresses of the supplier.',
  })

export const NewRequest = body(
  'NewRequest',
  {
    title: Type.String({ ...LABEL }),
    message: OptionalOrNull(Type.String(SEVERAL_LINES_OF(5000))),
    items: Type.Optional(
      Type.Array(NewItem, { minItems: 1, maxItems: MAX_ITEMS, description: 'What to supply.' }),
    ),
    profile: OptionalOrNull(Type.String({ ...LABEL })),
    recipients: Type.Optional(Recipients()),
    due_at: OptionalOrNull(Due('When the request is due. Without it, when the last of its items is due.')),
    series: OptionalOrNull(Type.String({ ...LABEL })),
  },
  'The body of a new request: its items, or the profile that they are taken from.',
)

type NewRequest = NonNullable<(typeof NewRequest)['sends']>
type Items = Omit<New<(typeof requestItems)['columns']>, 'request_id' | 'position'> & {
  readonly position?: number
}

export interface Asked {
  readonly values: Pick<RequestRow, 'title'> & Partial<RequestRow>
  readonly items: readonly Items[]
}

/** Creates a request, and mails it. The draft for its files is created when the supplier starts. */
export async function createRequest(unit: Unit, ctx: Mailing, { values, items }: Asked): Promise<RequestRow> {
  const request_id = ctx.identifiers.evidenceRequestId()
  const dates = items.flatMap((item) => item.due_at ?? [])
  const due_at = values.due_at ?? dates.toSorted().at(-1) ?? null
  const row = await unit.insert(requests, {
    recipients: [],
    ...values,
    request_id,
    sequence: await unit.record('request.created', request_id, { items: items.length, due_at }),
    due_at,
    created_by: makerText(unit.acting.actor),
  })
  await insertItems(unit, request_id, items)
  await mailRequest(unit, ctx, row, items.length)
  return row
}

export const insertItems = (unit: Unit, request_id: EvidenceRequestId, items: readonly Items[]) =>
  unit.insertAll(
    requestItems,
    items.map((item, position) => Object.assign({ position }, item, { request_id })),
  )

/** What is stored of what was sent: without white space around it, times for dates, and each address once. */
export const stored = ({ title, message, recipients, due_at }: Partial<NewRequest>) => ({
  ...(title === undefined ? {} : { title: title.trim() }),
  ...(message === undefined ? {} : { message: message?.trim() || null }),
  ...(recipients === undefined ? {} : { recipients: addresses(recipients) }),
  ...(due_at === undefined ? {} : { due_at: dueOf(due_at) }),
})

export const storedItem = ({ id: item_id, title, description, due_at }: Static<typeof NewItem>): Items => ({
  item_id,
  title: title.trim(),
  description: description?.trim() || null,
  due_at: dueOf(due_at),
})

/** Each address once. */
export const addresses = (given: readonly string[]): string[] => [
  ...new Set(given.map((address) => address.trim())),
]

export const dueOf = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : (parseDue(text) ?? null)

export const makerText = (actor: Actor | Anonymous): string =>
  actor.is === 'key' || actor.is === 'member' ? actorText(actor) : actor.is

/** Members of a body, which the schema has not checked yet. */
export type Sent = Readonly<Record<string, unknown>>

/** Items are sent, or taken from a profile. */
export const sourceProblems = ({ items, profile }: Sent): readonly Problem[] =>
  Array.isArray(items) === (profile !== null && profile !== undefined)
    ? [{ param: 'items', text: 'send either items or profile' }]
    : []

export const emptyProblems = (name: string, value: unknown): readonly Problem[] =>
  typeof value === 'string' && value.trim() === '' ? [problem(name, 'is empty')] : []

export const dueProblems = (name: string, value: unknown): readonly Problem[] =>
  typeof value === 'string' && parseDue(value) === undefined
    ? [problem(name, 'must be a date such as 2026-12-01, or a date-time (RFC 3339)')]
    : []

export const itemsIn = (items: unknown): readonly Sent[] =>
  Array.isArray(items) ? items.map((item): Sent => Object(item)) : []

/** What the schema cannot say: item IDs are folder names, and dates are dates. Of a program with another name for the ID. */
export function itemProblems(given: unknown, idName: 'id' | 'item_id' = 'id'): readonly Problem[] {
  const items = itemsIn(given)
  const ids = items.map(({ [idName]: id }) => (typeof id === 'string' ? id : ''))
  const problems = items.flatMap(({ [idName]: id, title, due_at }, index) => {
    const wrong = typeof id === 'string' ? itemIdProblem(id) : undefined
    const empty = emptyProblems(`items[${index}].title`, title)
    const due = dueProblems(`items[${index}].due_at`, due_at)
    return [wrong === undefined ? [] : problem(`items[${index}].${idName}`, wrong), empty, due].flat()
  })
  const again = repeatedIds(ids).filter((index) => ids[index] !== '')
  return [
    ...problems,
    ...again.map((index) => problem(`items[${index}].${idName}`, 'is the ID of an earlier item')),
  ]
}

/** A profile of the service or of the workspace, by name. */
export type FindProfile = (workspaceId: WorkspaceId, name: string) => Promise<Profile | undefined>

/** Before the unit: the service's profiles are files. */
export async function itemsOfProfile(find: FindProfile, workspaceId: WorkspaceId, name: string) {
  const profile = await find(workspaceId, name)
  if (profile === undefined)
    throw new Refusal('body_invalid', `There is no profile ${JSON.stringify(name)}.`, { param: 'profile' })
  if (profile.items.length === 0)
    throw new Refusal('body_invalid', 'This profile has no items. Send items, or name another profile.', {
      param: 'profile',
    })
  return profile.items.map(({ id, title, description = null }) => ({ id, title, description }))
}

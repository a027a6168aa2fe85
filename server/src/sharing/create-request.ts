import { itemIdProblem, parseDue, type Profile, repeatedIds } from '@kitseal/evidence'
import { timestamp } from '../runtime/clock.ts'
import type { Context } from '../kits/context.ts'
import type { RequestsTable } from '../database/request-schema.ts'
import type { Db } from '../database/schema.ts'
import type { NewRequest } from './request-schemas.ts'
import { type Problem, problem } from '../http/schema-problems.ts'
import type { ExtraCheck } from '../http/validate-request.ts'
import type { EvidenceRequestId, WorkspaceId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { actorText } from '../submissions/received-by.ts'
import { type Actor, recordEvent } from '../audit/audit-trail.ts'

export type CreateRequestContext = Pick<Context, 'clock' | 'identifiers'>

export interface Requester {
  readonly workspaceId: WorkspaceId
  readonly actor: Exclude<Actor, { is: 'link' }>
}

type Asked = Omit<NewRequest, 'items'> & { readonly items: NonNullable<NewRequest['items']> }

/** Creates a request. The draft for its files is created when the supplier starts. */
export async function createRequest(
  trx: Db,
  { clock, identifiers }: CreateRequestContext,
  asked: Asked,
  { workspaceId, actor }: Requester,
): Promise<EvidenceRequestId> {
  const now = timestamp(clock.now())
  const request_id = identifiers.evidenceRequestId()
  const itemDates = asked.items.map((item) => dueOf(item.due_at)).filter((at) => at !== null)
  const due_at = dueOf(asked.due_at) ?? itemDates.toSorted().at(-1) ?? null
  const details = { items: asked.items.length, due_at }
  const event = { workspaceId, actor, subject: request_id, details, at: now } as const
  const sequence = await recordEvent(trx, { ...event, action: 'request.created' })
  const row: RequestsTable = {
    request_id,
    workspace_id: workspaceId,
    sequence,
    title: asked.title.trim(),
    message: asked.message?.trim() || null,
    due_at,
    repeat: asked.repeat ?? null,
    series: asked.series ?? null,
    profile: asked.profile ?? null,
    recipients: JSON.stringify(addresses(asked.recipients ?? [])),
    round: 0,
    created_by: requesterText(actor),
    created_at: now,
    updated_at: now,
    reminded_at: null,
    closed_at: null,
    settled: 0,
    next_request_id: null,
  }
  await trx.insertInto('requests').values(row).execute()
  await trx
    .insertInto('request_items')
    .values(
      asked.items.map(({ id, title, description, due_at: due }, position) => ({
        request_id,
        item_id: id,
        position,
        title: title.trim(),
        description: description?.trim() || null,
        due_at: dueOf(due),
        review: null,
        review_round: null,
        reason: null,
        not_applicable: null,
        answered_round: null,
      })),
    )
    .execute()
  return request_id
}

/** Each address once. */
export const addresses = (given: readonly string[]): readonly string[] => [
  ...new Set(given.map((address) => address.trim())),
]

export const dueOf = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : (parseDue(text) ?? null)

export const requesterText = (actor: Requester['actor']): string =>
  actor.is === 'key' || actor.is === 'member' ? actorText(actor) : actor.is

/** What the schema cannot say: item IDs are folder names, dates are dates, and a request repeats from its due date. */
export const checkNewRequest: ExtraCheck = (body) => {
  const { items, profile, repeat } = body
  const hasProfile = profile !== null && profile !== undefined
  const problems = Array.isArray(items) ? checkItems(items) : []
  problems.push(...checkTitle(body))
  if (Array.isArray(items) === hasProfile)
    problems.push({ param: 'items', text: 'send either items or profile' })
  if (repeat !== null && repeat !== undefined && typeof body['due_at'] !== 'string')
    problems.push(problem('due_at', 'is missing: a request repeats from its due date'))
  return [...problems, ...checkDue(body)]
}

const checkTitle: ExtraCheck = ({ title }) =>
  typeof title === 'string' && title.trim() === '' ? [problem('title', 'is empty')] : []

/** For a change or a copy. */
export const checkRequest: ExtraCheck = (body) => [...checkTitle(body), ...checkDue(body)]

const checkDue: ExtraCheck = ({ due_at }) => dueProblems('due_at', due_at)

const dueProblems = (name: string, value: unknown): readonly Problem[] =>
  typeof value === 'string' && parseDue(value) === undefined
    ? [problem(name, 'must be a date such as 2026-12-01, or a date-time (RFC 3339)')]
    : []

function checkItems(items: readonly unknown[]): Problem[] {
  const members = items.map((item) => (typeof item === 'object' && item !== null ? { ...item } : {}))
  const given = members as readonly Readonly<Record<string, unknown>>[]
  const ids = given.map(({ id }) => (typeof id === 'string' ? id : ''))
  const problems = given.flatMap(({ id, title, due_at }, index) => {
    const wrong = typeof id === 'string' ? itemIdProblem(id) : undefined
    const isUntitled = typeof title === 'string' && title.trim() === ''
    return [
      wrong === undefined ? [] : problem(`items[${index}].id`, wrong),
      isUntitled ? problem(`items[${index}].title`, 'is empty') : [],
      dueProblems(`items[${index}].due_at`, due_at),
    ].flat()
  })
  const again = repeatedIds(ids).filter((index) => ids[index] !== '')
  return [...problems, ...again.map((index) => problem(`items[${index}].id`, 'is the ID of an earlier item'))]
}

/** The items of a request, from its body or from the profile that it names. */
export async function itemsAsked(
  body: NewRequest,
  workspaceId: WorkspaceId,
  findProfile: (workspaceId: WorkspaceId, name: string) => Promise<Profile | undefined>,
): Promise<Asked> {
  if (body.items !== undefined) return { ...body, items: body.items }
  const profile = await findProfile(workspaceId, body.profile ?? '')
  if (profile === undefined)
    throw new Refusal('body_invalid', `There is no profile ${JSON.stringify(body.profile)}.`, {
      param: 'profile',
    })
  if (profile.items.length === 0)
    throw new Refusal('body_invalid', 'This profile has no items. Send items, or name another profile.', {
      param: 'profile',
    })
  return {
    ...body,
    items: profile.items.map(({ id, title, description = null }) => ({ id, title, description })),
  }
}

import { itemIdProblem, parseDue, type Profile, repeatedIds } from '@kitseal/examiner'
import { timestamp } from '../runtime/clock.ts'
import type { Context } from '../kits/context.ts'
import type { RequestsTable } from '../database/request-schema.ts'
import type { Db } from '../database/schema.ts'
import type { NewRequest } from './request-schemas.ts'
import type { FastifyRequest } from 'fastify'
import { workspaceOf } from '../http/caller.ts'
import { type Problem, problem } from '../http/schema-problems.ts'
import type { ExtraCheck } from '../http/validate-request.ts'
import type { EvidenceRequestId, WorkspaceId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { actorText } from '../submissions/received-by.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { Actor } from '../runtime/actor.ts'

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

/** Who asks: a member, or a program with an API key. */
export function requesterOf(request: FastifyRequest): Requester {
  const { workspaceId, actor } = workspaceOf(request.caller)
  if (actor.is === 'link') throw new Error('a supplier cannot act as the requester')
  return { workspaceId, actor }
}

/** What the schema cannot say: item IDs are folder names, and dates are dates. */
export const checkNewRequest: ExtraCheck = (body) => {
  const { items } = body
  const problems = Array.isArray(items) ? checkItems(items) : []
  return [...problems, ...checkTitle(body), ...checkSource(body), ...checkDue(body)]
}

/** Items are sent, or taken from a profile. */
export const checkSource: ExtraCheck = ({ items, profile }) =>
  Array.isArray(items) === (profile !== null && profile !== undefined)
    ? [{ param: 'items', text: 'send either items or profile' }]
    : []

const checkTitle: ExtraCheck = ({ title }) =>
  typeof title === 'string' && title.trim() === '' ? [problem('title', 'is empty')] : []

/** For a change or a copy. */
export const checkRequest: ExtraCheck = (body) => [...checkTitle(body), ...checkDue(body)]

const checkDue: ExtraCheck = ({ due_at }) => dueProblems('due_at', due_at)

const dueProblems = (name: string, value: unknown): readonly Problem[] =>
  typeof value === 'string' && parseDue(value) === undefined
    ? [problem(name, 'must be a date such as 2026-12-01, or a date-time (RFC 3339)')]
    : []

/** Of a request, or of a program with another name for the ID. */
export function checkItems(items: readonly unknown[], idName: 'id' | 'item_id' = 'id'): Problem[] {
  const members = items.map((item) => (typeof item === 'object' && item !== null ? { ...item } : {}))
  const given = members as readonly Readonly<Record<string, unknown>>[]
  const ids = given.map(({ [idName]: id }) => (typeof id === 'string' ? id : ''))
  const problems = given.flatMap(({ [idName]: id, title, due_at }, index) => {
    const wrong = typeof id === 'string' ? itemIdProblem(id) : undefined
    const isUntitled = typeof title === 'string' && title.trim() === ''
    return [
      wrong === undefined ? [] : problem(`items[${index}].${idName}`, wrong),
      isUntitled ? problem(`items[${index}].title`, 'is empty') : [],
      dueProblems(`items[${index}].due_at`, due_at),
    ].flat()
  })
  const again = repeatedIds(ids).filter((index) => ids[index] !== '')
  const repeated = again.map((index) => problem(`items[${index}].${idName}`, 'is the ID of an earlier item'))
  return [...problems, ...repeated]
}

/** The items of a request, from its body or from the profile that it names. */
export async function itemsAsked(
  body: NewRequest,
  workspaceId: WorkspaceId,
  findProfile: FindProfile,
): Promise<Asked> {
  return { ...body, items: body.items ?? (await itemsOfProfile(body.profile, workspaceId, findProfile)) }
}

type FindProfile = (workspaceId: WorkspaceId, name: string) => Promise<Profile | undefined>

export async function itemsOfProfile(
  name: string | null | undefined,
  workspaceId: WorkspaceId,
  findProfile: FindProfile,
): Promise<Asked['items']> {
  const profile = await findProfile(workspaceId, name ?? '')
  if (profile === undefined)
    throw new Refusal('body_invalid', `There is no profile ${JSON.stringify(name)}.`, { param: 'profile' })
  if (profile.items.length === 0)
    throw new Refusal('body_invalid', 'This profile has no items. Send items, or name another profile.', {
      param: 'profile',
    })
  return profile.items.map(({ id, title, description = null }) => ({ id, title, description }))
}

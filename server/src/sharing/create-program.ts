import { timestamp } from '../runtime/clock.ts'
import type { ProgramItemsTable, ProgramsTable } from '../database/program-schema.ts'
import type { Db } from '../database/schema.ts'
import { problem } from '../http/schema-problems.ts'
import type { ExtraCheck } from '../http/validate-request.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { MemberId, ProgramId, WorkspaceId } from '../runtime/identifiers.ts'
import {
  addresses,
  checkItems,
  checkSource,
  itemsOfProfile,
  type Requester,
  requesterText,
} from './create-request.ts'
import { type OpenContext, openIfDue } from './open-period.ts'
import { DEFAULT_DUE_DAYS, type NewProgram, type NewProgramItem } from './program-schemas.ts'
import type { RequestContext } from './request-context.ts'

/** Creates a program, and opens its first period if that has started. */
export async function createProgram(
  trx: Db,
  ctx: OpenContext,
  body: NewProgram,
  items: readonly NewProgramItem[],
  requester: Requester,
): Promise<ProgramId> {
  const { workspaceId, actor } = requester
  const now = timestamp(ctx.clock.now())
  const program_id = ctx.identifiers.programId()
  const rows = await itemRows(trx, workspaceId, program_id, items)
  const details = { items: rows.length, cadence: body.cadence }
  const event = { workspaceId, actor, subject: program_id, details, at: now } as const
  const sequence = await recordEvent(trx, { ...event, action: 'program.created' })
  const program: ProgramsTable = {
    program_id,
    workspace_id: workspaceId,
    sequence,
    name: body.name.trim(),
    series: await unusedSeries(trx, workspaceId, body.name.trim()),
    cadence: body.cadence,
    starts_on: body.starts_on,
    message: body.message?.trim() || null,
    next_on: body.starts_on,
    created_by: requesterText(actor),
    created_at: now,
    updated_at: now,
    ended_at: null,
  }
  await trx.insertInto('programs').values(program).execute()
  await trx.insertInto('program_items').values(rows).execute()
  await openIfDue(trx, ctx, program, requester)
  return program_id
}

/** From the body, or from the profile that it names. Before the transaction: the profile is read by another one. */
export async function programItems(
  { findProfile }: Pick<RequestContext, 'findProfile'>,
  { items: given, profile }: NewProgram,
  workspaceId: WorkspaceId,
): Promise<readonly NewProgramItem[]> {
  if (given) return given
  const items = await itemsOfProfile(profile, workspaceId, findProfile)
  return items.map(({ id, title, description = null }) => ({ item_id: id, title, description }))
}

/** The name, or the name with a number if another program has that series. Kits of an existing series come before its own. */
async function unusedSeries(trx: Db, workspaceId: WorkspaceId, name: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const series = count === 1 ? name : `${name} ${count}`
    const taken = await trx
      .selectFrom('programs')
      .select('program_id')
      .where('workspace_id', '=', workspaceId)
      .where('series', '=', series)
      .executeTakeFirst()
    if (taken === undefined) return series
  }
}

/** As stored. Refuses owners who cannot add files. */
export async function itemRows(
  trx: Db,
  workspaceId: WorkspaceId,
  program_id: ProgramId,
  items: readonly NewProgramItem[],
): Promise<readonly ProgramItemsTable[]> {
  const owners = await membersOf(
    trx,
    workspaceId,
    items.map(({ owner }) => owner ?? null),
  )
  return items.map((item, position) => ({
    program_id,
    item_id: item.item_id,
    position,
    title: item.title.trim(),
    description: item.description?.trim() || null,
    source: item.source ?? 'internal',
    owner_id: item.owner == null ? null : ownerIn(owners, item.owner, `items[${position}].owner`),
    recipients: JSON.stringify(addresses(item.recipients ?? [])),
    due_days: item.due_days ?? DEFAULT_DUE_DAYS,
  }))
}

type Members = ReadonlyMap<string, { readonly member_id: MemberId; readonly role: string }>

export async function membersOf(
  db: Db,
  workspaceId: WorkspaceId,
  owners: readonly (string | null)[],
): Promise<Members> {
  const emails = [...new Set(owners.flatMap((owner) => (owner === null ? [] : [owner.trim().toLowerCase()])))]
  if (emails.length === 0) return new Map()
  const rows = await db
    .selectFrom('members')
    .select(['member_id', 'email', 'role'])
    .where('workspace_id', '=', workspaceId)
    .where('email', 'in', emails)
    .where('removed_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.email, row]))
}

export function ownerIn(members: Members, owner: string, param: string): MemberId {
  const member = members.get(owner.trim().toLowerCase())
  if (member === undefined)
    throw new Refusal(
      'body_invalid',
      `${owner} is not a member of this workspace. Invite them, or use the source "request" with this address as a recipient.`,
      { param },
    )
  if (member.role === 'viewer')
    throw new Refusal(
      'body_invalid',
      `${owner} is a viewer, who cannot add files. Change their role first.`,
      {
        param,
      },
    )
  return member.member_id
}

/** What the schema cannot say. */
export const checkProgram: ExtraCheck = (body) => {
  const { items, name } = body
  const given: readonly unknown[] = Array.isArray(items) ? items : []
  const named = typeof name === 'string' && name.trim() === '' ? [problem('name', 'is empty')] : []
  return [...checkItems(given, 'item_id'), ...named, ...given.flatMap(checkPeople)]
}

export const checkNewProgram: ExtraCheck = (body) => [...checkProgram(body), ...checkSource(body)]

function checkPeople(item: unknown, index: number) {
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

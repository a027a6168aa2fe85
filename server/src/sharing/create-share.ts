import { ENVELOPE, type Manifest } from '@kitseal/kit/internal'
import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { MAX_SHARED_PATHS, type ShareChange, type ShareRequest } from './share-schemas.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { isKitId, type KitId, type ProgramId } from '../runtime/identifiers.ts'
import { kitExpired, readDocument } from '../kits/kit-documents.ts'
import type { KitRecord } from '../kits/kit-queries.ts'
import { revokeLinks } from '../database/links.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { roomRecord } from './room.ts'
import type { Room, RoomRequest } from './room-schemas.ts'
import { type ShareContext, shareRecord, type ShareRow, sharesWithReceipts } from './share.ts'
import { hashPassword } from './share-password.ts'
import { createLinks, type NewLinks, readRecipients, recipientsAsked } from './share-recipients.ts'
import type { Share } from './share-schemas.ts'

const MAX_LIFE_MS = 366 * 24 * 60 * 60_000

/** What is shared, checked before the transaction. */
export interface PreparedShare {
  /** Of a room. */
  readonly title: string | null
  readonly series: string | null
  /** None if it has the kits of a series. */
  readonly kitIds: readonly KitId[]
  readonly paths: readonly string[] | null
  readonly expiresAt: string
  readonly password: string | null
  readonly recipients: readonly string[]
  readonly notifyDownloads: number
  readonly asked: Pick<ShareRequest, 'note' | 'max_downloads'>
}

export async function prepareShare(
  ctx: ShareContext,
  asked: ShareRequest,
  caller: WorkspaceCaller,
): Promise<PreparedShare> {
  const kit = await ownKit(ctx, asked.kit_id, 'kit_id', caller)
  return {
    title: null,
    series: null,
    kitIds: [kit.kitId],
    paths: asked.paths === undefined ? null : await chosenPaths(ctx, kit, asked.paths),
    ...(await prepareLinks(ctx, asked)),
  }
}

async function ownKit(
  ctx: ShareContext,
  id: string,
  param: string,
  { workspaceId }: WorkspaceCaller,
): Promise<KitRecord> {
  const kit = isKitId(id) ? await ctx.kits.find(id) : undefined
  if (kit === undefined || kit.workspaceId !== workspaceId)
    throw new Refusal('kit_not_found', 'Kit not found in this workspace.', { param })
  if (kit.expired !== undefined) throw kitExpired(kit)
  return kit
}

const prepareLinks = async (ctx: ShareContext, asked: ShareRequest | RoomRequest) => ({
  expiresAt: endOf(ctx, asked.expires_at),
  recipients: recipientsAsked(asked.recipients ?? []),
  notifyDownloads: noticeAsked(ctx, asked.notify_downloads ?? false),
  password: asked.password === undefined ? null : await hashPassword(asked.password),
  asked,
})

/** As it is stored. What cannot be mailed is not promised. */
function noticeAsked({ mail }: ShareContext, isAsked: boolean): number {
  if (isAsked && !mail.isOn)
    throw new Refusal('mail_off', 'This service sends no mail, so it cannot tell you of downloads.', {
      param: 'notify_downloads',
    })
  return Number(isAsked)
}

/** A room has the kits that were chosen, or those of a series. */
export async function prepareRoom(
  ctx: ShareContext,
  asked: RoomRequest,
  caller: WorkspaceCaller,
): Promise<PreparedShare> {
  const { kits, program, title } = asked
  if ([kits, asked.series, program].filter((each) => each !== undefined).length !== 1)
    throw new Refusal('body_invalid', 'Send one of kits, series and program.', { param: 'kits' })
  const kitIds = new Set<KitId>()
  for (const [index, id] of (kits ?? []).entries())
    kitIds.add((await ownKit(ctx, id, `kits[${index}]`, caller)).kitId)
  const series = program === undefined ? asked.series : await seriesOf(ctx.db, program, caller)
  if (asked.series !== undefined && !(await hasSeries(ctx.db, asked.series, caller)))
    throw new Refusal('series_not_found', 'Series not found in this workspace.', { param: 'series' })
  return {
    title,
    series: series ?? null,
    kitIds: [...kitIds],
    paths: null,
    ...(await prepareLinks(ctx, asked)),
  }
}

async function seriesOf(db: Db, program: string, { workspaceId }: WorkspaceCaller): Promise<string> {
  const found = await db
    .selectFrom('programs')
    .select('series')
    .where('program_id', '=', program as ProgramId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (found === undefined)
    throw new Refusal('program_not_found', 'Program not found in this workspace.', { param: 'program' })
  return found.series
}

const hasSeries = async (db: Db, series: string, { workspaceId }: WorkspaceCaller): Promise<boolean> =>
  (await db
    .selectFrom('submissions')
    .select('sequence')
    .where('workspace_id', '=', workspaceId)
    .where('series', '=', series)
    .limit(1)
    .executeTakeFirst()) !== undefined

function endOf({ clock }: ShareContext, asked: string): string {
  const expires = Date.parse(asked)
  const now = clock.now()
  if (expires <= now)
    throw new Refusal('body_invalid', 'expires_at must be in the future.', { param: 'expires_at' })
  if (expires > now + MAX_LIFE_MS)
    throw new Refusal('body_invalid', 'expires_at must be at most 366 days from now.', {
      param: 'expires_at',
    })
  return timestamp(expires)
}

/** The columns that a change sets, checked before the transaction. */
export async function prepareChange(
  ctx: ShareContext,
  { expires_at, password, max_downloads, notify_downloads: notify }: ShareChange,
): Promise<Partial<Pick<ShareRow, 'expires_at' | 'password' | 'max_downloads' | 'notify_downloads'>>> {
  return {
    ...(expires_at === undefined ? {} : { expires_at: endOf(ctx, expires_at) }),
    ...(password === undefined ? {} : { password: password === null ? null : await hashPassword(password) }),
    ...(max_downloads === undefined ? {} : { max_downloads }),
    ...(notify === undefined ? {} : { notify_downloads: noticeAsked(ctx, notify) }),
  }
}

/** Full paths in the manifest. `report.pdf` is short for `data/report.pdf`, and `data/2026/` stands for a folder. */
async function chosenPaths(
  { objects }: ShareContext,
  kit: KitRecord,
  asked: readonly string[],
): Promise<readonly string[]> {
  const manifest = JSON.parse((await readDocument(objects, kit, ENVELOPE.manifest)).toString()) as Manifest
  const known = manifest.artifacts.map(({ path }) => path)
  const all = new Set(known)
  const chosen = asked.map((path) => {
    const exact = [path, `data/${path}`].find((each) => all.has(each))
    if (exact !== undefined) return [exact]
    const folders = path.endsWith('/') ? [path, `data/${path}`] : []
    return folders.map((folder) => known.filter((each) => each.startsWith(folder))).find(isFilled) ?? []
  })
  const missing = asked.filter((_, index) => chosen[index]?.length === 0)
  if (missing.length > 0)
    throw new Refusal('body_invalid', `The kit has no file ${missing.slice(0, 5).join(', ')}.`, {
      param: `paths[${asked.indexOf(missing[0] ?? '')}]`,
    })
  const paths = [...new Set(chosen.flat())].toSorted()
  if (paths.length > MAX_SHARED_PATHS)
    throw new Refusal('body_invalid', `paths must name at most ${MAX_SHARED_PATHS} files.`, {
      param: 'paths',
    })
  return paths
}

const isFilled = (list: readonly string[]): boolean => list.length > 0

/** Creates the share and its links. `links` are for the response, and are not stored. */
export async function createShare(
  trx: Db,
  ctx: ShareContext,
  { title, series, kitIds, paths, expiresAt, password, recipients, notifyDownloads, asked }: PreparedShare,
  { workspaceId, actor }: WorkspaceCaller,
): Promise<WithLinks> {
  const shareId = ctx.identifiers.shareId()
  const at = timestamp(ctx.clock.now())
  const details = {
    ...(title === null
      ? { kit_id: kitIds[0] ?? null, files: paths?.length ?? null }
      : { title, ...(series === null ? { kits: kitIds.join(' ') } : { series }) }),
    expires_at: expiresAt,
    max_downloads: asked.max_downloads ?? null,
    has_password: password !== null,
    recipients: recipients.join(', '),
  }
  const event = { workspaceId, actor, subject: shareId, details, at }
  const sequence = await recordEvent(trx, { ...event, action: 'share.created' })
  await trx
    .insertInto('shares')
    .values({
      share_id: shareId,
      workspace_id: workspaceId,
      sequence,
      title,
      series,
      paths: paths === null ? null : JSON.stringify(paths),
      note: asked.note ?? null,
      password,
      max_downloads: asked.max_downloads ?? null,
      downloads: 0,
      accesses: 0,
      remarks: 0,
      last_access_at: null,
      notify_downloads: notifyDownloads,
      created_by: creatorOf(actor),
      created_at: at,
      expires_at: expiresAt,
      revoked_at: null,
    })
    .execute()
  const chosen = kitIds.map((kit_id, position) => ({ share_id: shareId, position, kit_id }))
  if (chosen.length > 0) await trx.insertInto('share_kits').values(chosen).execute()
  const row = await sharesWithReceipts(trx).where('shares.share_id', '=', shareId).executeTakeFirstOrThrow()
  return withLinks(
    trx,
    ctx,
    row,
    await createLinks(trx, ctx, row, recipients.length === 0 ? [null] : recipients),
  )
}

/** A share, and its new links, which are for the response alone. */
export interface WithLinks {
  readonly share: Share | Room
  readonly links: Pick<Share, 'url' | 'recipients'>
}

async function withLinks(trx: Db, ctx: ShareContext, row: ShareRow, links: NewLinks): Promise<WithLinks> {
  const { share_id: id } = row
  const [stored, shown] = [await readRecipients(trx, [id]), await readRecipients(trx, [id], links)]
  return {
    share: await recordOf(trx, ctx, row, stored.get(id)),
    links: { url: links.get(null) ?? null, recipients: shown.get(id) ?? [] },
  }
}

/** As the API shows a share or a room, without its links. */
export const recordOf = async (
  db: Db,
  { clock }: Pick<ShareContext, 'clock'>,
  row: ShareRow,
  recipients: Share['recipients'] = [],
): Promise<Share | Room> =>
  row.title === null ? shareRecord(row, clock, recipients) : roomRecord(db, clock, row, row.title, recipients)

/** What the events of a share name: its kit, if it has one. */
export const kitDetail = ({ title, kit_id }: ShareRow): { readonly kit_id?: KitId | null } =>
  title === null ? { kit_id } : {}

/** Gives a recipient, or with null anyone, a new link. Their former one stops working. */
export async function replaceLink(
  trx: Db,
  ctx: ShareContext,
  row: ShareRow,
  recipient: string | null,
  { actor }: WorkspaceCaller,
): Promise<WithLinks> {
  const { share_id: subject, workspace_id: workspaceId } = row
  const replaced = await revokeLinks(trx, ctx.clock, { purpose: 'share', subject, recipient })
  const links = await createLinks(trx, ctx, row, [recipient])
  const details = { ...kitDetail(row), recipient, replaced: replaced > 0 }
  const event = { workspaceId, actor, subject, details, at: timestamp(ctx.clock.now()) }
  await recordEvent(trx, { ...event, action: 'share.link_created' })
  return withLinks(trx, ctx, row, links)
}

function creatorOf(actor: WorkspaceCaller['actor']): string {
  if (actor.is === 'key') return actor.keyId
  return actor.is === 'member' ? actor.memberId : actor.linkId
}

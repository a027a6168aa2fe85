import { makerOf } from '../access/makers.ts'
import { isFound } from '../database/questions.ts'
import { ENVELOPE, type Manifest } from '@kitseal/kit/internal'
import type { Static, TObject, TProperties } from 'typebox'
import { Type } from 'typebox'
import type { Db } from '../database/schema.ts'
import type { Acting, Unit } from '../database/unit.ts'
import { body } from '../http/resource.ts'
import { DateTime, OptionalOrNull, ADDRESS, LABEL } from '../http/schema-parts.ts'
import { kitExpired, readDocument } from '../kits/kit-documents.ts'
import type { KitRecord } from '../kits/kit-queries.ts'
import { Refusal } from '../refusals.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { isKitId, type KitId, type ProgramId, type WorkspaceId } from '../runtime/identifiers.ts'
import { hashPassword } from './open-share.ts'
import {
  MAX_ROOM_KITS,
  ownShare,
  recipientsAsked,
  type Share,
  type ShareContext,
  shareKits,
  shares,
} from './share.ts'

const MAX_SHARED_PATHS = 1000
const MIN_PASSWORD_LENGTH = 8
const MAX_RECIPIENTS = 20
const MAX_LIFE_MS = 366 * 24 * 60 * 60_000

const Limit = () =>
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description:
      'After so many visits the share is closed. A visit counts once, when it first reads a file: to verify, preview or download it.',
  })
const Password = () =>
  Type.String({
    minLength: MIN_PASSWORD_LENGTH,
    maxLength: 200,
    description: 'The recipient needs it too. It cannot be shown again.',
  })
const NotifyDownloads = () =>
  Type.Boolean({
    description:
      'Mail the member who created it when something is downloaded, at most once a day for each recipient. If a key created it, the owners. 409 `mail_off` if the service sends no mail.',
  })

/** What shares and rooms are created with. */
const LINKED = {
  expires_at: DateTime('At most 366 days from now.'),
  note: Type.Optional(
    Type.String({ ...LABEL, maxLength: 500, description: 'Shown to the recipient. One line of text.' }),
  ),
  max_downloads: Type.Optional(Limit()),
  password: Type.Optional(Password()),
  notify_downloads: Type.Optional(NotifyDownloads()),
  recipients: Type.Optional(
    Type.Array(Type.String(ADDRESS), {
      minItems: 1,
      maxItems: MAX_RECIPIENTS,
      description:
        'Email addresses. Each recipient gets a link of their own by mail, so that the access log tells who used the share. There is no other link then.',
    }),
  ),
} satisfies TProperties

const SHARE = {
  kit_id: Type.String(),
  paths: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
      minItems: 1,
      maxItems: MAX_SHARED_PATHS,
      description:
        'Share only these files, each with its file proof: `data/report.pdf`, or a folder with a slash at the end. Without it, the whole kit.',
    }),
  ),
  ...LINKED,
}

const ROOM = {
  title: Type.String({ ...LABEL, description: 'Shown to the reviewers.' }),
  kits: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: MAX_ROOM_KITS,
      description: 'IDs of kits, in the order in which they are shown.',
    }),
  ),
  series: Type.Optional(
    Type.String({
      ...LABEL,
      description:
        'The kits of this series, newest first, at most 100. Kits that come while the room is open are in it, too.',
    }),
  ),
  program: Type.Optional(Type.String({ description: 'ID of a program: the kits of its series.' })),
  ...LINKED,
}

export const ShareRequest = body('ShareRequest', SHARE, 'Body of POST /v1/shares.')
export const RoomRequest = body(
  'RoomRequest',
  ROOM,
  'Body of POST /v1/rooms. Send one of `kits`, `series` and `program`.',
)
export const ShareChange = body(
  'ShareChange',
  {
    expires_at: Type.Optional(DateTime('At most 366 days from now. An expired share works again.')),
    max_downloads: OptionalOrNull(Limit(), 'Null removes the limit.'),
    password: OptionalOrNull(Password(), 'Null removes the password.'),
    notify_downloads: Type.Optional(NotifyDownloads()),
  },
  'Body of PATCH /v1/shares/{share_id} and /v1/rooms/{room_id}.',
)

export type ShareAsked = Static<TObject<typeof SHARE>>
export type RoomAsked = Static<TObject<typeof ROOM>>

/** What is shared, checked before the unit: files are read, and a password is hashed. */
export type PreparedShare = Awaited<ReturnType<typeof prepareShare>>

export async function prepareShare(ctx: ShareContext, asked: ShareAsked, acting: Acting) {
  const kit = await ownKit(ctx, asked.kit_id, 'kit_id', acting)
  const paths = asked.paths === undefined ? null : await chosenPaths(ctx, kit, asked.paths)
  return prepared(ctx, asked, { title: null, series: null, kitIds: [kit.kitId], paths })
}

/** A room has the kits that were chosen, or those of a series. */
export async function prepareRoom(ctx: ShareContext, asked: RoomAsked, acting: Acting) {
  const { kits, program, title } = asked
  if ([kits, asked.series, program].filter((each) => each !== undefined).length !== 1)
    throw new Refusal('body_invalid', 'Send one of kits, series and program.', { param: 'kits' })
  const kitIds = new Set<KitId>()
  for (const [index, id] of (kits ?? []).entries())
    kitIds.add((await ownKit(ctx, id, `kits[${index}]`, acting)).kitId)
  const series = program === undefined ? asked.series : await seriesOf(ctx.db, program, acting)
  if (asked.series !== undefined && !(await hasSeries(ctx.db, asked.series, acting)))
    throw new Refusal('series_not_found', 'Series not found in this workspace.', { param: 'series' })
  return prepared(ctx, asked, { title, series: series ?? null, kitIds: [...kitIds], paths: null })
}

async function ownKit(ctx: ShareContext, id: string, param: string, { workspaceId }: Acting) {
  const kit = isKitId(id) ? await ctx.kits.find(id) : undefined
  if (kit === undefined || kit.workspaceId !== workspaceId)
    throw new Refusal('kit_not_found', 'Kit not found in this workspace.', { param })
  if (kit.expired !== undefined) throw kitExpired(kit)
  return kit
}

interface Shared {
  /** Of a room. */
  readonly title: string | null
  readonly series: string | null
  /** None if it has the kits of a series. */
  readonly kitIds: readonly KitId[]
  readonly paths: string[] | null
}

async function prepared(ctx: ShareContext, asked: ShareAsked | RoomAsked, shared: Shared) {
  const { password = null, note = null, max_downloads = null, notify_downloads = false } = asked
  return {
    ...shared,
    note,
    max_downloads,
    recipients: recipientsAsked(asked.recipients ?? []),
    ...(await columnsOf(ctx, { expires_at: asked.expires_at, password, notify_downloads })),
  }
}

interface Checked {
  readonly expires_at: string
  readonly password: string | null
  readonly notify_downloads: boolean
}

/** What is checked, and a password is hashed. */
async function columnsOf<Asked extends Partial<Checked>>(
  { clock, mail }: ShareContext,
  asked: Asked,
): Promise<Asked> {
  const { expires_at, password, notify_downloads } = asked
  // What cannot be mailed is not promised.
  if (notify_downloads === true && !mail.isOn)
    throw new Refusal('mail_off', 'This service sends no mail, so it cannot tell you of downloads.', {
      param: 'notify_downloads',
    })
  return {
    ...asked,
    ...(expires_at !== undefined && { expires_at: endOf(clock, expires_at) }),
    ...(password != null && { password: await hashPassword(password) }),
  }
}

async function seriesOf(db: Db, program: string, { workspaceId }: Acting): Promise<string> {
  const found = await db
    .selectFrom('programs')
    .select('series')
    .where('program_id', '=', program as ProgramId)
    .where('workspace_id', '=', workspaceId as WorkspaceId)
    .executeTakeFirst()
  if (found === undefined)
    throw new Refusal('program_not_found', 'Program not found in this workspace.', { param: 'program' })
  return found.series
}

const hasSeries = (db: Db, series: string, { workspaceId }: Acting): Promise<boolean> =>
  isFound(
    db
      .selectFrom('submissions')
      .select('sequence')
      .where('workspace_id', '=', workspaceId!)
      .where('series', '=', series),
  )

function endOf(clock: Clock, asked: string): string {
  const expires = Date.parse(asked)
  const now = clock.now()
  if (expires > now && expires <= now + MAX_LIFE_MS) return timestamp(expires)
  const problem = expires <= now ? 'in the future' : 'at most 366 days from now'
  throw new Refusal('body_invalid', `expires_at must be ${problem}.`, { param: 'expires_at' })
}

/** The columns that a change sets, checked before the unit. */
export const prepareChange = (ctx: ShareContext, asked: NonNullable<(typeof ShareChange)['sends']>) =>
  columnsOf(ctx, asked)

/** Full paths in the manifest. `report.pdf` is short for `data/report.pdf`, and `data/2026/` stands for a folder. */
async function chosenPaths({ objects }: ShareContext, kit: KitRecord, asked: readonly string[]) {
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

export async function createShare(
  unit: Unit,
  ctx: ShareContext,
  { kitIds, ...asked }: Omit<PreparedShare, 'recipients'>,
  recipients: readonly string[],
): Promise<Share> {
  const { title, series, paths, expires_at, max_downloads, password } = asked
  const share_id = ctx.identifiers.shareId()
  const sequence = await unit.record('share.created', share_id, {
    ...(title === null
      ? { kit_id: kitIds[0] ?? null, files: paths?.length ?? null }
      : { title, ...(series === null ? { kits: kitIds.join(' ') } : { series }) }),
    expires_at,
    max_downloads,
    has_password: password !== null,
    recipients: recipients.join(', '),
  })
  await unit.insert(shares, { share_id, sequence, ...asked, created_by: makerOf(unit.acting.actor) })
  const chosen = kitIds.map((kit_id, position) => ({ share_id, position, kit_id }))
  await unit.insertAll(shareKits, chosen)
  return ownShare(unit, title === null ? 'share' : 'room', share_id)
}

import type { Db } from '../database/schema.ts'
import type { AuthorBasis, SharesTable } from '../database/share-schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { CallerActor } from '../runtime/actor.ts'
import { readersOf } from '../deliveries/workspace-mail.ts'
import { isKitId, type KitId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { kitItems } from './kit-items.ts'
import { notInRoom, type OpenShare } from './open-share.ts'
import { kitsOf } from './room-kits.ts'
import type { ShareContext } from './share.ts'

/** Of comments and reviews together. The last ones are for the workspace, so that no link can fill its room. */
const MAX_REMARKS = 20_000
const RESERVED = 2000

/** Someone who writes in a room, or says what they have reviewed. */
export interface Author {
  readonly side: 'workspace' | 'reviewer'
  readonly actor: CallerActor
  readonly name: string
  readonly basis: AuthorBasis
}

/** The address that the link was made for. With the link for anyone, the name that the person gives. */
export function reviewerOf({ linkId, recipient }: OpenShare, name: string | undefined): Author {
  const given = recipient ?? name?.trim() ?? ''
  if (given === '') throw new Refusal('body_invalid', 'name is missing: say who you are.', { param: 'name' })
  const basis = recipient === null ? 'not_verified' : 'recipient'
  return { side: 'reviewer', actor: { is: 'link', linkId }, name: given, basis }
}

/** A member by name, and a program by the name of its workspace. */
export async function memberOf(db: Db, { actor, workspaceId }: WorkspaceCaller): Promise<Author> {
  const side = 'workspace'
  const member =
    actor.is === 'member' &&
    (await db
      .selectFrom('members')
      .select(['name', 'email'])
      .where('member_id', '=', actor.memberId)
      .executeTakeFirst())
  return member
    ? { side, actor, name: member.name ?? member.email, basis: 'member' }
    : { side, actor, name: (await readersOf(db, workspaceId)).workspace, basis: 'key' }
}

export interface Place {
  readonly kitId: KitId
  readonly path: string | null
  readonly itemId: string | null
}

interface AskedPlace {
  readonly kit_id: string
  readonly path?: string
  readonly item_id?: string
}

/** The kit, file or item, if it is in the room. */
export async function placeIn(
  { db, kits, objects }: ShareContext,
  share: SharesTable,
  { kit_id, path, item_id }: AskedPlace,
): Promise<Place> {
  const isIn = isKitId(kit_id) && (await kitsOf(db, share)).includes(kit_id)
  const kit = isIn ? await kits.find(kit_id) : undefined
  if (kit === undefined) throw notInRoom()
  if (path !== undefined && item_id !== undefined)
    throw new Refusal('body_invalid', 'Send path or item_id, not both.', { param: 'item_id' })
  if (path !== undefined && !kit.entries.some((entry) => entry.path === path))
    throw new Refusal('shared_file_not_found', 'The kit has no file with this path.', { param: 'path' })
  if (item_id !== undefined) {
    const items = (await kitItems(objects, kit)) ?? []
    if (!items.some((item) => item.item_id === item_id))
      throw new Refusal('request_item_not_found', 'The kit has no item with this ID.', { param: 'item_id' })
  }
  return { kitId: kit.kitId, path: path ?? null, itemId: item_id ?? null }
}

/** Takes the next number, and locks the room until the transaction ends. */
export async function nextRemark(
  trx: Db,
  { share_id }: Pick<SharesTable, 'share_id'>,
  { side }: Pick<Author, 'side'>,
): Promise<number> {
  const { remarks } = await trx
    .updateTable('shares')
    .set((eb) => ({ remarks: eb('remarks', '+', 1) }))
    .where('share_id', '=', share_id)
    .returning('remarks')
    .executeTakeFirstOrThrow()
  const most = side === 'workspace' ? MAX_REMARKS : MAX_REMARKS - RESERVED
  if (remarks > most) throw new Refusal('room_full', `A room can have at most ${most} comments and reviews.`)
  return remarks
}

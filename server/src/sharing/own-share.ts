import type { FastifyRequest } from 'fastify'
import type { Db } from '../database/schema.ts'
import { workspaceOf } from '../http/caller.ts'
import { Refusal } from '../refusals.ts'
import type { ShareId } from '../runtime/identifiers.ts'
import { type ShareRow, sharesWithReceipts } from './share.ts'

/** The address names a share, or a room. */
export type OfShare = { Params: { readonly share_id?: string; readonly room_id?: string } }

/** A share of another workspace is reported as not found, and so is a room where a share is asked for. */
export async function ownShare(
  db: Db,
  { caller, params }: FastifyRequest<OfShare>,
  noun: 'share' | 'room',
): Promise<ShareRow> {
  const { workspaceId } = workspaceOf(caller)
  const row = await sharesWithReceipts(db)
    .where('shares.share_id', '=', (params.room_id ?? params.share_id ?? '') as ShareId)
    .where('workspace_id', '=', workspaceId)
    .where('title', noun === 'room' ? 'is not' : 'is', null)
    .executeTakeFirst()
  if (row === undefined)
    throw noun === 'room'
      ? new Refusal('room_not_found', 'Room not found in this workspace.')
      : new Refusal('share_not_found', 'Share not found in this workspace.')
  return row
}

export async function ownUnrevoked(
  db: Db,
  request: FastifyRequest<OfShare>,
  noun: 'share' | 'room',
): Promise<ShareRow> {
  const row = await ownShare(db, request, noun)
  if (row.revoked_at !== null)
    throw new Refusal('share_revoked', `This ${noun} is revoked. Create another one.`)
  return row
}

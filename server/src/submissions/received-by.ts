import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { CallerActor } from '../http/caller.ts'
import type { ApiKeyId, MemberId, SubmissionId } from '../identifiers.ts'

/** Who sent a file, as stored with it. */
export const actorText = (actor: CallerActor): string =>
  actor.is === 'key' ? `key:${actor.keyId}` : `member:${actor.memberId}`

export interface ReceivedFiles {
  readonly actor: CallerActor
  readonly details: { readonly files: number; readonly bytes: number }
}

/** The files that others than the one who seals the submission have sent. */
export async function receivedFromOthers(
  trx: Kysely<Database>,
  id: SubmissionId,
  sealer: CallerActor,
): Promise<readonly ReceivedFiles[]> {
  const rows = await trx
    .selectFrom('evidence')
    .select((eb) => [
      'received_by',
      eb.fn.countAll<number | string>().as('files'),
      eb.fn.sum<number | string>('size_bytes').as('bytes'),
    ])
    .where('submission_id', '=', id)
    .where('received_by', '<>', actorText(sealer))
    .groupBy('received_by')
    .orderBy('received_by')
    .execute()
  return rows.map(({ received_by, files, bytes }) => {
    const [is, ...rest] = (received_by ?? '').split(':')
    const sender = rest.join(':')
    const actor: CallerActor =
      is === 'key' ? { is: 'key', keyId: sender as ApiKeyId } : { is: 'member', memberId: sender as MemberId }
    return { actor, details: { files: Number(files), bytes: Number(bytes) } }
  })
}

import type { Db } from '../database/schema.ts'
import type { CallerActor } from '../runtime/actor.ts'
import type { ApiKeyId, LinkId, MemberId, SubmissionId } from '../runtime/identifiers.ts'

/** Who sent a file, as stored with it. */
export function actorText(actor: CallerActor): string {
  if (actor.is === 'key') return `key:${actor.keyId}`
  return actor.is === 'member' ? `member:${actor.memberId}` : `link:${actor.linkId}`
}

export function actorOf(text: string): CallerActor {
  const [is, ...rest] = text.split(':')
  const id = rest.join(':')
  if (is === 'key') return { is: 'key', keyId: id as ApiKeyId }
  return is === 'link' ? { is: 'link', linkId: id as LinkId } : { is: 'member', memberId: id as MemberId }
}

export interface ReceivedFiles {
  readonly actor: CallerActor
  readonly details: { readonly files: number; readonly bytes: number }
}

/** The files that others than the one who submits have sent. Those that came with a link are events already. */
export async function receivedFromOthers(
  trx: Db,
  id: SubmissionId,
  submitter: CallerActor,
): Promise<readonly ReceivedFiles[]> {
  const rows = await trx
    .selectFrom('evidence')
    .select((eb) => [
      'received_by',
      eb.fn.countAll<number | string>().as('files'),
      eb.fn.sum<number | string>('size_bytes').as('bytes'),
    ])
    .where('submission_id', '=', id)
    .where('received_by', '<>', actorText(submitter))
    .where('received_by', 'not like', 'link:%')
    .groupBy('received_by')
    .orderBy('received_by')
    .execute()
  return rows.map(({ received_by, files, bytes }) => {
    return { actor: actorOf(received_by ?? ''), details: { files: Number(files), bytes: Number(bytes) } }
  })
}

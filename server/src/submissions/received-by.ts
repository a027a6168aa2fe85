import type { Db } from '../database/schema.ts'
import type { CallerActor } from '../runtime/actor.ts'
import type { ApiKeyId, LinkId, MemberId, SubmissionId } from '../runtime/identifiers.ts'
import type { ProvenanceEntry } from '@kitseal/kit/internal'
import type { WorkspaceCaller } from '../http/caller.ts'

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

type WithoutPaths<Entry> = Entry extends ProvenanceEntry ? Omit<Entry, 'paths'> : never

/** An entry of the provenance report, before it is known which files it is about. */
export type ReceivedFact = WithoutPaths<ProvenanceEntry>

type Upload = Extract<ReceivedFact, { readonly source: 'upload' }>

/** How files were received, as stored with each of them. */
export function receivedFacts(caller: WorkspaceCaller, protocol: Upload['protocol'], at: string): string {
  const { key } = caller
  const upload: Upload = { source: 'upload', statement: 'verified', at, protocol, ...accountOf(caller) }
  const facts: readonly ReceivedFact[] = [
    ...(key?.ci == null ? [] : [{ source: 'ci_token', statement: 'verified', ...key.ci } as const]),
    upload,
    ...clientIn(key?.userAgent),
  ]
  return JSON.stringify(facts)
}

export const factsIn = (received: string | null): readonly ReceivedFact[] =>
  received === null ? [] : (JSON.parse(received) as readonly ReceivedFact[])

/** By ID: names and labels are the workspace's own text, and a person's address is not sealed. */
function accountOf({ actor, workspaceId: workspace_id }: WorkspaceCaller) {
  if (actor.is === 'link') return { route: 'request_link', link_id: actor.linkId } as const
  if (actor.is === 'member') return { route: 'browser', workspace_id, member_id: actor.memberId } as const
  return { route: 'api', workspace_id, key_id: actor.keyId } as const
}

/** The command line calls itself `kitseal/VERSION`. Anyone can, so it is stated. */
function clientIn(userAgent = ''): readonly ReceivedFact[] {
  const [, version] = /^kitseal\/([\w.+-]{1,100})$/.exec(userAgent) ?? []
  return version === undefined ? [] : [{ source: 'client', statement: 'stated', name: 'kitseal', version }]
}

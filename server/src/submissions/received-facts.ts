import type { ProvenanceEntry } from '@kitseal/kit/internal'
import type { WorkspaceCaller } from '../http/caller.ts'

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

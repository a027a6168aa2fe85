import type { WorkspaceEvent } from '@kitseal/client'

export const INVALIDATE_EVERY_MS = 2000

/** Queries to invalidate, by the first word of an event's type. */
const STALE: Readonly<Record<string, readonly string[]>> = {
  submission: ['submissions', 'overview', 'revocations', 'programs', 'requests', 'series'],
  evidence: ['submissions', 'programs'],
  program: ['programs', 'overview'],
  request: ['requests', 'programs', 'overview'],
  key: ['keys'],
  member: ['members', 'me'],
  invitation: ['members'],
  workspace: ['me'],
  plan: ['me'],
  passkey: ['passkeys', 'me'],
  session: ['sessions'],
  share: ['shares', 'overview'],
  signing_key: ['revocations', 'submissions', 'submission'],
}

type Changed = Pick<WorkspaceEvent, 'type' | 'subject'>
type Key = readonly string[]

/** Finds the queries that events make stale. Those of the first event at once, and those of the next two seconds together: an import makes thousands. */
export function gatherEvents(
  invalidate: (stale: readonly Key[]) => void,
  signal: AbortSignal,
): (event: Changed) => void {
  const stale = new Map<string, Key>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    timer = undefined
    if (stale.size === 0 || signal.aborted) return
    invalidate([...stale.values()])
    stale.clear()
    timer = setTimeout(flush, INVALIDATE_EVERY_MS)
  }
  return (event) => {
    for (const key of staleKeys(event)) stale.set(key.join(' '), key)
    if (timer === undefined) flush()
  }
}

function staleKeys({ type, subject }: Changed): readonly Key[] {
  const [area = ''] = type.split('.')
  const one = area === 'submission' || area === 'evidence' ? [['submission', subject]] : []
  return [...(STALE[area] ?? []).map((name) => [name]), ['audit'], ...one]
}

import { keyText } from '@kitseal/kit/internal'
import { sentences } from '@kitseal/kit/in-browser/words'
import { Badge } from '../../../parts/badge.tsx'
import { Time } from '../../../parts/time.tsx'
import { nameText } from '../../../core/readable.ts'
import { rich, t } from '../../../core/texts.ts'
import type { RoomKit } from './shared-room.ts'
import type { KitState } from './use-verify-all.ts'
import { serviceVerdict } from '../../../verify/service-verdict.ts'

const COMPARED: ReadonlySet<string> = new Set(['given', 'pinned'])

/** One sentence about a kit, from facts: who, when, unchanged or not, whose key, and what is not proved. */
export function RoomSentence({
  kit,
  state,
}: {
  readonly kit: RoomKit
  readonly state: KitState | undefined
}) {
  const day = <Time at={kit.issued_at} as="day" />
  const who = (kit.supplier ?? kit.requested_by)?.name
  return (
    <p className="room-sentence">
      <State kit={kit} state={state} />{' '}
      {who === undefined
        ? rich('room.sentence.sealed', { issuer: kit.issuer, day })
        : rich('room.sentence.sealedFor', { issuer: kit.issuer, who: nameText(who), day })}
      {kit.erased_at !== null && (
        <>
          {sentences(['', ''])}
          {rich('room.sentence.erased', { day: <Time at={kit.erased_at} as="day" /> })}
        </>
      )}
      {sentences(['', wordsOf(kit, state), t('room.sentence.notProved')])}
    </p>
  )
}

function State({ kit, state }: { readonly kit: RoomKit; readonly state: KitState | undefined }) {
  const { verdict } = outcomeOf(kit, state)
  if (verdict === undefined) return null
  return verdict === 'verified' ? (
    <Badge icon="check" look="passed">
      PASS
    </Badge>
  ) : (
    <Badge icon="cross" look="failed">
      FAIL
    </Badge>
  )
}

/** What did not end as verified failed. */
export function outcomeOf(
  kit: RoomKit,
  state: KitState | undefined,
): { readonly verdict?: 'verified' | 'failed'; readonly why?: string } {
  if (state?.is === 'failed') return { verdict: 'failed', why: state.message }
  if (state?.is !== 'done') return {}
  const { verdict, heading, sentence } = serviceVerdict(state.result, kit.kit_id)
  return verdict === 'verified' ? { verdict } : { verdict: 'failed', why: `${heading}. ${sentence}` }
}

function wordsOf(kit: RoomKit, state: KitState | undefined): string {
  if (kit.status === 'erased') return ''
  if (state === undefined) return t('room.sentence.waiting')
  if (state.is === 'running') return t('room.sentence.running')
  const { verdict, why = '' } = outcomeOf(kit, state)
  if (verdict !== 'verified' || state.is !== 'done') return t('room.sentence.failed', { why })
  const { signer } = state.result.report
  const isCompared = COMPARED.has(signer.key_from?.source ?? '')
  return sentences([
    t('room.sentence.verified'),
    isCompared ? t('room.sentence.compared', { key: keyText(signer, t) }) : t('room.sentence.notCompared'),
  ])
}

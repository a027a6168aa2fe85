import { keyText } from '@kitseal/kit/internal'
import { serviceVerdict } from '@kitseal/kit/in-browser'
import { sentences, words } from '@kitseal/kit/in-browser/words'
import { Badge } from '../../parts/badge.tsx'
import { TimeText } from '../../parts/time.tsx'
import { nameText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
import type { RoomKit } from './shared-room.ts'
import type { KitState } from './use-verify-all.ts'

const COMPARED: ReadonlySet<string> = new Set(['given', 'pinned'])

/** One sentence about a kit, from facts: who, when, unchanged or not, whose key, and what is not proved. */
export function RoomSentence({
  kit,
  state,
}: {
  readonly kit: RoomKit
  readonly state: KitState | undefined
}) {
  const t = texts.room.sentence
  const who = (kit.supplier ?? kit.requested_by)?.name
  return (
    <p className="room-sentence">
      <State kit={kit} state={state} />{' '}
      <TimeText
        text={(day) => t.sealed(kit.issuer, who === undefined ? undefined : nameText(who), day)}
        at={kit.issued_at}
        as="day"
      />
      {kit.erased_at !== null && (
        <>
          {sentences(['', ''])}
          <TimeText text={t.erased} at={kit.erased_at} as="day" />
        </>
      )}
      {sentences(['', wordsOf(kit, state), t.notProved])}
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
  const t = texts.room.sentence
  if (kit.status === 'erased') return ''
  if (state === undefined) return t.waiting
  if (state.is === 'running') return t.running
  const { verdict, why = '' } = outcomeOf(kit, state)
  if (verdict !== 'verified' || state.is !== 'done') return t.failed(why)
  const { signer } = state.result.report
  const isCompared = COMPARED.has(signer.key_from?.source ?? '')
  return sentences([t.verified, isCompared ? t.compared(keyText(signer, words.kit)) : t.notCompared])
}

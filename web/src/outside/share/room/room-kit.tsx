import type { Result } from '@kitseal/kit/in-browser'
import { sentences } from '@kitseal/kit/in-browser/words'
import { keyText } from '@kitseal/kit/internal'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { messageOf, fetchJson } from '../../../core/fetch-json.ts'
import { nameText, sizeText } from '../../../core/readable.ts'
import { rich, t } from '../../../core/texts.ts'
import { useLoaded } from '../../../core/use-loaded.ts'
import { Alert, Card, Loading } from '../../../parts/blocks.tsx'
import { Button } from '../../../parts/button.tsx'
import { Checklist } from '../../../parts/checklist.tsx'
import { Tick } from '../../../parts/fields.tsx'
import { Status } from '../../../parts/status.tsx'
import { Time } from '../../../parts/time.tsx'
import { VerdictNotice } from '../../../verify/result-view.tsx'
import { serviceVerdict } from '../../../verify/service-verdict.ts'
import type { VerificationState } from '../../../verify/use-verification.ts'
import { KitDetails } from '../kit-details.tsx'
import type { Place, RoomKit, SharedKit } from '../shared.ts'
import { ReviewedBy, ReviewTick, Threads, type UseRemarks } from './threads.tsx'

export interface RoomKitCardProps {
  readonly base: string
  readonly kit: RoomKit
  readonly state: VerificationState | undefined
  readonly remarks: UseRemarks
  readonly isSelected: boolean
  /** False if the download limit is reached. */
  readonly isReadable: boolean
  onSelect(isSelected: boolean): void
}

/** One kit of a room: what was asked for, a sentence about it, its files and questions, and what is reviewed. */
export function RoomKitCard(props: RoomKitCardProps) {
  const { kit, state, remarks, isSelected, isReadable, onSelect } = props
  const [isOpen, setIsOpen] = useState(false)
  const [place, setPlace] = useState<Place>({ kit_id: kit.kit_id })
  const form = useRef<HTMLDivElement>(null)
  const canWrite = remarks.name !== ''
  const ofKit: Place = { kit_id: kit.kit_id }
  const ask = (about: Place): void => {
    setPlace(about)
    form.current?.querySelector<HTMLTextAreaElement>(':scope > div > form textarea')?.focus()
  }
  const tick = (about: Place, label: string, name?: string): ReactNode => (
    <ReviewTick
      label={label}
      name={name}
      isChecked={remarks.isMine(about)}
      isDisabled={!canWrite}
      onChange={(isReviewed) => remarks.review(about, isReviewed)}
    />
  )
  const remark = (about: Place, name: string): ReactNode => (
    <>
      {tick(about, t('room.review.file'), t('room.review.of', { what: name }))}
      <Button
        size="small"
        look="quiet"
        disabled={!canWrite}
        aria-label={t('room.comments.askAbout', { what: name })}
        onClick={() => ask(about)}
      >
        {t('room.comments.ask')}
      </Button>
      <ReviewedBy reviews={remarks.reviews} place={about} />
    </>
  )
  return (
    <Card
      title={nameText(kit.scope)}
      id={kit.kit_id}
      actions={
        kit.status === 'available' &&
        isReadable && (
          <Tick
            label={`${t('room.select')} (${sizeText(kit.size_bytes)})`}
            isChecked={isSelected}
            onChange={onSelect}
          />
        )
      }
    >
      {kit.items !== null && !isOpen && (
        <Checklist
          items={kit.items.map(({ item_id, title, status, files }) => ({
            id: item_id,
            title,
            status,
            files: files.map((path) => ({ name: path.replace(/^data\//, '') })),
          }))}
          about={({ id, title }) => (
            <p className="row">{remark({ kit_id: kit.kit_id, item_id: id }, title)}</p>
          )}
        />
      )}
      <RoomSentence kit={kit} state={state} />
      {state?.is === 'done' && <VerdictNotice result={state.outcome} kitId={kit.kit_id} />}
      <p className="row">
        {tick(ofKit, t('room.review.kit'))}
        <ReviewedBy reviews={remarks.reviews} place={ofKit} />
      </p>
      <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? t('room.close') : t('room.open', { count: kit.files })}
      </Button>
      {isOpen && <Details {...props} remark={remark} />}
      <div ref={form}>
        <Threads
          comments={remarks.comments.filter(({ kit_id }) => kit_id === kit.kit_id)}
          canWrite={canWrite}
          place={place}
          about={nameIn(kit, place)}
          nameOf={({ path, item_id }) => nameIn(kit, { path, item_id })}
          comment={async (body) => {
            await remarks.comment(body)
            setPlace(ofKit)
          }}
          setState={(comment) =>
            comment.author === remarks.name ? (next) => void remarks.setState(comment, next) : undefined
          }
          onWholeKit={() => setPlace(ofKit)}
        />
      </div>
    </Card>
  )
}

function nameIn(
  { items }: Pick<RoomKit, 'items'>,
  { path, item_id: id }: { readonly path?: string | null; readonly item_id?: string | null },
): string | undefined {
  if (id != null) return items?.find((item) => item.item_id === id)?.title ?? id
  return path?.replace(/^data\//, '')
}

interface DetailsProps extends Pick<RoomKitCardProps, 'base' | 'kit' | 'state'> {
  remark(about: Place, name: string): ReactNode
}

function Details({ base, kit, state, remark }: DetailsProps) {
  const own = `${base}/${kit.base}`
  const load = useCallback(() => fetchJson<SharedKit>(`${own}/share.json`), [own])
  const { value: share, error } = useLoaded(load)
  if (error !== undefined) return <Alert text={messageOf(error)} />
  if (share === undefined) return <Loading />
  const result = state?.is === 'done' ? state.outcome : undefined
  return (
    <KitDetails
      base={own}
      share={share}
      isVerified={result !== undefined && faultOf(result, kit.kit_id) === undefined}
      sealed={result?.report.provenance}
      remark={remark}
    />
  )
}

/** Why a kit is not verified. Undefined if it is. */
export function faultOf(result: Result, kitId: string): string | undefined {
  const { verdict, heading, sentence } = serviceVerdict(result, kitId)
  return verdict === 'verified' ? undefined : `${heading}. ${sentence}`
}

const COMPARED: ReadonlySet<string> = new Set(['given', 'pinned'])

/** One sentence about a kit, from facts: who, when, unchanged or not, whose key, and what is not proved. */
function RoomSentence({ kit, state }: Pick<RoomKitCardProps, 'kit' | 'state'>) {
  const day = <Time at={kit.issued_at} as="day" />
  const who = (kit.supplier ?? kit.requested_by)?.name
  const isVerified = state?.is === 'done' && faultOf(state.outcome, kit.kit_id) === undefined
  return (
    <p>
      {state !== undefined && state.is !== 'running' && (
        <Status of="kit" is={isVerified ? 'verified' : 'failed'}>
          {isVerified ? 'PASS' : 'FAIL'}
        </Status>
      )}{' '}
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

function wordsOf(kit: RoomKit, state: VerificationState | undefined): string {
  if (kit.status === 'erased') return ''
  if (state === undefined) return t('room.sentence.waiting')
  if (state.is === 'running') return t('room.sentence.running')
  if (state.is === 'failed') return t('room.sentence.failed', { why: state.message })
  const why = faultOf(state.outcome, kit.kit_id)
  if (why !== undefined) return t('room.sentence.failed', { why })
  const { signer } = state.outcome.report
  const isCompared = COMPARED.has(signer.key_from?.source ?? '')
  return sentences([
    t('room.sentence.verified'),
    isCompared ? t('room.sentence.compared', { key: keyText(signer, t) }) : t('room.sentence.notCompared'),
  ])
}

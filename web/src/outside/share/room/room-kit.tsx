import { Button } from '@mantine/core'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { messageOf } from '../../../core/error-message.ts'
import { fetchJson } from '../../../core/fetch-json.ts'
import { Alert, Card } from '../../../parts/blocks.tsx'
import { RowTable } from '../../../parts/table.tsx'
import { nameText, sizeText } from '../../../core/readable.ts'
import { known, t } from '../../../core/texts.ts'
import { useLoaded } from '../../../core/use-loaded.ts'
import { VerdictNotice } from '../../../verify/verdict-notice.tsx'
import { KitDetails } from '../kit-details.tsx'
import type { SharedItem, SharedKit } from '../shared-kit.ts'
import { ReviewedBy, Tick } from './reviews.tsx'
import { RoomSentence } from './room-sentence.tsx'
import type { Place, RoomKit } from './shared-room.ts'
import { Threads } from './threads.tsx'
import type { UseRemarks } from './use-remarks.ts'
import { isVerified, type KitState } from './use-verify-all.ts'

export interface RoomKitCardProps {
  readonly base: string
  readonly kit: RoomKit
  readonly state: KitState | undefined
  readonly remarks: UseRemarks
  readonly isSelected: boolean
  /** False if the download limit is reached. */
  readonly isReadable: boolean
  onSelect(isSelected: boolean): void
}

/** One kit of a room: a sentence about it, its items, files and questions, and what is reviewed. */
export function RoomKitCard(props: RoomKitCardProps) {
  const { kit, state, remarks, isSelected, isReadable, onSelect } = props
  const [isOpen, setIsOpen] = useState(false)
  const [place, setPlace] = useState<Place>({ kit_id: kit.kit_id })
  const form = useRef<HTMLDivElement>(null)
  const canWrite = remarks.name !== ''
  const isThere = kit.status === 'available' && isReadable
  const ask = (about: Place): void => {
    setPlace(about)
    form.current?.querySelector<HTMLTextAreaElement>('.room-form textarea')?.focus()
  }
  const tick = (about: Place, label: string, name?: string): ReactNode => (
    <Tick
      label={label}
      {...(name !== undefined && { name })}
      isChecked={remarks.isMine(about)}
      isDisabled={!canWrite}
      onChange={(isReviewed) => remarks.review(about, isReviewed)}
    />
  )
  const remark = (about: Place, name: string): ReactNode => (
    <>
      {tick(about, t('room.review.file'), t('room.review.of', { what: name }))}
      <Button
        size="compact-xs"
        variant="subtle"
        disabled={!canWrite}
        aria-label={t('room.comments.askAbout', { what: name })}
        onClick={() => ask(about)}
      >
        {t('room.comments.ask')}
      </Button>
      <ReviewedBy reviews={remarks.reviews} place={about} />
    </>
  )
  const ofKit: Place = { kit_id: kit.kit_id }
  return (
    <Card
      title={nameText(kit.scope)}
      id={kit.kit_id}
      actions={
        isThere && (
          <Tick
            label={`${t('room.select')} (${sizeText(kit.size_bytes)})`}
            isChecked={isSelected}
            isDisabled={false}
            onChange={onSelect}
          />
        )
      }
    >
      <RoomSentence kit={kit} state={state} />
      {state?.is === 'done' && (
        <VerdictNotice result={state.result} kitId={kit.kit_id} how={t('share.how')} />
      )}
      {kit.items !== null && <Items kit={kit} items={kit.items} remark={remark} />}
      <p className="room-marks">
        {tick(ofKit, t('room.review.kit'))}
        <ReviewedBy reviews={remarks.reviews} place={ofKit} />
      </p>
      <Button variant="default" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? t('room.close') : t('room.open', { count: kit.files })}
      </Button>
      {isOpen && <Details {...props} remark={remark} />}
      <div ref={form}>
        <Threads
          comments={remarks.comments.filter(({ kit_id }) => kit_id === kit.kit_id)}
          canWrite={canWrite}
          place={place}
          about={nameIn(kit, place)}
          nameOf={(comment) =>
            nameIn(kit, { path: comment.path ?? undefined, item_id: comment.item_id ?? undefined })
          }
          comment={async (body) => {
            const isSent = await remarks.comment(body)
            if (isSent) setPlace(ofKit)
            return isSent
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

const nameIn = (
  kit: Pick<RoomKit, 'items'>,
  { path, item_id }: { readonly path?: string | undefined; readonly item_id?: string | undefined },
): string | undefined =>
  item_id === undefined
    ? path?.replace(/^data\//, '')
    : (kit.items?.find((item) => item.item_id === item_id)?.title ?? item_id)

type Remark = (about: Place, name: string) => ReactNode

function Details({ base, kit, state, remark }: RoomKitCardProps & { readonly remark: Remark }) {
  const own = `${base}/${kit.base}`
  const load = useCallback(() => fetchJson<SharedKit>(`${own}/share.json`), [own])
  const { value: share, error } = useLoaded(load)
  if (error !== undefined) return <Alert text={messageOf(error)} />
  if (share === undefined) return <p className="quiet loading">{t('common.loading')}…</p>
  const sealed = state?.is === 'done' ? state.result.report.provenance : undefined
  return (
    <KitDetails
      base={own}
      share={share}
      isVerified={isVerified(state, kit.kit_id)}
      sealed={sealed}
      markOf={({ path }) => remark({ kit_id: kit.kit_id, path }, path.replace(/^data\//, ''))}
    />
  )
}

interface ItemsProps {
  readonly kit: RoomKit
  readonly items: readonly SharedItem[]
  readonly remark: Remark
}

/** Item by item, the files that were sent for it. */
function Items({ kit, items, remark }: ItemsProps) {
  return (
    <RowTable
      rows={items}
      keyOf={({ item_id }) => item_id}
      columns={[
        { name: t('room.columns.item'), of: 'titles', cell: ({ title }) => nameText(title) },
        {
          name: t('room.columns.status'),
          cell: ({ status }) => known(`request.statuses.${status}`) ?? nameText(status),
        },
        {
          name: t('room.columns.files'),
          cell: ({ files }) =>
            files.length === 0 ? (
              <span className="quiet">{t('room.noFiles')}</span>
            ) : (
              <ul className="room-list">
                {files.map((path) => (
                  <li key={path}>{nameText(path.replace(/^data\//, ''))}</li>
                ))}
              </ul>
            ),
        },
        {
          name: t('room.columns.review'),
          cell: ({ item_id, title }) => remark({ kit_id: kit.kit_id, item_id }, title),
        },
      ]}
    />
  )
}

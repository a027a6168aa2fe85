import { sentences } from '@kitseal/kit/in-browser/words'
import { useMemo, useState } from 'react'
import { nameText, sizeText } from '../../../core/readable.ts'
import { t } from '../../../core/texts.ts'
import { Heading, Notice, Problem } from '../../../parts/blocks.tsx'
import { LinkButton } from '../../../parts/button.tsx'
import { Fields } from '../../../parts/fields.tsx'
import { PublicFrame } from '../../../parts/frame.tsx'
import { VerifyAll } from '../../../verify/verify-all.tsx'
import { Deadline } from '../../../parts/time.tsx'
import { isSmallEnough, servedKit, useVerification } from '../../../verify/use-verification.ts'
import type { RoomKit, SharedRoom } from '../shared.ts'
import { faultOf, RoomKitCard } from './room-kit.tsx'
import { type UseRemarks, useRemarks } from './threads.tsx'

export interface RoomPageProps {
  readonly base: string
  readonly room: SharedRoom
}

/** The page of a room: several kits for a reviewer without an account. */
export function RoomPage({ base, room }: RoomPageProps) {
  const remarks = useRemarks(base, room.recipient)
  const there = useMemo(() => room.kits.filter(({ status }) => status === 'available'), [room])
  const isReadable = room.status === 'available'
  const all = useMemo(
    () =>
      there.map((kit) => ({
        ...servedKit(kit.kit_id, `${base}/${kit.base}/view/kit.zip`, kit.size_bytes),
        name: nameText(kit.scope),
      })),
    [base, there],
  )
  const verification = useVerification(all, isReadable && isSmallEnough(bytesOf(there)))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const chosen = there.filter(({ kit_id }) => selected.has(kit_id))
  const wanted = chosen.length === 0 ? there : chosen
  const query = chosen.map(({ kit_id }) => `kit=${kit_id}`).join('&')
  return (
    <PublicFrame isOutside title={room.title}>
      <Heading
        title={nameText(room.title)}
        lead={t('room.openedBy', { who: nameText(room.workspace) })}
        actions={
          isReadable &&
          there.length > 0 && (
            <LinkButton
              look="main"
              icon="download"
              href={`${base}/kits.zip${query === '' ? '' : `?${query}`}`}
              download
            >
              {t('room.downloadAll', { count: wanted.length, size: sizeText(bytesOf(wanted)) })}
            </LinkButton>
          )
        }
      />
      {room.note !== null && <blockquote className="notice info">{nameText(room.note)}</blockquote>}
      {!isReadable && (
        <Notice tone="warn" title={t('outside.titles.exhausted')}>
          {t('share.exhausted')}
        </Notice>
      )}
      {isReadable && there.length > 0 && (
        <VerifyAll
          all={all}
          verification={verification}
          faultOf={faultOf}
          runningText={(current) => t('room.verify.running', { current, all: all.length })}
          passed={{
            title: t('room.verify.passed', { count: all.length }),
            text: t('room.verify.passedText'),
          }}
          failedTitle={(bad) => t('room.verify.failed', { bad, all: all.length })}
          notYetTitle={(count) => t('room.verify.notYet', { count })}
        />
      )}
      <Who room={room} remarks={remarks} />
      <Problem error={remarks.problem} />
      {room.kits.length === 0 && <p className="quiet">{t('room.none')}</p>}
      {room.kits.map((kit) => (
        <RoomKitCard
          key={kit.kit_id}
          base={base}
          kit={kit}
          state={verification.states.get(kit.kit_id)}
          remarks={remarks}
          isReadable={isReadable}
          isSelected={selected.has(kit.kit_id)}
          onSelect={(is) =>
            setSelected(
              new Set(is ? [...selected, kit.kit_id] : [...selected].filter((id) => id !== kit.kit_id)),
            )
          }
        />
      ))}
      <p className="quiet">
        {t('share.facts.expires') + t('common.colon')}
        <Deadline at={room.expires_at} />
        {room.downloads_left !== null &&
          ` · ${t('share.facts.downloadsLeft')}${t('common.colon')}${room.downloads_left}`}
      </p>
    </PublicFrame>
  )
}

const bytesOf = (kits: readonly RoomKit[]): number => kits.reduce((sum, kit) => sum + kit.size_bytes, 0)

/** Who writes, and who reads it. */
function Who({ room, remarks }: Pick<RoomPageProps, 'room'> & { readonly remarks: UseRemarks }) {
  const [name, setName] = useState(remarks.name)
  if (room.recipient !== null)
    return (
      <p className="quiet">
        {sentences([t('room.as', { who: nameText(room.recipient) }), t('room.visible')])}
      </p>
    )
  return (
    <div className="narrow">
      <Fields
        texts="room"
        values={{ name }}
        set={({ name: typed = '' }) => {
          setName(typed)
          remarks.setName(typed)
        }}
        fields={[
          {
            name: 'name',
            hint: sentences([t('room.nameHint'), t('room.visible')]),
            maxLength: 200,
            autoComplete: 'name',
          },
        ]}
      />
    </div>
  )
}

import type { Room, RoomComment, RoomReviewList } from '@kitseal/client'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../parts/badge.tsx'
import { BackLink, Card, Facts, Heading } from '../../parts/blocks.tsx'
import { Deadline, Time } from '../../parts/time.tsx'
import { nameText } from '../../core/readable.ts'
import { Link } from '../../core/router.tsx'
import { isAt, type Place } from '../../outside/share/room/shared-room.ts'
import { ReviewedBy } from '../../outside/share/room/reviews.tsx'
import '../../outside/share/room/room.css'
import { Threads } from '../../outside/share/room/threads.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'
import { Problem, QueryState } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { AccessLog } from '../shares/access-log.tsx'
import { ChangeShare } from '../shares/change-share.tsx'
import { ofRoom } from '../shares/linked.ts'
import { mailText } from '../shares/mail-text.ts'
import { ShareLinks } from '../shares/share-links.tsx'
import { LOOKS } from '../shares/share-looks.ts'
import { SHARES } from '../shares/shares-key.ts'
import { useChange } from '../use-change.ts'
import { allPages } from './all-pages.ts'

/** A room for its workspace: who looked, what they ask, and what they say that they have reviewed. */
export function RoomPage({ id }: { readonly id: string }) {
  const room = useQuery({ queryKey: [...SHARES, 'rooms', id], queryFn: () => api.getRoom(id) })
  return (
    <>
      <BackLink href="/console/shares">{t('console.titles.shares')}</BackLink>
      <QueryState query={room} />
      {room.data !== undefined && (
        <>
          <Head room={room.data} />
          <Card title={t('console.rooms.reviewers')}>
            <Reviewers room={room.data} />
          </Card>
          <Kits room={room.data} />
        </>
      )}
    </>
  )
}

type Open = 'links' | 'change' | 'accesses' | 'revoke'

function Head({ room }: { readonly room: Room }) {
  const [open, setOpen] = useState<Open>()
  const { is: mayChange } = useAllowed('shares')
  const close = (): void => setOpen(undefined)
  const linked = ofRoom(room)
  const buttons: readonly (readonly [Open, string])[] = [
    ['accesses', t('console.shares.accesses.action')],
    ...(mayChange && room.revoked_at === null
      ? ([
          ['links', t('console.shares.links.action')],
          ['change', t('console.shares.change.action')],
          ['revoke', t('console.shares.revoke.action')],
        ] as const)
      : []),
  ]
  return (
    <>
      <Heading
        title={nameText(room.title)}
        lead={
          room.series === null ? undefined : t('console.rooms.ofSeries', { series: nameText(room.series) })
        }
        actions={buttons.map(([is, text]) => (
          <Button key={is} variant="default" onClick={() => setOpen(is)}>
            {text}
          </Button>
        ))}
      />
      {open === 'accesses' && <AccessLog share={linked} onClose={close} />}
      {open === 'links' && <ShareLinks share={linked} onClose={close} />}
      {open === 'change' && <ChangeShare share={linked} onClose={close} />}
      {open === 'revoke' && (
        <ConfirmDialog
          action={t('console.shares.revoke.action')}
          text={t('console.shares.revoke.text')}
          title={t('console.shares.revoke.title', { label: room.title })}
          stale={SHARES}
          run={() => linked.revoke()}
          onClose={close}
        />
      )}
    </>
  )
}

function Reviewers({ room }: { readonly room: Room }) {
  return (
    <>
      <Facts
        facts={[
          {
            name: t('console.rooms.columns.status'),
            value: <Badge {...LOOKS[room.status]}>{t(`console.shares.statuses.${room.status}`)}</Badge>,
          },
          { name: t('share.facts.expires'), value: <Deadline at={room.expires_at} /> },
          ...(room.recipients.length > 0 || room.last_access_at === null
            ? []
            : [{ name: t('console.rooms.columns.used'), value: <Time at={room.last_access_at} as="ago" /> }]),
          ...room.recipients.map(({ email, last_access_at: at, revoked_at, mail }) => ({
            name: nameText(email),
            value:
              revoked_at !== null ? (
                t('console.shares.statuses.revoked')
              ) : at === null ? (
                <span className="quiet">
                  {t('console.shares.neverUsed')} · {mailText(mail)}
                </span>
              ) : (
                <>
                  {t('console.rooms.looked')} <Time at={at} as="ago" />
                </>
              ),
          })),
        ]}
      />
      {room.note !== null && <p className="quiet">{nameText(room.note)}</p>}
    </>
  )
}

function Kits({ room }: { readonly room: Room }) {
  const { room_id: id } = room
  const key = [...SHARES, 'rooms', id]
  const comments = useQuery({
    queryKey: [...key, 'comments'],
    queryFn: () => allPages((page) => api.listRoomComments(id, page)),
  })
  const reviews = useQuery({
    queryKey: [...key, 'reviews'],
    queryFn: () => allPages((page) => api.listRoomReviews(id, page)),
  })
  return (
    <>
      <QueryState query={comments} />
      <QueryState query={reviews} />
      {room.kits.length === 0 && <p className="quiet">{t('room.none')}</p>}
      {comments.data !== undefined &&
        reviews.data !== undefined &&
        room.kits.map((kit) => (
          <Kit
            key={kit.kit_id}
            room={room}
            kit={kit}
            comments={comments.data.filter(({ kit_id }) => kit_id === kit.kit_id).toReversed()}
            reviews={reviews.data.filter(({ kit_id }) => kit_id === kit.kit_id).toReversed()}
          />
        ))}
      <p className="quiet">{t('console.rooms.boundary')}</p>
    </>
  )
}

interface KitProps {
  readonly room: Room
  readonly kit: Room['kits'][number]
  /** Oldest first. */
  readonly comments: readonly RoomComment[]
  readonly reviews: RoomReviewList['data']
}

function Kit({ room, kit, comments, reviews }: KitProps) {
  const { room_id: id } = room
  const [erased, setErased] = useState<RoomComment>()
  const canWrite = useAllowed('shares').is && room.revoked_at === null
  const mayErase = useAllowed('comments').is
  const writing = useChange(SHARES, (body: Parameters<typeof api.commentInRoom>[1]) =>
    api.commentInRoom(id, body),
  )
  const changing = useChange(SHARES, ({ comment_id }: RoomComment) =>
    api.changeRoomComment(id, comment_id, { state: 'resolved' }),
  )
  const reopening = useChange(SHARES, ({ comment_id }: RoomComment) =>
    api.changeRoomComment(id, comment_id, { state: 'open' }),
  )
  const error = writing.error ?? changing.error ?? reopening.error
  return (
    <Card
      title={nameText(kit.label)}
      actions={
        kit.submission_id !== null && (
          <Link href={`/console/submissions/${kit.submission_id}`}>{t('console.rooms.toKit')}</Link>
        )
      }
    >
      <p className="quiet">
        <Time at={kit.issued_at} />
      </p>
      <Reviewed reviews={reviews} />
      {error !== null && <Problem error={error} />}
      <Threads
        comments={comments}
        canWrite={canWrite}
        place={{ kit_id: kit.kit_id }}
        about={undefined}
        nameOf={({ path, item_id }) => item_id ?? path?.replace(/^data\//, '')}
        comment={(body) =>
          writing.mutateAsync(body).then(
            () => true,
            () => false,
          )
        }
        setState={(comment) =>
          canWrite ? (state) => (state === 'resolved' ? changing : reopening).mutate(comment) : undefined
        }
        erase={mayErase ? setErased : undefined}
        onWholeKit={() => {}}
      />
      {erased !== undefined && (
        <ConfirmDialog
          title={t('room.comments.eraseTitle')}
          text={t('room.comments.eraseText')}
          action={t('room.comments.erase')}
          stale={SHARES}
          run={() => api.eraseRoomComment(id, erased.comment_id)}
          onClose={() => setErased(undefined)}
        />
      )}
    </Card>
  )
}

/** What reviewers say that they have reviewed, place by place. */
function Reviewed({ reviews }: Pick<KitProps, 'reviews'>) {
  const places: Place[] = []
  for (const { kit_id, path, item_id } of reviews) {
    const place = { kit_id, ...(path !== null && { path }), ...(item_id !== null && { item_id }) }
    if (!places.some((each) => isAt(each, { kit_id, path, item_id }))) places.push(place)
  }
  if (places.length === 0) return <p className="quiet">{t('console.rooms.notReviewed')}</p>
  return (
    <>
      <ul className="room-list">
        {places.map((place) => (
          <li key={`${place.item_id ?? ''} ${place.path ?? ''}`}>
            {nameText(place.item_id ?? place.path?.replace(/^data\//, '') ?? t('console.rooms.kit'))}
            <ReviewedBy reviews={reviews} place={place} />
          </li>
        ))}
      </ul>
      <p className="quiet">{t('room.review.own')}</p>
    </>
  )
}

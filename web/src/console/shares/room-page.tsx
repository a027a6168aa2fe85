import type { Room, RoomComment, RoomReviewList } from '@kitseal/client'
import { useQuery } from '@tanstack/react-query'
import { nameText } from '../../core/readable.ts'
import { Link } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { isAt, type Place } from '../../outside/share/shared.ts'
import { ReviewedBy, Threads } from '../../outside/share/room/threads.tsx'
import { BackLink, Card, Facts, Heading, Problem, QueryState } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { Status } from '../../parts/status.tsx'
import { Deadline, Time } from '../../parts/time.tsx'
import { api } from '../client.ts'
import { allPages, askChange, useChange } from '../queries.tsx'
import { useAllowed } from '../session.tsx'
import { ofRoom, ACTIONS, actionsOf, mailText, SHARES } from './shares-page.tsx'

/** A room for its workspace: who looked, what they ask, and what they say that they have reviewed. */
export default function RoomPage({ id }: { readonly id: string }) {
  const query = useQuery({ queryKey: [...SHARES, 'rooms', id], queryFn: () => api.getRoom(id) })
  const { is: mayChange } = useAllowed('shares')
  const room = query.data
  if (room === undefined) return <QueryState query={query} />
  return (
    <>
      <BackLink href="/console/shares">{t('console.titles.shares')}</BackLink>
      <Heading
        title={nameText(room.title)}
        lead={
          room.series === null ? undefined : t('console.rooms.ofSeries', { series: nameText(room.series) })
        }
        actions={actionsOf(mayChange, room.revoked_at).map((name) => (
          <Button
            key={name}
            className={name === 'revoke' ? 'bad' : ''}
            onClick={() => ACTIONS[name](ofRoom(room))}
          >
            {t(`console.shares.${name}.action`)}
          </Button>
        ))}
      />
      <Card title={t('console.rooms.reviewers')}>
        <Facts more={factsOf(room)} />
        {room.note !== null && <p className="quiet">{nameText(room.note)}</p>}
      </Card>
      <Kits room={room} />
    </>
  )
}

const factsOf = (room: Room) => [
  {
    name: t('console.rooms.columns.status'),
    value: <Status of="share" is={room.status} texts="console.shares.statuses" />,
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
        `${t('console.shares.neverUsed')} · ${mailText(mail)}`
      ) : (
        <>
          {t('console.rooms.looked')} <Time at={at} as="ago" />
        </>
      ),
  })),
]

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
  const canWrite = useAllowed('shares').is && room.revoked_at === null
  const mayErase = useAllowed('comments').is
  const writing = useChange(SHARES, (body: Parameters<typeof api.commentInRoom>[1]) =>
    api.commentInRoom(id, body),
  )
  const changing = useChange(SHARES, (change: { readonly of: string; readonly state: 'open' | 'resolved' }) =>
    api.changeRoomComment(id, change.of, { state: change.state }),
  )
  const erase = ({ comment_id }: RoomComment): void =>
    askChange({
      title: t('room.comments.eraseTitle'),
      text: t('room.comments.eraseText'),
      action: t('room.comments.erase'),
      isDangerous: true,
      stale: SHARES,
      run: () => api.eraseRoomComment(id, comment_id),
    })
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
      <Problem error={writing.error ?? changing.error} />
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
        setState={({ comment_id: of }) => (canWrite ? (state) => changing.mutate({ of, state }) : undefined)}
        erase={mayErase ? erase : undefined}
        onWholeKit={() => {}}
      />
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
      <ul className="stack">
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

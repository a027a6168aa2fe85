import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time, TimeText } from '../../parts/time.tsx'
import { nameText } from '../../readable.ts'
import { Link } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { LoadMore } from '../load-more.tsx'
import { QueryState } from '../problem.tsx'
import { LOOKS } from '../shares/share-looks.ts'
import { SHARES } from '../shares/shares-key.ts'
import { usePages } from '../use-pages.ts'

/** The rooms of the workspace. Nothing if there are none. */
export function RoomsCard() {
  const list = usePages([...SHARES, 'rooms'], (page, options) =>
    api.listRooms({ ...page, limit: 50 }, options),
  )
  const t = texts.console.rooms
  return (
    <>
      <QueryState query={list} />
      {list.rows.length > 0 && (
        <Card title={t.rooms} className="flush">
          <RowTable
            rows={list.rows}
            keyOf={({ room_id }) => room_id}
            dataOf={({ status }) => ({ 'data-status': status })}
            columns={[
              {
                name: t.columns.room,
                of: 'titles',
                cell: ({ room_id, title }) => (
                  <Link href={`/console/rooms/${room_id}`} className="row-link">
                    {nameText(title)}
                  </Link>
                ),
                below: ({ kits, series, recipients }) =>
                  [
                    texts.room.kits(kits.length),
                    ...(series === null ? [] : [t.ofSeries(nameText(series))]),
                    ...recipients.map(({ email }) => nameText(email)),
                  ].join(' · '),
              },
              {
                name: t.columns.status,
                className: 'nowrap',
                cell: ({ status }) => (
                  <Badge {...LOOKS[status]}>{texts.console.shares.statuses[status]}</Badge>
                ),
                below: ({ expires_at }) => (
                  <TimeText text={texts.console.shares.until} at={expires_at} as="relative" />
                ),
              },
              {
                name: t.columns.questions,
                cell: ({ open_questions }) =>
                  open_questions === 0 ? (
                    <span className="quiet">{t.noQuestions}</span>
                  ) : (
                    t.questions(open_questions)
                  ),
              },
              {
                name: t.columns.used,
                cell: ({ last_access_at: at }) =>
                  at === null ? (
                    <span className="quiet">{texts.console.shares.neverUsed}</span>
                  ) : (
                    <Time at={at} as="ago" />
                  ),
              },
            ]}
          />
        </Card>
      )}
      <LoadMore query={list} />
    </>
  )
}

import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../core/readable.ts'
import { Link } from '../../core/router.tsx'
import { rich, t } from '../../core/texts.ts'
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
  return (
    <>
      <QueryState query={list} />
      {list.rows.length > 0 && (
        <Card title={t('console.rooms.rooms')} className="flush">
          <RowTable
            rows={list.rows}
            keyOf={({ room_id }) => room_id}
            dataOf={({ status }) => ({ 'data-status': status })}
            columns={[
              {
                name: t('console.rooms.columns.room'),
                of: 'titles',
                cell: ({ room_id, title }) => (
                  <Link href={`/console/rooms/${room_id}`} className="row-link">
                    {nameText(title)}
                  </Link>
                ),
                below: ({ kits, series, recipients }) =>
                  [
                    t('room.kits', { count: kits.length }),
                    ...(series === null ? [] : [t('console.rooms.ofSeries', { series: nameText(series) })]),
                    ...recipients.map(({ email }) => nameText(email)),
                  ].join(' · '),
              },
              {
                name: t('console.rooms.columns.status'),
                className: 'nowrap',
                cell: ({ status }) => (
                  <Badge {...LOOKS[status]}>{t(`console.shares.statuses.${status}`)}</Badge>
                ),
                below: ({ expires_at }) =>
                  rich('console.shares.until', { time: <Time at={expires_at} as="relative" /> }),
              },
              {
                name: t('console.rooms.columns.questions'),
                cell: ({ open_questions }) =>
                  open_questions === 0 ? (
                    <span className="quiet">{t('console.rooms.noQuestions')}</span>
                  ) : (
                    t('console.rooms.questions', { count: open_questions })
                  ),
              },
              {
                name: t('console.rooms.columns.used'),
                cell: ({ last_access_at: at }) =>
                  at === null ? (
                    <span className="quiet">{t('console.shares.neverUsed')}</span>
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

import type { ShareList } from '@kitseal/client'
import { queryText, navigate } from '../../core/router.tsx'
import { nameText } from '../../core/readable.ts'
import { rich, t } from '../../core/texts.ts'
import { Card, Empty, Heading } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { List } from '../../parts/list.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { api } from '../client.ts'
import { usePages } from '../queries.tsx'
import { useAllowed } from '../session.tsx'
import { ofShare, ACTIONS, actionsOf, SHARES } from './shares.tsx'

type Listed = ShareList['data'][number]

/** Every share and room of the workspace, with its use. */
export default function SharesPage() {
  const { is: mayChange } = useAllowed('shares')
  const shares = usePages(SHARES, (page, options) => api.listShares({ ...page, limit: 100 }, options))
  const toKits = mayChange && (
    <Button look="main" icon="share" onClick={() => navigate('/console/submissions?status=PASS')}>
      {t('console.shares.choose')}
    </Button>
  )
  return (
    <>
      <Heading title={t('console.titles.shares')} lead={t('console.shares.lead')} actions={toKits} />
      <Rooms />
      <Card>
        <List
          query={shares}
          empty={<Empty icon="share" texts="console.shares.none" />}
          keyOf={({ share_id }) => share_id}
          subject={({ label }) => label}
          actions={(share) =>
            actionsOf(mayChange, share.revoked_at).map((name) => ({
              text: t(`console.shares.${name}.action`),
              isDangerous: name === 'revoke',
              run: () => ACTIONS[name](ofShare(share)),
            }))
          }
          dataOf={({ status }) => ({ 'data-status': status })}
          texts="console.shares.columns"
          columns={[
            {
              name: 'what',
              of: 'titles',
              cell: ({ label }) => nameText(label),
              href: ({ kit_id }) => `/console/submissions${queryText({ q: kit_id })}`,
              below: contentOf,
            },
            {
              name: 'status',
              className: 'nowrap',
              cell: ({ status }) => <Status of="share" is={status} texts="console.shares.statuses" />,
              below: (share) => {
                const time = <Time at={endOf(share)} as="relative" />
                return share.status === 'active' ? rich('console.shares.until', { time }) : time
              },
            },
            {
              name: 'used',
              cell: usedText,
              below: ({ last_access_at: at }) => at !== null && <Time at={at} as="ago" />,
            },
          ]}
        />
      </Card>
    </>
  )
}

function contentOf({ paths, has_password, note, recipients }: Listed): string {
  const people = recipients.map(({ email }) => nameText(email)).join(', ')
  return [
    paths === null ? t('console.shares.wholeKit') : t('console.shares.files', { count: paths.length }),
    ...(people === '' ? [] : [t('console.shares.recipients', { addresses: people })]),
    ...(has_password ? [t('console.shares.hasPassword')] : []),
    ...(note === null ? [] : [nameText(note)]),
  ].join(' · ')
}

const endOf = ({ revoked_at, status, last_access_at, expires_at }: Listed): string =>
  revoked_at ?? (status === 'exhausted' ? (last_access_at ?? expires_at) : expires_at)

function usedText({ last_access_at: at, downloads: count, max_downloads: limit }: Listed): string {
  if (at === null) return t('console.shares.neverUsed')
  return limit === null
    ? t('console.shares.downloads', { count })
    : t('console.shares.downloadsOf', { count, limit })
}

/** The rooms of the workspace. Nothing if there are none. */
function Rooms() {
  const rooms = usePages([...SHARES, 'rooms'], (page, options) =>
    api.listRooms({ ...page, limit: 50 }, options),
  )
  if (rooms.rows.length === 0 && rooms.error === null) return null
  return (
    <Card title={t('console.rooms.rooms')}>
      <List
        query={rooms}
        empty={null}
        keyOf={({ room_id }) => room_id}
        dataOf={({ status }) => ({ 'data-status': status })}
        texts="console.rooms.columns"
        columns={[
          {
            name: 'room',
            of: 'titles',
            cell: ({ title }) => nameText(title),
            href: ({ room_id }) => `/console/rooms/${room_id}`,
            below: ({ kits, series, recipients }) =>
              [
                t('room.kits', { count: kits.length }),
                ...(series === null ? [] : [t('console.rooms.ofSeries', { series: nameText(series) })]),
                ...recipients.map(({ email }) => nameText(email)),
              ].join(' · '),
          },
          {
            name: 'status',
            className: 'nowrap',
            cell: ({ status }) => <Status of="share" is={status} texts="console.shares.statuses" />,
            below: ({ expires_at }) =>
              rich('console.shares.until', { time: <Time at={expires_at} as="relative" /> }),
          },
          {
            name: 'questions',
            cell: ({ open_questions: count }) =>
              count === 0 ? t('console.rooms.noQuestions') : t('console.rooms.questions', { count }),
          },
          {
            name: 'used',
            cell: ({ last_access_at: at }) => <Time at={at} as="ago" never={t('console.shares.neverUsed')} />,
          },
        ]}
      />
    </Card>
  )
}

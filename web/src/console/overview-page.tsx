import type { Overview } from '@kitseal/client'
import { nameText } from '../core/readable.ts'
import { Link } from '../core/router.tsx'
import { known, rich, t } from '../core/texts.ts'
import { Card, Empty, Heading, QueryState } from '../parts/blocks.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { Entries, RowLink } from '../parts/list.tsx'
import { Time } from '../parts/time.tsx'
import { NewButton } from './blocks.tsx'
import { api } from './client.ts'
import { useLiveQuery } from './queries.tsx'
import { NoPasskey, useAllowed } from './session.tsx'
import { StageStatus } from './submission/stage-status.tsx'
import { useStandsAlone } from './submission/use-submission.ts'

/** The start page: what needs attention and what happened last. */
export default function OverviewPage() {
  const query = useLiveQuery(['overview'], api.getOverview)
  const { data } = query
  const mayAdd = useAllowed('submit').is
  const add = <NewButton to="submit" href="/console/new" text={t('console.titles.new')} />
  return (
    <>
      <Heading title={t('console.titles.overview')} actions={data?.is_empty === false && add} />
      <NoPasskey />
      <QueryState query={query} />
      {data?.is_empty === true && (
        <Card>
          <Empty icon="upload" title={t('console.overview.first.title')} action={add}>
            {mayAdd ? t('console.overview.first.text') : t('console.overview.first.viewer')}
          </Empty>
        </Card>
      )}
      {data !== undefined && (
        <div className="pair">
          <Attention overview={data} />
          {!data.is_empty && <Recent />}
        </div>
      )}
    </>
  )
}

type Waiting = Overview['waiting'][number]

interface Look {
  readonly icon: IconName
  readonly tone: 'bad' | 'warn'
  /** `due`: the time is when it is due or ends. */
  readonly time: 'since' | 'due'
  href(row: Waiting): string
}

const toRequest = ({ id }: Waiting): string => `/console/requests/${id}`
const toSubmission = ({ id }: Waiting): string => `/console/submissions/${id}`
const toPeriod = ({ id, period }: Waiting): string =>
  `/console/programs/${id}/${encodeURIComponent(period ?? '')}`

function toMail(row: Waiting): string {
  if (row.id === null) return '/console/shares'
  return row.id.startsWith('inv_') ? '/console/members' : toRequest(row)
}

const look = (icon: IconName, tone: Look['tone'], time: Look['time'], href: Look['href']): Look => ({
  icon,
  tone,
  time,
  href,
})

const LOOKS: Readonly<Record<Waiting['what'], Look>> = {
  failed: look('cross', 'bad', 'since', toSubmission),
  mail: look('cross', 'bad', 'since', toMail),
  period_failed: look('cross', 'bad', 'since', toPeriod),
  item_late: look('clock', 'bad', 'due', toPeriod),
  item_sent_back: look('inbox', 'warn', 'due', toPeriod),
  item: look('clock', 'warn', 'due', toPeriod),
  review: look('inbox', 'warn', 'since', toRequest),
  overdue: look('clock', 'bad', 'due', toRequest),
  due: look('clock', 'warn', 'due', toRequest),
  unanswered: look('inbox', 'warn', 'since', toRequest),
  sent_back: look('clock', 'warn', 'since', toRequest),
  question: look('inbox', 'warn', 'since', ({ id }) => `/console/rooms/${id}`),
  draft: look('file', 'warn', 'since', toSubmission),
  share: look('share', 'warn', 'due', () => '/console/shares'),
  key: look('key', 'warn', 'due', () => '/console/keys'),
  name: look('warning', 'warn', 'since', () => '/console/settings'),
  evidence: look('trash', 'warn', 'due', () => '/console/submissions'),
}

/** What ends, instead of being due. */
const ENDS: ReadonlySet<Waiting['what']> = new Set(['share', 'key', 'evidence'])

/** Everything that waits for a person. Alerts about keys and the log are banners on every page. */
function Attention({ overview: { waiting, has_more } }: { readonly overview: Overview }) {
  return (
    <Card title={t('console.overview.attention')}>
      {waiting.length === 0 && (
        <p className="quiet">
          <Icon name="check" className="icon good" /> {t('console.overview.nothing')}
        </p>
      )}
      <Entries
        rows={waiting}
        mark={({ what }) => <Icon name={LOOKS[what].icon} className={`icon ${LOOKS[what].tone}`} />}
        text={(row) => <RowLink href={LOOKS[row.what].href(row)}>{textOf(row)}</RowLink>}
        end={(row) => <When row={row} />}
      />
      {has_more && <p className="quiet">{t('console.overview.more')}</p>}
    </Card>
  )
}

function When({ row: { what, at } }: { readonly row: Waiting }) {
  const isDue = LOOKS[what].time === 'due'
  const time = <Time at={at} as={isDue ? 'relative' : 'ago'} />
  return (
    <span className="quiet nowrap">
      {isDue && !ENDS.has(what) ? rich('console.overview.due', { time }) : time}
    </span>
  )
}

function textOf({ what, title, count, reason }: Waiting): string {
  const named = nameText(title)
  const why = nameText(reason ?? '')
  const values = { title: named, to: named, reason: why, count: count ?? 0 }
  const form =
    what === 'mail'
      ? `${named === '' ? '' : 'To'}${why === '' ? '' : 'Why'}`
      : what === 'evidence' && values.count >= 1000
        ? 'Many'
        : ''
  return known(`console.overview.waiting.${what}${form}`, values) ?? ''
}

const RECENT = 6

/** The newest submissions. */
function Recent() {
  const { data } = useLiveQuery(['submissions', 'recent'], (options) =>
    api.listSubmissions({ limit: 20 }, options),
  )
  const standsAlone = useStandsAlone()
  const rows = data?.data.filter(standsAlone).slice(0, RECENT)
  return (
    <Card
      title={t('console.overview.recent')}
      actions={<Link href="/console/submissions">{t('console.toSubmissions')}</Link>}
    >
      <Entries
        rows={rows}
        mark={(row) => <StageStatus {...row} />}
        text={({ submission_id: id, label }) => (
          <RowLink href={`/console/submissions/${id}`}>{nameText(label)}</RowLink>
        )}
        end={({ updated_at: at }) => <Time at={at} as="ago" className="quiet nowrap" />}
      />
    </Card>
  )
}

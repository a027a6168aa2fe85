import type { Overview } from '@kitseal/client'
import { Card } from '../../parts/blocks.tsx'
import { Icon, type IconName } from '../../parts/icons.tsx'
import { Time, type TimeProps } from '../../parts/time.tsx'
import { nameText } from '../../core/readable.ts'
import { Link } from '../../core/router.tsx'
import { known, t } from '../../core/texts.ts'

type Waiting = Overview['waiting'][number]
type Look = readonly [
  icon: IconName,
  tone: 'bad' | 'warn',
  as: TimeProps['as'],
  href: (row: Waiting) => string,
]

const toRequest = ({ id }: Waiting): string => `/console/requests/${id}`
const toSubmission = ({ id }: Waiting): string => `/console/submissions/${id}`

function toPeriod({ id, period }: Waiting): string {
  return `/console/programs/${id}/${encodeURIComponent(period ?? '')}`
}

function toMail(row: Waiting): string {
  if (row.id === null) return '/console/shares'
  return row.id.startsWith('inv_') ? '/console/members' : toRequest(row)
}

const LOOKS: Readonly<Record<Waiting['what'], Look>> = {
  failed: ['cross', 'bad', 'ago', toSubmission],
  mail: ['cross', 'bad', 'ago', toMail],
  period_failed: ['cross', 'bad', 'ago', toPeriod],
  item_late: ['clock', 'bad', 'relative', toPeriod],
  item_sent_back: ['inbox', 'warn', 'relative', toPeriod],
  item: ['clock', 'warn', 'relative', toPeriod],
  review: ['inbox', 'warn', 'ago', toRequest],
  overdue: ['clock', 'bad', 'relative', toRequest],
  due: ['clock', 'warn', 'relative', toRequest],
  unanswered: ['inbox', 'warn', 'ago', toRequest],
  sent_back: ['clock', 'warn', 'ago', toRequest],
  question: ['inbox', 'warn', 'ago', ({ id }) => `/console/rooms/${id}`],
  draft: ['file', 'warn', 'ago', toSubmission],
  share: ['share', 'warn', 'relative', () => '/console/shares'],
  key: ['key', 'warn', 'relative', () => '/console/keys'],
  name: ['warning', 'warn', 'ago', () => '/console/settings'],
  evidence: ['trash', 'warn', 'relative', () => '/console/submissions?status=PASS'],
}

/** Everything that waits for a person. Alerts about keys and the log are banners on every page. */
export function Attention({ overview }: { readonly overview: Overview }) {
  const { waiting, has_more } = overview
  return (
    <Card title={t('console.overview.attention')}>
      {waiting.length === 0 && (
        <p className="quiet overview-calm">
          <Icon name="check" className="icon good" /> {t('console.overview.nothing')}
        </p>
      )}
      <ul className="overview-list">
        {waiting.map((row, index) => {
          const [icon, tone, as, href] = LOOKS[row.what]
          const text = textOf(row)
          return (
            <li key={index}>
              <Icon name={icon} className={`icon ${tone}`} />
              <Link href={href(row)} className="row-link">
                {text}
              </Link>
              <span className="quiet nowrap">
                <Time at={row.at} as={as ?? 'ago'} />
              </span>
            </li>
          )
        })}
      </ul>
      {has_more && <p className="quiet">{t('console.overview.more')}</p>}
    </Card>
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

import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/blocks.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../core/readable.ts'
import { Link } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { useLiveQuery } from '../live-query.tsx'
import { StageBadge } from '../stage-badge.tsx'

/** The newest submissions. */
export function Recent({ toReview }: { readonly toReview: ReadonlySet<string | null> }) {
  const { data } = useLiveQuery(['submissions', 'recent'], (options) =>
    api.listSubmissions({ limit: 6 }, options),
  )
  return (
    <Card
      title={t('console.overview.recent')}
      actions={<Link href="/console/submissions">{t('console.toSubmissions')}</Link>}
    >
      <ul className="overview-list">
        {data?.data.map(({ submission_id, label, stage, accepted, updated_at }) => (
          <li key={submission_id}>
            {toReview.has(submission_id) ? (
              <Badge icon="inbox" look="running">
                {t('console.overview.toReview')}
              </Badge>
            ) : (
              <StageBadge stage={stage} accepted={accepted} />
            )}
            <Link href={`/console/submissions/${submission_id}`} className="row-link">
              {nameText(label)}
            </Link>
            <span className="quiet nowrap">
              <Time at={updated_at} as="ago" />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

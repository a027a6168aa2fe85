import { Button } from '@mantine/core'
import { Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { useLiveQuery } from '../live-query.tsx'
import { NoPasskey } from '../no-passkey.tsx'
import { QueryState } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { Attention } from './attention.tsx'
import { FirstRun } from './first-run.tsx'
import { Recent } from './recent.tsx'

/** The start page: what needs attention and what happened last. */
export function OverviewPage() {
  const query = useLiveQuery(['overview'], api.getOverview)
  const { data } = query
  const allowed = useAllowed('submit')
  return (
    <>
      <Heading
        title={t('console.titles.overview')}
        actions={
          allowed.is &&
          data?.is_empty === false && (
            <Button leftSection={<Icon name="plus" />} onClick={() => navigate('/console/new')}>
              {t('console.titles.new')}
            </Button>
          )
        }
      />
      <NoPasskey />
      <QueryState query={query} />
      {data?.is_empty === true && <FirstRun canSubmit={allowed.is} />}
      {data !== undefined && (
        <div className="overview">
          <Attention overview={data} />
          {!data.is_empty && (
            <Recent toReview={new Set(data.waiting.map(({ submission_id }) => submission_id))} />
          )}
        </div>
      )}
    </>
  )
}

import type { AuditTrail } from '@kitseal/client'
import { sizeText } from '../core/readable.ts'
import { Link } from '../core/router.tsx'
import { known, t } from '../core/texts.ts'
import { Card, Empty, Heading } from '../parts/blocks.tsx'
import { LinkButton } from '../parts/button.tsx'
import { List } from '../parts/list.tsx'
import { Time } from '../parts/time.tsx'
import { api } from './client.ts'
import { usePages } from './queries.tsx'

type AuditEvent = AuditTrail['data'][number]

/** What happened in the workspace, newest first. */
export default function AuditPage() {
  const trail = usePages(['audit'], (page, options) =>
    api.getAuditTrail({ ...page, names: 'true', limit: 100 }, options),
  )
  return (
    <>
      <Heading
        title={t('console.titles.audit')}
        lead={t('console.audit.lead')}
        actions={
          <LinkButton
            href="/v1/audit/export"
            download

            icon="download"
            title={t('console.audit.exportHint')}
          >
            {t('console.audit.export')}
          </LinkButton>
        }
      />
      <Card>
        <List
          query={trail}
          empty={<Empty icon="list" title={t('console.audit.none')} />}
          texts="console.audit.columns"
          columns={[
            { name: 'at', className: 'quiet', cell: ({ at }) => <Time at={at} /> },
            {
              name: 'action',
              of: 'titles',
              // A newer service may record actions that this page does not know.
              cell: ({ action }) => (
                <span className="strong">{known(`console.audit.actions.${action}`) ?? action}</span>
              ),
              below: (event) => <Subject event={event} />,
            },
            {
              name: 'who',
              className: 'long',
              cell: ({ actor, by }) =>
                typeof by === 'string' && actor !== 'member'
                  ? t('console.audit.byMeans', { means: t(`console.audit.actors.${actor}`), name: by })
                  : (by ?? t(`console.audit.actors.${actor}`)),
            },
          ]}
        />
      </Card>
    </>
  )
}

/** What it is about. The export has the rest. */
function Subject({ event }: { readonly event: AuditEvent }) {
  const { submission, subject, subject_name, details } = event
  const { files, bytes, reason, email } = details
  const about = submission?.label ?? subject_name ?? (GENERATED.test(subject) ? undefined : subject)
  const more = [
    ...(typeof email === 'string' && email !== about ? [email] : []),
    ...(typeof files === 'number' ? [t('console.files', { count: files })] : []),
    ...(typeof bytes === 'number' ? [sizeText(bytes)] : []),
    ...(typeof reason === 'string' ? [reason] : []),
  ]
  return (
    <>
      {submission == null ? (
        about
      ) : (
        <Link href={`/console/submissions/${submission.submission_id}`}>{about}</Link>
      )}
      {about !== undefined && more.length > 0 && ' · '}
      {more.join(' · ')}
    </>
  )
}

/** IDs say nothing to people. */
const GENERATED = /^[a-z]+_[\w-]{20,}$/

import { Fragment } from 'react'
import { BackLink, Heading, Notice } from '../../parts/blocks.tsx'
import { nameText } from '../../core/readable.ts'
import { Link } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { NoSuchSubmission } from '../not-found.tsx'
import { isMissing, Loading, Problem } from '../problem.tsx'
import { StageBadge } from '../stage-badge.tsx'
import { SubmissionLink } from '../submission-link.tsx'
import { useAllowed } from '../session.tsx'
import { CustodyActions, CustodyNotice } from './custody.tsx'
import { DeleteDraft } from './delete-draft.tsx'
import { DraftView } from './draft-view.tsx'
import { FailView } from './fail-view.tsx'
import { KitView } from './kit-view.tsx'
import { Timeline } from './timeline.tsx'
import { useSubmission } from './use-submission.ts'

/** While a submission is processed, its evidence is needed. */
const CHANGEABLE: ReadonlySet<string> = new Set(['passed', 'failed'])

/** One submission in any stage, updated live. */
export function SubmissionPage({ id }: { readonly id: string }) {
  const { data, error, refetch } = useSubmission(id)
  const canSubmit = useAllowed('submit').is
  if (isMissing(error)) return <NoSuchSubmission />
  if (error !== null && data === undefined)
    return (
      <>
        <Heading title={t('console.titles.submission')} lead={<code>{id}</code>} />
        <Problem error={error} onRetry={() => void refetch()} />
        <Link href="/console/submissions">{t('console.toSubmissions')}</Link>
      </>
    )
  if (data === undefined) return <Loading />
  const { submission, resubmittedFrom, resubmittedAs } = data
  const { stage } = submission
  return (
    <>
      <BackLink href="/console/submissions">{t('console.toSubmissions')}</BackLink>
      <Heading
        title={nameText(submission.label)}
        actions={
          <>
            <span aria-live="polite">
              {stage !== 'passed' && stage !== 'failed' && stage !== 'expired' && (
                <StageBadge stage={stage} />
              )}
            </span>
            {stage === 'draft' && canSubmit && submission.hold === null && <DeleteDraft id={id} />}
          </>
        }
      />
      {resubmittedFrom !== undefined && (
        <p className="quiet related">
          {t('console.submission.resubmittedFrom')}{' '}
          <SubmissionLink id={resubmittedFrom} text={t('console.submission.earlier')} />
        </p>
      )}
      {resubmittedAs.length > 0 && (
        <p className="quiet related">
          {t('console.submission.resubmittedAs')}
          {resubmittedAs.map((one) => (
            <Fragment key={one}>
              {' '}
              <SubmissionLink id={one} text={t('console.submission.newer')} />
            </Fragment>
          ))}
        </p>
      )}
      {submission.replaces !== null && (
        <p className="quiet related">
          {t('console.reissue.replaces')}{' '}
          <SubmissionLink id={submission.replaces.submission_id} text={t('console.submission.earlier')} />
        </p>
      )}
      {submission.replaced_by !== null && (
        <p className="quiet related">
          {t('console.reissue.replacedBy')}{' '}
          <SubmissionLink id={submission.replaced_by.submission_id} text={t('console.submission.newer')} />
        </p>
      )}
      <CustodyNotice submission={submission} />
      {(stage === 'queued' || stage === 'running') && (
        <Notice tone="info" title={t(`console.submission.waiting.${stage}.title`)}>
          {t(`console.submission.waiting.${stage}.text`)}
        </Notice>
      )}
      {stage === 'draft' && <DraftView detail={data} />}
      {stage === 'failed' && <FailView detail={data} />}
      {(stage === 'passed' || stage === 'expired') && submission.kit_id !== null && (
        <KitView submission={submission} kitId={submission.kit_id} />
      )}
      <Timeline steps={data.timeline} submissionId={submission.submission_id} />
      {CHANGEABLE.has(stage) && <CustodyActions submission={submission} />}
    </>
  )
}

import type { Submission } from '@kitseal/client'
import { joinList } from '@kitseal/kit/in-browser/words'
import { nameText, sizeText } from '../../core/readable.ts'
import { Link, navigate } from '../../core/router.tsx'
import { known, rich, t } from '../../core/texts.ts'
import { BackLink, Card, Heading, Notice, Loading, Problem } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { Time } from '../../parts/time.tsx'
import { api } from '../client.ts'
import { isMissing } from '../../core/fetch-json.ts'
import { NotFound } from '../blocks.tsx'
import { askChange } from '../queries.tsx'
import { useAllowed } from '../session.tsx'
import { DraftView } from './draft-view.tsx'
import { FailView } from './fail-view.tsx'
import { KitView } from './kit-view.tsx'
import { StageStatus, stageOf } from './stage-status.tsx'
import type { TimelineEvent } from './submission-detail.ts'
import { useSubmission } from './use-submission.ts'

/** One submission in any stage, updated live. */
export default function SubmissionPage({ id }: { readonly id: string }) {
  const { data, error, refetch } = useSubmission(id)
  const canSubmit = useAllowed('submit').is
  if (isMissing(error))
    return (
      <NotFound title={t('console.submission.missing.title')} text={t('console.submission.missing.text')} />
    )
  if (data === undefined)
    return error === null ? <Loading /> : <Problem error={error} onRetry={() => void refetch()} />
  const { submission, resubmittedFrom, resubmittedAs } = data
  const { replaces, replaced_by, hold } = submission
  const stage = stageOf(submission)
  const isEnded = stage === 'passed' || stage === 'failed' || stage === 'expired'
  return (
    <>
      <BackLink href="/console/submissions">{t('console.toSubmissions')}</BackLink>
      <Heading
        title={nameText(submission.label)}
        actions={
          <>
            <span aria-live="polite">
              {!isEnded && <StageStatus status={submission.status} waiting={submission.waiting} />}
            </span>
            {stage === 'draft' && canSubmit && hold === null && (
              <Button icon="trash" onClick={() => deleteDraft(id)}>
                {t('console.submission.draft.delete.action')}
              </Button>
            )}
          </>
        }
      />
      <Related text={t('console.submission.resubmittedFrom')} ids={[resubmittedFrom]} />
      <Related text={t('console.submission.resubmittedAs')} ids={resubmittedAs} isNewer />
      <Related text={t('console.reissue.replaces')} ids={[replaces?.submission_id]} />
      <Related text={t('console.reissue.replacedBy')} ids={[replaced_by?.submission_id]} isNewer />
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
      {/* While a submission is processed, its evidence is needed. */}
      {(stage === 'passed' || stage === 'failed') && <CustodyActions submission={submission} />}
    </>
  )
}

interface RelatedProps {
  readonly text: string
  readonly ids: readonly (string | undefined)[]
  readonly isNewer?: boolean
}

/** Other submissions that this one came from or became. */
function Related({ text, ids, isNewer = false }: RelatedProps) {
  const given = ids.filter((id) => id !== undefined)
  if (given.length === 0) return null
  return (
    <p className="quiet">
      {text}{' '}
      {given.map((id) => (
        <Link key={id} href={`/console/submissions/${id}`} title={id}>
          {isNewer ? t('console.submission.newer') : t('console.submission.earlier')}
        </Link>
      ))}
    </p>
  )
}

const deleteDraft = (id: string): void =>
  askChange({
    texts: 'console.submission.draft.delete',
    isDangerous: true,
    stale: [],
    run: () => api.deleteSubmission(id),
    onDone: () => navigate('/console/submissions', { replace: true }),
  })

type Held = Pick<Submission, 'submission_id' | 'hold' | 'erasure' | 'kit_id'>

/** That the evidence is under a legal hold, or was erased, when and by whom. */
function CustodyNotice({ submission: { hold, erasure } }: { readonly submission: Held }) {
  if (hold !== null)
    return (
      <Notice
        tone="info"
        title={rich('console.custody.held', { day: <Time at={hold.created_at} as="day" /> })}
      >
        {hold.reason}
      </Notice>
    )
  if (erasure === null) return null
  const by =
    erasure.reason === 'retention'
      ? t('console.custody.byRule', { rule: erasure.rule ?? '' })
      : orderText(erasure.ordered_by ?? '')
  return (
    <Notice
      tone="warn"
      title={rich('console.custody.erased', { day: <Time at={erasure.erased_at} as="day" />, by })}
    >
      {t('console.custody.erasedText', { files: erasure.files, size: sizeText(erasure.bytes) })}
    </Notice>
  )
}

function orderText(orderedBy: string): string {
  const [, kind, who = orderedBy] = /^(member|key):(.*)$/s.exec(orderedBy) ?? []
  if (kind === undefined) return t('console.custody.byOrder', { who })
  return t(kind === 'key' ? 'console.custody.byKey' : 'console.custody.byMember', { who })
}

/** Legal hold and deletion, for owners. */
function CustodyActions({ submission }: { readonly submission: Held }) {
  const { submission_id: id, hold, kit_id } = submission
  if (!useAllowed('custody').is) return null
  const change = (what: 'hold' | 'release' | 'delete'): void =>
    askChange({
      texts: `console.custody.dialogs.${what}`,
      isDangerous: what !== 'hold',
      stale: [],
      initial: { reason: '' },
      fields: () => [what === 'hold' && { name: 'reason', maxLength: 200 }],
      run: async ({ reason }) => {
        if (what === 'hold') await api.placeHold(id, { reason })
        else await (what === 'release' ? api.releaseHold(id) : api.deleteSubmission(id))
        if (what === 'delete' && kit_id === null) navigate('/console/submissions')
      },
    })
  return (
    <Card title={t('console.custody.title')}>
      <p className="quiet">{hold === null ? t('console.custody.lead') : t('console.custody.leadHeld')}</p>
      <div className="row">
        {hold === null ? (
          <>
            <Button onClick={() => change('hold')}>{t('console.custody.hold')}</Button>
            <Button className="bad" onClick={() => change('delete')}>
              {t('console.custody.delete')}
            </Button>
          </>
        ) : (
          <Button onClick={() => change('release')}>{t('console.custody.release')}</Button>
        )}
      </div>
    </Card>
  )
}

interface TimelineProps {
  readonly steps: readonly TimelineEvent[]
  readonly submissionId: string
}

/** Events, oldest first. Consecutive uploads are merged. */
function Timeline({ steps, submissionId }: TimelineProps) {
  return (
    <Card title={t('console.timeline.title')}>
      <ol className="remarks stack">
        {merged(steps).map(({ at, action, actor, by, files }, index) => (
          <li key={`${index} ${action}`} data-action={action}>
            <p>
              {action === RECEIVED
                ? t('console.timeline.received', { files })
                : (known(`console.timeline.actions.${action}`) ?? action)}
            </p>
            <p className="quiet">
              <Time at={at} />
              {joinList(['', byText(actor, by ?? null)])}
            </p>
          </li>
        ))}
      </ol>
      <p className="quiet">
        {t('console.submission.id')} <Code value={submissionId} what={t('console.submission.id')} />
      </p>
    </Card>
  )
}

const RECEIVED = 'evidence.received'

function merged(steps: readonly TimelineEvent[]): readonly (TimelineEvent & { readonly files: number })[] {
  const shown: (TimelineEvent & { readonly files: number })[] = []
  for (const step of steps) {
    const files = Number(step.details['files'] ?? 1)
    const last = shown.at(-1)
    const isSame = step.action === RECEIVED && last?.action === RECEIVED && last.by === step.by
    if (isSame) shown[shown.length - 1] = { ...step, files: last.files + files }
    else shown.push({ ...step, files })
  }
  return shown
}

function byText(actor: TimelineEvent['actor'], name: string | null): string {
  if (name === null || (actor !== 'key' && actor !== 'member')) return t(`console.timeline.by.${actor}`)
  return t(`console.timeline.by.${actor}Named`, { name })
}

import { useMemo, useState } from 'react'
import { type Finding, isBlocking, secretsIn } from '../../core/findings.ts'
import { BlockerList } from '../../parts/finding-list.tsx'
import { Card, Notice } from '../../parts/blocks.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Tick } from '../../parts/fields.tsx'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { KitVerdict } from '../../verify/result-view.tsx'
import { servedKit, useVerification } from '../../verify/use-verification.ts'
import type { SupplierView } from './supplier-api.ts'

export interface OutcomeProps {
  readonly view: SupplierView
  readonly base: string
  /** Submits damaged files as they are, with the codes of the damage. */
  onAccept(codes: readonly string[]): void
}

/** What has become of the files: being checked, not accepted by the check, submitted, accepted, or closed. */
export function Outcome({ view, base, onAccept }: OutcomeProps) {
  const { status, submission } = view
  if (
    submission !== null &&
    !submission.draft &&
    (submission.status === 'PENDING' || submission.status === 'RUNNING')
  )
    return (
      <Notice tone="info" title={t('request.outcome.running')}>
        <span role="status">{t('request.outcome.runningText')}</span>
      </Notice>
    )
  if (submission?.status === 'FAIL' && (status === 'open' || status === 'submitted'))
    return <Failed findings={submission.findings.filter(isBlocking)} onAccept={onAccept} />
  const notice = noticeOf(view)
  return (
    <div aria-live="polite">
      {notice !== undefined && (
        <Notice tone={notice.tone} title={notice.title}>
          {notice.text}
        </Notice>
      )}
      {view.kit_id !== null && !isWorking(view) && (
        <KitCard base={base} kitId={view.kit_id} isOlder={false} />
      )}
    </div>
  )
}

const say = (tone: 'pass' | 'warn' | 'info', title: string, text: string) => ({ tone, title, text })

/** What has become of the request. */
function noticeOf({ status, submission, progress, requester }: SupplierView) {
  const who = nameText(requester)
  const { accepted, not_applicable: notApplicable, needs_changes: items } = progress
  if (status === 'submitted')
    return submission?.draft === true
      ? say('warn', t('request.outcome.changing'), t('request.outcome.changingText', { who }))
      : say('pass', t('request.outcome.submitted'), t('request.outcome.submittedText', { who }))
  if (status === 'accepted')
    return say(
      'pass',
      notApplicable === 0 ? t('request.outcome.accepted') : t('request.outcome.settled'),
      t('request.outcome.acceptedText', { who, accepted, notApplicable }),
    )
  if (status === 'closed')
    return say('info', t('request.outcome.closed'), t('request.outcome.closedText', { who }))
  return items === 0
    ? undefined
    : say('warn', t('request.outcome.reopened', { items }), t('request.outcome.reopenedText', { who }))
}

/** The supplier has something to do first. */
const isWorking = ({ status, submission }: SupplierView): boolean =>
  status === 'open' || submission?.draft === true

/** The kit of the last round, below what the supplier has to do. */
export function OlderKit({ view, base }: Pick<OutcomeProps, 'view' | 'base'>) {
  return view.kit_id !== null && isWorking(view) ? <KitCard base={base} kitId={view.kit_id} isOlder /> : null
}

interface FailedProps extends Pick<OutcomeProps, 'onAccept'> {
  readonly findings: readonly Finding[]
}

/** A danger has to be removed. Damage may be in the original, and a possible secret be none, so they can be sent. */
function Failed({ findings, onAccept }: FailedProps) {
  const canAccept = findings.length > 0 && findings.every((finding) => finding.class !== 'danger')
  const hasSecret = canAccept && secretsIn(findings).length > 0
  const [isChecked, setIsChecked] = useState(false)
  return (
    <Card title={t('request.outcome.failed')}>
      <p>{canAccept ? t('request.outcome.damagedText') : t('request.outcome.failedText')}</p>
      <BlockerList blockers={findings} />
      {hasSecret && <Tick label={t('request.secretChecked')} isChecked={isChecked} onChange={setIsChecked} />}
      {canAccept && (
        <Button
          disabled={hasSecret && !isChecked}
          onClick={() => onAccept([...new Set(findings.map(({ code }) => code))])}
        >
          {t('request.outcome.submitDamaged')}
        </Button>
      )}
    </Card>
  )
}

interface KitCardProps {
  readonly base: string
  readonly kitId: string
  readonly isOlder: boolean
}

function KitCard({ base, kitId, isOlder }: KitCardProps) {
  const kit = useMemo(() => servedKit(kitId, `${base}/kit.zip`, 0), [base, kitId])
  const all = useMemo(() => [kit], [kit])
  const verification = useVerification(all, false)
  return (
    <Card title={isOlder ? t('request.kit.olderTitle') : t('request.kit.title')}>
      <p>{t('request.kit.text')}</p>
      <div className="row">
        <LinkButton look="main" icon="download" href={`${base}/kit.zip`} download>
          {t('request.kit.download')}
        </LinkButton>
      </div>
      <KitVerdict kit={kit} verification={verification} action={t('request.kit.verify')} />
    </Card>
  )
}

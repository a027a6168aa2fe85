import type { SubmissionList } from '@kitseal/client'
import { joinList } from '@kitseal/kit/in-browser/words'
import { verdictHeading } from '@kitseal/kit/internal'
import { t } from '../../core/texts.ts'
import { Status } from '../../parts/status.tsx'
import type { ReactNode } from 'react'
import { Icon } from '../../parts/icons.tsx'

type Listed = SubmissionList['data'][number]
type Stage = 'draft' | 'queued' | 'running' | 'passed' | 'failed' | 'expired'

const STAGES = { RUNNING: 'running', PASS: 'passed', FAIL: 'failed', EXPIRED: 'expired' } as const

/** Where a submission is, for people: a pending one is a draft, or waits for a worker. */
export function stageOf({ status, waiting }: Pick<Listed, 'status' | 'waiting'>): Stage {
  if (status !== 'PENDING') return STAGES[status]
  return waiting?.reason === 'evidence' ? 'draft' : 'queued'
}

/** Where a submission is, or that the key of its kit was revoked. */
export function StageStatus({
  accepted,
  key_revoked_at: revokedAt,
  ...state
}: Pick<Listed, 'status' | 'waiting'> & Partial<Listed>) {
  if (revokedAt != null)
    return (
      <Status of="kit" is="revoked">
        {revokedHeading(revokedAt)}
      </Status>
    )
  const stage = stageOf(state)
  return (
    <Status of="submission" is={stage}>
      {stage === 'passed' && accepted !== undefined ? sealedText(accepted) : t(`console.stages.${stage}`)}
    </Status>
  )
}

/** "Sealed, 1 possible secret accepted" */
export function sealedText({ secrets, problems }: Listed['accepted']): string {
  return joinList([
    t('console.stages.passed'),
    ...(secrets > 0 ? [t('findings.secretsAccepted', { count: secrets })] : []),
    ...(problems > 0 ? [t('findings.problemsAccepted', { count: problems })] : []),
  ])
}

/** "Signing key revoked on 2026-05-05", as every verifier says it. */
export const revokedHeading = (revokedAt: string): string =>
  verdictHeading({ verdict: 'key_revoked', signer: { revoked_at: revokedAt } }, t)

export interface VerdictProps {
  readonly result: 'pass' | 'warn' | 'fail'
  readonly word: string
  readonly text: string
  /** A line of facts below the text. */
  readonly facts?: ReactNode
  readonly action?: ReactNode
}

const ICONS = { pass: 'check', warn: 'clock', fail: 'cross' } as const

/** The result of a submission, as a banner. */
export function Verdict({ result, word, text, facts, action }: VerdictProps) {
  return (
    <div className={`verdict ${result} card`} role="status">
      <span className="verdict-mark">
        <Icon name={ICONS[result]} size={30} />
      </span>
      <div>
        <h2>
          <span className="verdict-word">{word}</span>
        </h2>
        <p>{text}</p>
        {facts !== undefined && facts !== false && <p className="quiet">{facts}</p>}
      </div>
      {action}
    </div>
  )
}

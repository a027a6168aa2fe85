import type { Submission, SubmissionList } from '@kitseal/client'
import { listed } from '@kitseal/kit/in-browser/words'
import { Badge } from '../parts/badge.tsx'
import type { IconName } from '../parts/icons.tsx'
import { revokedHeading } from '../core/revoked-heading.ts'
import { t } from '../core/texts.ts'

type Stage = Submission['stage']

const ICONS: Readonly<Record<Stage, IconName>> = {
  draft: 'upload',
  queued: 'clock',
  running: 'clock',
  passed: 'check',
  failed: 'cross',
  expired: 'clock',
}

/** A kit whose signing key was revoked. */
export function RevokedBadge({ revokedAt }: { readonly revokedAt: string }) {
  return (
    <Badge icon="cross" look="failed">
      {revokedHeading(revokedAt)}
    </Badge>
  )
}

export interface StageBadgeProps {
  readonly stage: Stage
  readonly accepted?: Accepted
}

export function StageBadge({ stage, accepted }: StageBadgeProps) {
  return (
    <Badge icon={ICONS[stage]} look={stage}>
      {stage === 'passed' && accepted !== undefined ? sealedText(accepted) : t(`console.stages.${stage}`)}
    </Badge>
  )
}

type Accepted = SubmissionList['data'][number]['accepted']

/** "Sealed, 1 possible secret accepted" */
export function sealedText({ secrets, problems }: Accepted): string {
  const accepted = [
    ...(secrets > 0 ? [t('findings.secretsAccepted', { count: secrets })] : []),
    ...(problems > 0 ? [t('findings.problemsAccepted', { count: problems })] : []),
  ]
  return listed([t('console.stages.passed'), ...accepted])
}

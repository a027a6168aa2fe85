import type { SubmissionList } from '@kitseal/client'
import { joinList } from '@kitseal/kit/in-browser/words'
import { revokedHeading } from '../../core/revoked-heading.ts'
import { t } from '../../core/texts.ts'
import { Status } from '../../parts/status.tsx'

type Listed = SubmissionList['data'][number]

/** Where a submission is, or that the key of its kit was revoked. */
export function StageStatus({
  stage,
  accepted,
  key_revoked_at: revokedAt,
}: Pick<Listed, 'stage'> & Partial<Listed>) {
  if (revokedAt != null)
    return (
      <Status of="kit" is="revoked">
        {revokedHeading(revokedAt)}
      </Status>
    )
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

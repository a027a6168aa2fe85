import type { Submission } from '@kitseal/client'
import { sentences } from '@kitseal/kit/in-browser/words'
import { Button } from '@mantine/core'
import { Icon } from '../../parts/icons.tsx'
import { revokedHeading } from '../../core/revoked-heading.ts'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { Problem } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { Verdict } from './verdict.tsx'
import { useReissue } from '../reissue/reissue.ts'

/** The state of a kit whose signing key was revoked, with a button to re-issue it. */
export function RevokedKit({
  submission,
  revokedAt,
}: {
  readonly submission: Submission
  readonly revokedAt: string
}) {
  const allowed = useAllowed('reissue')
  const reissuing = useReissue(({ submission_id }) => navigate(`/console/submissions/${submission_id}`))
  const isExpired = submission.status === 'EXPIRED'
  const canReissue = !isExpired && submission.replaced_by === null
  const text =
    submission.replaced_by !== null
      ? t('console.reissue.kit.replaced')
      : isExpired
        ? t('console.reissue.kit.expired')
        : sentences([
            t('console.reissue.kit.revoked'),
            allowed.is ? t('console.reissue.kit.reissue') : t('console.reissue.kit.askOwner'),
          ])
  return (
    <>
      <Verdict
        result="fail"
        word={revokedHeading(revokedAt)}
        text={text}
        action={
          canReissue &&
          allowed.is && (
            <Button
              className="verdict-action"
              leftSection={<Icon name="shield" />}
              loading={reissuing.isPending}
              onClick={() => reissuing.mutate(submission.submission_id)}
            >
              {t('console.reissue.kit.action')}
            </Button>
          )
        }
      />
      {reissuing.error !== null && <Problem error={reissuing.error} />}
    </>
  )
}

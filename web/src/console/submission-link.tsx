import { Link } from '../core/router.tsx'
import { t } from '../core/texts.ts'

export interface SubmissionLinkProps {
  readonly id: string
  readonly text?: string
}

/** To a submission whose name is not known here. */
export function SubmissionLink({ id, text = t('console.openSubmission') }: SubmissionLinkProps) {
  return (
    <Link href={`/console/submissions/${id}`} className="code-link" title={id}>
      {text}
    </Link>
  )
}

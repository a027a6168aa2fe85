import { ApiError } from '@kitseal/client'
import { messageOf } from '../core/fetch-json.ts'
import { t } from '../core/texts.ts'
import { Empty } from '../parts/blocks.tsx'
import { Button } from '../parts/button.tsx'
import { PublicFrame } from '../parts/frame.tsx'

/** The path of the link that this page was opened with, such as `/s/TOKEN`. Everything else is below it. */
export const linkBase = (): string => location.pathname.split('/').slice(0, 3).join('/')

const ENDED = /_(expired|revoked|replaced|not_found|exhausted|closed)$/

type Reason = 'expired' | 'revoked' | 'replaced' | 'not_found' | 'exhausted' | 'closed'

/** Says in plain words why a link does not work, or that the service cannot be reached. */
export function LinkProblem({ error, onRetry }: { readonly error: unknown; onRetry(): void }) {
  const reason = ENDED.exec(error instanceof ApiError ? error.code : '')?.[1] as Reason | undefined
  const title = reason === undefined ? t('problem.title') : t(`outside.titles.${reason}`)
  return (
    <PublicFrame isOutside title={title}>
      <Empty
        icon={reason === 'expired' ? 'clock' : 'warning'}
        title={title}
        level={1}
        action={reason === undefined && <Button onClick={onRetry}>{t('problem.retry')}</Button>}
      >
        {messageOf(error)}
      </Empty>
    </PublicFrame>
  )
}

import { ApiError } from '@kitseal/client'
import { Button } from '@mantine/core'
import { messageOf } from '../core/error-message.ts'
import { Empty } from '../parts/blocks.tsx'
import { t } from '../core/texts.ts'
import { PublicFrame } from '../parts/frame.tsx'

const ENDED = /_(expired|revoked|replaced|not_found|exhausted|closed)$/

/** Says in plain words why a link does not work. */
export function LinkProblem({ error }: { readonly error: unknown }) {
  const reason = ENDED.exec(error instanceof ApiError ? error.code : '')?.[1] as
    | 'expired'
    | 'revoked'
    | 'replaced'
    | 'not_found'
    | 'exhausted'
    | 'closed'
    | undefined
  const title = reason === undefined ? t('problem.title') : t(`outside.titles.${reason}`)
  return (
    <PublicFrame isOutside title={title}>
      <Empty
        icon={reason === 'expired' ? 'clock' : 'warning'}
        title={title}
        level={1}
        action={
          reason === undefined ? (
            <Button variant="default" onClick={() => location.reload()}>
              {t('problem.retry')}
            </Button>
          ) : undefined
        }
      >
        {messageOf(error)}
      </Empty>
    </PublicFrame>
  )
}

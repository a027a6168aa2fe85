import { ApiError } from '@kitseal/client'
import { messageOf } from '../core/error-message.ts'
import { t } from '../core/texts.ts'
import { Notice } from './blocks.tsx'
import { Button } from './button.tsx'

/** An error message, with a retry button where a retry can help. Nothing without an error. */
export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  if (error == null) return null
  return (
    <Notice tone="fail" isAlert title={t('problem.title')}>
      <p>{messageOf(error)}</p>
      {onRetry !== undefined && mayPass(error) && (
        <Button size="small" onClick={onRetry}>
          {t('problem.retry')}
        </Button>
      )}
    </Notice>
  )
}

/** Client errors are final, except rate limiting. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true
  return error.status < 400 || error.status >= 500 || error.status === 408 || error.status === 429
}

export interface QueryStateProps {
  readonly query: { readonly error: unknown; readonly isPending: boolean; refetch(): Promise<unknown> }
}

/** Why there is nothing to show, or nothing new. */
export function QueryState({ query }: QueryStateProps) {
  if (query.error != null) return <Problem error={query.error} onRetry={() => void query.refetch()} />
  return query.isPending ? <Loading /> : null
}

export function Loading() {
  return (
    <p className="quiet" role="status">
      {t('common.loading')}…
    </p>
  )
}

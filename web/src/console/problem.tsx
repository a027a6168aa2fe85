import { ApiError } from '@kitseal/client'
import { Button } from '@mantine/core'
import { messageOf } from '../core/error-message.ts'
import { Notice } from '../parts/blocks.tsx'
import { t } from '../core/texts.ts'

/** An error message, with a retry button where a retry can help. */
export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  return (
    <Notice tone="fail" isAlert title={t('problem.title')}>
      <p>{messageOf(error)}</p>
      {onRetry !== undefined && mayPass(error) && (
        <Button variant="default" size="compact-sm" onClick={onRetry}>
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

/** Not found in this workspace. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404

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
    <p className="quiet loading" role="status">
      {t('common.loading')}…
    </p>
  )
}

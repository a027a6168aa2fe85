import { Button } from '@mantine/core'
import { Notice } from '../parts/blocks.tsx'
import { texts } from '../texts/index.ts'

/** What went wrong, in the service's own sentence, and a way to try again. */
export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  return (
    <Notice tone="fail" isAlert title={texts.problem.title}>
      <p>{messageOf(error)}</p>
      {onRetry !== undefined && (
        <Button variant="default" size="compact-sm" onClick={onRetry}>
          {texts.problem.retry}
        </Button>
      )}
    </Notice>
  )
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export function Loading() {
  return (
    <p className="quiet loading" role="status">
      {texts.loading}…
    </p>
  )
}

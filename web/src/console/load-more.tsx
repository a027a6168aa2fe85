import { Button } from '@mantine/core'
import { t } from '../core/texts.ts'

export interface LoadMoreProps {
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    fetchNextPage(): Promise<unknown>
  }
  readonly text?: string | undefined
}

/** Loads the next page of a list, if there is one. */
export function LoadMore({ query, text = t('console.more') }: LoadMoreProps) {
  if (!query.hasNextPage) return null
  return (
    <div className="row centred">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {text}
      </Button>
    </div>
  )
}

import type { RequestCommentList } from '@kitseal/client'
import { useMutation } from '@tanstack/react-query'
import { t } from '../../core/texts.ts'
import { Button } from '../../parts/button.tsx'
import { Remarks } from '../../parts/remarks.tsx'
import { Problem } from '../../parts/blocks.tsx'
import { allPages } from '../queries.tsx'

type Listed = RequestCommentList['data'][number]

export interface OlderRemarksProps {
  readonly itemId: string
  /** How many of the item are shown: its newest. */
  readonly shown: number
  /** Lists the comments on all items, newest first. */
  list(page: { readonly limit: number; readonly cursor?: string }): Promise<{
    readonly data: readonly Listed[]
    readonly next_cursor: string | null
  }>
}

/** The comments on an item that came with neither the request nor the period, because it has too many. */
export function OlderRemarks({ itemId, shown, list }: OlderRemarksProps) {
  const loading = useMutation({
    mutationFn: async () => {
      const all = await allPages(list)
      return all.filter(({ item_id }) => item_id === itemId).slice(shown)
    },
  })
  if (loading.data === undefined)
    return (
      <>
        <Button look="quiet" size="small" isBusy={loading.isPending} onClick={() => loading.mutate()}>
          {t('console.items.olderComments')}
        </Button>
        <Problem error={loading.error} />
      </>
    )
  return (
    <Remarks
      remarks={loading.data.toReversed().map(({ comment_id, by, text, created_at }) => ({
        id: comment_id,
        author: t(by === 'supplier' ? 'console.requests.by.supplier' : 'console.items.workspace'),
        at: created_at,
        text,
        isOwn: false,
      }))}
    />
  )
}

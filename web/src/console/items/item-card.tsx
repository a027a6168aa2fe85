import type { ReactNode } from 'react'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Files, type ListedFile } from '../../parts/files.tsx'
import { type Remark, Remarks } from '../../parts/remarks.tsx'
import { ReviewBar, type ReviewBarProps } from '../../parts/review-bar.tsx'
import type { RequestCommentList } from '@kitseal/client'
import { useMutation } from '@tanstack/react-query'
import { Button } from '../../parts/button.tsx'
import { Problem } from '../../parts/blocks.tsx'
import { allPages } from '../queries.tsx'

export interface ItemFile extends ListedFile {
  /** What is different from before. */
  readonly note?: string | undefined
}

export interface ItemViewProps {
  readonly description: string | null
  /** When it is due, who supplies it. */
  readonly facts?: ReactNode
  readonly files: readonly ItemFile[]
  fileActions?(file: ItemFile): ReactNode
  /** Why it does not apply, and what is gone. */
  readonly notes: readonly (string | false)[]
  /** A place to add files. */
  readonly adding?: ReactNode
  readonly remarks: readonly Remark[]
  /** Before them, if there are more. */
  readonly older?: ReactNode
  /** What the reader can do. Nothing if it is undefined. */
  readonly review: ReviewBarProps | undefined
}

/** One item of a request or a period: its files, what was written about it, and its review. */
export function ItemView(props: ItemViewProps) {
  const { description, facts, files, fileActions, notes, adding, remarks, older, review } = props
  return (
    <>
      {description !== null && <p className="remark-text quiet">{nameText(description)}</p>}
      {facts}
      {files.length === 0 && adding === undefined && notes.every((note) => note === false) && (
        <p className="quiet">{t('console.requests.noFiles')}</p>
      )}
      {files.length > 0 && (
        <Files
          files={files}
          state={({ note }) => note !== undefined && <span className="quiet">{note}</span>}
          {...(fileActions !== undefined && { actions: fileActions })}
        />
      )}
      {adding}
      {notes.map(
        (note) =>
          note !== false && (
            <p key={note} className="remark-text">
              {note}
            </p>
          ),
      )}
      {older}
      <Remarks remarks={remarks} />
      {review !== undefined && <ReviewBar {...review} />}
    </>
  )
}

export interface ItemRemark {
  readonly status?: 'not_applicable'
  readonly reason?: string
  readonly comment?: string
}

/** What people write about an item: why it does not apply, unless that is `false`, and comments. */
export const writingActions = (
  hints: { readonly notApplicable: string | false; readonly comment: string },
  review: (written: ItemRemark) => Promise<unknown>,
): ReviewBarProps['actions'] => [
  hints.notApplicable !== false && {
    text: t('console.items.notApplicable'),
    look: 'quiet',
    write: { hint: hints.notApplicable, send: t('console.items.markNotApplicable') },
    run: (reason) => review({ status: 'not_applicable', reason }),
  },
  {
    text: t('console.items.comment'),
    look: 'quiet',
    write: { hint: hints.comment, send: t('console.items.sendComment') },
    run: (comment) => review({ comment }),
  },
]

/** What a reviewer has not decided. */
export const isUndecided = (status: string): boolean => status !== 'accepted' && status !== 'not_applicable'

export interface ProgressOfProps {
  /** What is counted, for screen readers. */
  readonly label: string
  readonly done: number
  readonly of: number
  readonly text: string
  readonly more?: readonly (string | false)[]
}

/** How many items are done. */
export function ProgressOf({ label, done, of, text, more = [] }: ProgressOfProps) {
  const rest = more.filter((one) => one !== false)
  return (
    <div className="stack">
      {text}
      {rest.length > 0 && <span className="quiet"> · {rest.join(' · ')}</span>}
      <progress aria-label={label} value={done} max={Math.max(1, of)} />
    </div>
  )
}

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

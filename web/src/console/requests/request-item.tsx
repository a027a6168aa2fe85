import type { EvidenceRequest, Operations } from '@kitseal/client'
import { Button, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { nameText } from '../../core/readable.ts'
import { ItemComments, ItemDue, ItemHead, ItemReason } from '../../outside/request/item-parts.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Problem } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { useChange } from '../use-change.ts'
import { REQUESTS } from './new-link.ts'
import { ReceivedFiles, type Served } from './received-files.tsx'

type Item = EvidenceRequest['items'][number]

export interface RequestItemProps {
  readonly request: EvidenceRequest
  readonly item: Item
}

/** One item: its files and comments; accept it, or send it back. */
export function RequestItem({ request, item, served }: RequestItemProps & { readonly served: Served }) {
  const names = { requester: t('console.requests.by.requester'), supplier: t('console.requests.by.supplier') }
  return (
    <section className={`card item-card ${item.status}`} aria-label={item.title} data-item={item.status}>
      <ItemHead item={item} statusText={(status) => t(`console.requests.itemStatuses.${status}`)} />
      {item.description !== null && <p className="item-text quiet">{nameText(item.description)}</p>}
      <ItemDue item={item} isOpen={OF_SUPPLIER.has(item.status)} />
      {item.files.length === 0 && item.not_applicable === null && (
        <p className="quiet">{t('console.requests.noFiles')}</p>
      )}
      {item.files.length > 0 && (
        <ReceivedFiles files={item.files} skip={item.id.length + 1} served={served} />
      )}
      <ItemReason item={item} names={names} />
      <ItemComments item={item} names={names} as="ago" />
      <Review request={request} item={item} />
    </section>
  )
}

const OF_SUPPLIER: ReadonlySet<Item['status']> = new Set(['missing', 'collected', 'needs_changes'])
const REOPENED: ReadonlySet<Item['status']> = new Set(['missing', 'to_review', 'accepted', 'not_applicable'])

/** Accepting needs a submitted file, or the supplier's reason why there is none. */
function acceptable({ status, files, not_applicable }: Item): 'accepted' | 'not_applicable' | undefined {
  if (status !== 'to_review' && status !== 'needs_changes') return undefined
  if (files.length > 0) return 'accepted'
  return not_applicable === null ? undefined : 'not_applicable'
}

function Review({ request, item }: RequestItemProps) {
  const accepting = acceptable(item)
  const { is: mayReview } = useAllowed('requests')
  const [writing, setWriting] = useState<'comment' | 'needs_changes' | 'not_applicable'>()
  const [text, setText] = useState('')
  const place = useRef<HTMLDivElement>(null)
  /** The pressed button is gone, so keyboard users continue here or at the next item to review. */
  const continueReview = (isDone: boolean): void => {
    const card = place.current?.closest('section')
    setTimeout(() => {
      const next = isDone ? nextToReview(card) : card
      next?.querySelector<HTMLElement>('[data-review]')?.focus()
    })
  }
  const reviewing = useChange(
    REQUESTS,
    (body: Operations['reviewItem']['body']) => api.reviewItem(request.evidence_request_id, item.id, body),
    () => {
      setWriting(undefined)
      setText('')
    },
  )
  const review = (body: Operations['reviewItem']['body']): void =>
    reviewing.mutate(body, { onSuccess: () => continueReview('status' in body) })
  if (!mayReview || request.status === 'closed') return null
  const written = text.trim()
  const bodies = {
    comment: { comment: written },
    needs_changes: { status: 'needs_changes', ...(written === '' ? {} : { comment: written }) },
    not_applicable: { status: 'not_applicable', reason: written },
  } as const
  const cancel = (): void => {
    setWriting(undefined)
    continueReview(false)
  }
  if (writing !== undefined)
    return (
      <form
        className="item-comment-form"
        onSubmit={(event) => {
          event.preventDefault()
          review(bodies[writing])
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') cancel()
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
        }}
      >
        <div ref={place} hidden />
        <Textarea
          aria-label={t(`console.requests.writing.${writing}.label`, { item: item.title })}
          placeholder={t(`console.requests.writing.${writing}.hint`)}
          rows={3}
          maxLength={2000}
          autoFocus
          required={writing !== 'needs_changes'}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {reviewing.error !== null && <Problem error={reviewing.error} />}
        <div className="row">
          <Button type="submit" size="xs" loading={reviewing.isPending}>
            {t(`console.requests.writing.${writing}.send`)}
          </Button>
          <Button size="xs" variant="subtle" onClick={cancel}>
            {t('console.cancel')}
          </Button>
          <span className="quiet key-hint">{t('console.requests.sendKeys')}</span>
        </div>
      </form>
    )
  return (
    <div className="row" ref={place}>
      {accepting !== undefined && (
        <Button
          data-review
          size="xs"
          variant={item.status === 'to_review' ? 'filled' : 'default'}
          leftSection={<Icon name="check" size={14} />}
          aria-label={t(
            accepting === 'accepted' ? 'console.requests.acceptItem' : 'console.requests.acceptReasonItem',
            { item: item.title },
          )}
          loading={reviewing.isPending}
          onClick={() => review({ status: accepting })}
        >
          {accepting === 'accepted' ? t('console.requests.accept') : t('console.requests.acceptReason')}
        </Button>
      )}
      {item.can_undo && (
        <Button
          data-review
          size="xs"
          variant="default"
          aria-label={t('console.requests.undoItem', { item: item.title })}
          loading={reviewing.isPending}
          onClick={() => review({ status: 'to_review' })}
        >
          {t('console.requests.undo')}
        </Button>
      )}
      {REOPENED.has(item.status) && request.kit_id !== null && (
        <Button
          data-review
          size="xs"
          variant="default"
          aria-label={t('console.requests.reopenItem', { item: item.title })}
          onClick={() => setWriting('needs_changes')}
        >
          {t('console.requests.reopen')}
        </Button>
      )}
      {item.status !== 'accepted' && item.status !== 'not_applicable' && (
        <Button
          size="xs"
          variant="subtle"
          aria-label={t('console.requests.writing.not_applicable.label', { item: item.title })}
          onClick={() => setWriting('not_applicable')}
        >
          {t('console.requests.notApplicable')}
        </Button>
      )}
      <Button
        size="xs"
        variant="subtle"
        aria-label={t('console.requests.writing.comment.label', { item: item.title })}
        onClick={() => setWriting('comment')}
      >
        {t('console.requests.comment')}
      </Button>
      {reviewing.error !== null && <Problem error={reviewing.error} />}
    </div>
  )
}

/** The next item with files that nobody has looked at, otherwise the next one. */
function nextToReview(card: Element | null | undefined): Element | null | undefined {
  const after = [...(card?.parentElement?.querySelectorAll('section[data-item]') ?? [])]
  const rest = after.slice(after.indexOf(card as Element) + 1)
  return rest.find((one) => one.getAttribute('data-item') === 'to_review') ?? rest[0] ?? card
}

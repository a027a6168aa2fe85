import type { EvidenceRequest, Operations } from '@kitseal/client'
import { Button, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { nameText } from '../../readable.ts'
import { ItemComments, ItemHead } from '../../request/item-parts.tsx'
import { texts } from '../../texts/index.ts'
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
  const t = texts.console.requests
  return (
    <section className={`card item-card ${item.status}`} aria-label={item.title} data-item={item.status}>
      <ItemHead item={item} statuses={t.itemStatuses} />
      {item.description !== null && <p className="item-text quiet">{nameText(item.description)}</p>}
      {item.files.length === 0 ? (
        <p className="quiet">{t.noFiles}</p>
      ) : (
        <ReceivedFiles files={item.files} skip={item.id.length + 1} served={served} />
      )}
      <ItemComments item={item} names={t.by} as="ago" />
      <Review request={request} item={item} />
    </section>
  )
}

function Review({ request, item }: RequestItemProps) {
  const { is: mayReview } = useAllowed('requests')
  const [writing, setWriting] = useState<'needs_changes' | 'comment'>()
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
  const t = texts.console.requests
  if (!mayReview || request.status === 'closed') return null
  const comment = text.trim() === '' ? {} : { comment: text.trim() }
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
          review(writing === 'needs_changes' ? { status: writing, ...comment } : comment)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') cancel()
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
        }}
      >
        <div ref={place} hidden />
        <Textarea
          aria-label={t.commentOn(item.title)}
          placeholder={t.commentHint}
          rows={3}
          maxLength={2000}
          autoFocus
          required={writing === 'comment'}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {reviewing.error !== null && <Problem error={reviewing.error} />}
        <div className="row">
          <Button type="submit" size="xs" loading={reviewing.isPending}>
            {writing === 'comment' ? t.sendComment : t.sendReopen}
          </Button>
          <Button size="xs" variant="subtle" onClick={cancel}>
            {texts.console.cancel}
          </Button>
          <span className="quiet key-hint">{t.sendKeys}</span>
        </div>
      </form>
    )
  return (
    <div className="row" ref={place}>
      {item.status !== 'accepted' && (
        <Button
          data-review
          size="xs"
          variant={item.status === 'received' ? 'filled' : 'default'}
          leftSection={<Icon name="check" size={14} />}
          aria-label={t.acceptItem(item.title)}
          loading={reviewing.isPending}
          onClick={() => review({ status: 'accepted' })}
        >
          {t.accept}
        </Button>
      )}
      {item.status !== 'needs_changes' && (
        <Button
          data-review
          size="xs"
          variant="default"
          aria-label={t.reopenItem(item.title)}
          onClick={() => setWriting('needs_changes')}
        >
          {t.reopen}
        </Button>
      )}
      <Button
        size="xs"
        variant="subtle"
        aria-label={t.commentOn(item.title)}
        onClick={() => setWriting('comment')}
      >
        {t.comment}
      </Button>
      {reviewing.error !== null && <Problem error={reviewing.error} />}
    </div>
  )
}

/** The next item with files that nobody has looked at, otherwise the next one. */
function nextToReview(card: Element | null | undefined): Element | null | undefined {
  const after = [...(card?.parentElement?.querySelectorAll('section[data-item]') ?? [])]
  const rest = after.slice(after.indexOf(card as Element) + 1)
  return rest.find((one) => one.getAttribute('data-item') === 'received') ?? rest[0] ?? card
}

import type { EvidenceRequest, Operations } from '@kitseal/client'
import { Button, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Icon, type IconName } from '../../parts/icons.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { Problem } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { ReceivedFiles, type Served } from './received-files.tsx'

type Item = EvidenceRequest['items'][number]

const ICONS: Readonly<Record<Item['status'], IconName>> = {
  open: 'dash',
  received: 'check',
  needs_changes: 'warning',
  accepted: 'shield',
}

export interface RequestItemProps {
  readonly request: EvidenceRequest
  readonly item: Item
}

/** One item: its files and comments; accept it, or send it back. */
export function RequestItem({ request, item, served }: RequestItemProps & { readonly served: Served }) {
  const t = texts.console.requests
  return (
    <section className={`card item-card ${item.status}`} aria-label={item.title} data-item={item.status}>
      <div className="item-head">
        <h2>
          <span className="item-id">{nameText(item.id)}</span> {nameText(item.title)}
        </h2>
        <span className={`item-status ${item.status}`}>
          <Icon name={ICONS[item.status]} size={14} />
          {t.itemStatuses[item.status]}
        </span>
      </div>
      {item.description !== null && <p className="item-text quiet">{nameText(item.description)}</p>}
      {item.files.length === 0 ? (
        <p className="quiet">{t.noFiles}</p>
      ) : (
        <ReceivedFiles files={item.files} skip={item.id.length + 1} served={served} />
      )}
      {item.comments.length > 0 && (
        <ul className="item-comments">
          {item.comments.map(({ by, text, created_at }, index) => (
            <li key={index} className={by}>
              <span className="quiet">
                {t.by[by]}, <Time at={created_at} as="ago" />
              </span>
              <p className="item-text">{nameText(text)}</p>
            </li>
          ))}
        </ul>
      )}
      <Review request={request} item={item} />
    </section>
  )
}

function Review({ request, item }: RequestItemProps) {
  const queries = useQueryClient()
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
  const reviewing = useMutation({
    mutationFn: (body: Operations['reviewItem']['body']) =>
      api.reviewItem(request.evidence_request_id, item.id, body),
    onSuccess: async (_, body) => {
      setWriting(undefined)
      setText('')
      await queries.invalidateQueries({ queryKey: ['requests'] })
      continueReview('status' in body)
    },
  })
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
          reviewing.mutate(writing === 'needs_changes' ? { status: writing, ...comment } : comment)
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
          onClick={() => reviewing.mutate({ status: 'accepted' })}
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

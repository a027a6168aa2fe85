import type { EvidenceRequest } from '@kitseal/client'
import { formatBytes } from '@kitseal/kit'
import { Button, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Icon, type IconName } from '../../parts/icons.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
import { post } from '../api.ts'
import { Problem } from '../problem.tsx'
import { useAllowed } from '../session.tsx'

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
export function RequestItem({ request, item }: RequestItemProps) {
  const t = texts.console.requests
  return (
    <section className={`card item-card ${item.status}`} aria-label={item.title}>
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
        <FileNames files={item.files} skip={item.id.length + 1} />
      )}
      {item.comments.length > 0 && (
        <ul className="item-comments">
          {item.comments.map(({ by, text, at }, index) => (
            <li key={index} className={by}>
              <span className="quiet">
                {t.by[by]}, <Time at={at} as="ago" />
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

export function FileNames({ files, skip }: { readonly files: Item['files']; readonly skip: number }) {
  return (
    <ul className="item-files">
      {files.map(({ position, name, size_bytes }) => (
        <li key={position}>
          <Icon name="file" />
          <span className="file-name">{nameText(name.slice(skip))}</span>
          <span className="quiet">{formatBytes(size_bytes)}</span>
        </li>
      ))}
    </ul>
  )
}

function Review({ request, item }: RequestItemProps) {
  const queries = useQueryClient()
  const { is: mayReview } = useAllowed('requests')
  const [writing, setWriting] = useState<'needs_changes' | 'comment'>()
  const [text, setText] = useState('')
  const reviewing = useMutation({
    mutationFn: (body: object) =>
      post(`/v1/requests/${request.request_id}/items/${encodeURIComponent(item.id)}`, body),
    onSuccess: async () => {
      setWriting(undefined)
      setText('')
      await queries.invalidateQueries({ queryKey: ['requests'] })
    },
  })
  const t = texts.console.requests
  if (!mayReview || request.status === 'closed') return null
  const comment = text.trim() === '' ? {} : { comment: text.trim() }
  if (writing !== undefined)
    return (
      <form
        className="item-comment-form"
        onSubmit={(event) => {
          event.preventDefault()
          reviewing.mutate(writing === 'needs_changes' ? { status: writing, ...comment } : comment)
        }}
      >
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
          <Button type="submit" size="compact-md" loading={reviewing.isPending}>
            {writing === 'comment' ? t.sendComment : t.sendReopen}
          </Button>
          <Button size="compact-md" variant="subtle" onClick={() => setWriting(undefined)}>
            {texts.console.cancel}
          </Button>
        </div>
      </form>
    )
  return (
    <div className="row">
      {item.status !== 'accepted' && (
        <Button
          size="compact-md"
          variant="default"
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
          size="compact-md"
          variant="default"
          aria-label={t.reopenItem(item.title)}
          onClick={() => setWriting('needs_changes')}
        >
          {t.reopen}
        </Button>
      )}
      <Button
        size="compact-md"
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

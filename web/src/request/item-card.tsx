import type { PickedItems } from '@kitseal/kit/in-browser'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { chosenFiles } from '../evidence/chosen-files.ts'
import { Time } from '../parts/time.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { nameText } from '../readable.ts'
import { texts } from '../texts/index.ts'
import { ItemDrop } from './item-drop.tsx'
import { ItemFiles } from './item-files.tsx'
import type { Item } from './supplier-api.ts'
import type { ItemUploads } from './use-item-uploads.ts'

export interface ItemCardProps {
  readonly item: Item
  readonly uploads: ItemUploads
  /** Files can be added and removed. */
  readonly isOpen: boolean
  readonly canComment: boolean
  onRemove(position: number): void
  onComment(text: string): Promise<void>
}

const ICONS: Readonly<Record<Item['status'], IconName>> = {
  open: 'dash',
  received: 'check',
  needs_changes: 'warning',
  accepted: 'shield',
}

/** Differs by word and shape, not only by colour. */
export function ItemStatus({ status }: { readonly status: Item['status'] }) {
  return (
    <span className={`item-status ${status}`}>
      <Icon name={ICONS[status]} size={14} />
      {texts.request.statuses[status]}
    </span>
  )
}

/** One item: what to supply, its files, a drop target, and comments. */
export function ItemCard({ item, uploads, isOpen, canComment, onRemove, onComment }: ItemCardProps) {
  const folder = `${item.id}/`
  const outgoing = uploads.outgoing.filter(({ chosen }) => chosen.name.startsWith(folder))
  const canChange = isOpen && item.status !== 'accepted'
  const onItems = (items: PickedItems): void =>
    uploads.add(chosenFiles(items).map(({ name, file }) => ({ name: folder + name, file })))
  return (
    <section className={`card item-card ${item.status}`} tabIndex={-1} aria-label={item.title}>
      <div className="item-head">
        <h2>
          <span className="item-id">{nameText(item.id)}</span> {nameText(item.title)}
        </h2>
        <ItemStatus status={item.status} />
      </div>
      {item.description !== null && <p className="item-text">{nameText(item.description)}</p>}
      {item.due_at !== null && item.status !== 'accepted' && (
        <p className="quiet">
          {texts.request.due} <Time at={item.due_at} />
        </p>
      )}
      <Comments item={item} />
      <ItemFiles
        files={item.files}
        outgoing={outgoing}
        uploads={uploads}
        skip={folder.length}
        onRemove={canChange ? onRemove : undefined}
      />
      {canChange && (
        <ItemDrop
          label={`${item.id} ${item.title}`}
          isFirst={item.files.length + outgoing.length === 0}
          onItems={onItems}
        />
      )}
      {canComment && <CommentForm item={item} onComment={onComment} />}
    </section>
  )
}

function Comments({ item }: { readonly item: Item }) {
  const t = texts.request
  if (item.comments.length === 0) return null
  return (
    <ul className="item-comments">
      {item.comments.map(({ by, text, created_at }, index) => (
        <li key={index} className={by}>
          <span className="quiet">
            {t.by[by]}, <Time at={created_at} />
          </span>
          <p className="item-text">{nameText(text)}</p>
        </li>
      ))}
    </ul>
  )
}

interface CommentFormProps {
  readonly item: Item
  onComment(text: string): Promise<void>
}

function CommentForm({ item, onComment }: CommentFormProps) {
  const [isShown, setIsShown] = useState(false)
  const [text, setText] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const t = texts.request
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setIsBusy(true)
    await onComment(text.trim())
    setIsBusy(false)
    setText('')
    setIsShown(false)
  }
  if (!isShown)
    return (
      <button
        type="button"
        className="text-button"
        aria-label={t.commentOn(item.title)}
        onClick={() => setIsShown(true)}
      >
        {t.addComment}
      </button>
    )
  return (
    <form className="item-comment-form" onSubmit={(event) => void save(event)}>
      <textarea
        className="text-field"
        rows={3}
        maxLength={2000}
        required
        autoFocus
        aria-label={t.commentOn(item.title)}
        placeholder={t.commentHint}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="row">
        <Button type="submit" size="compact-md" loading={isBusy} disabled={text.trim() === ''}>
          {t.sendComment}
        </Button>
        <Button size="compact-md" variant="subtle" onClick={() => setIsShown(false)}>
          {t.cancel}
        </Button>
      </div>
    </form>
  )
}

import type { PickedItems } from '@kitseal/kit/in-browser'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Finding } from '../../core/findings.ts'
import { chosenFiles } from '../../upload/chosen-files.ts'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { ItemDrop } from './item-drop.tsx'
import { ItemComments, ItemDue, ItemHead, ItemReason } from './item-parts.tsx'
import { ItemFiles } from './item-files.tsx'
import type { Item } from './supplier-api.ts'
import type { ItemUploads } from './use-item-uploads.ts'

export interface ItemCardProps {
  readonly item: Item
  /** It has changes that are not submitted. */
  readonly isChanged: boolean
  readonly uploads: ItemUploads
  readonly blocking: readonly Finding[]
  /** Files can be added and removed. */
  readonly isOpen: boolean
  readonly canComment: boolean
  onRemove(position: number): void
  onComment(text: string): Promise<void>
  /** Null takes it back. */
  onNotApplicable(reason: string | null): Promise<void>
}

/** What the requester has decided is locked until it is sent back. */
const LOCKED: ReadonlySet<Item['status']> = new Set(['accepted', 'not_applicable'])

/** One item: what to supply, its files, a drop target, and comments. */
export function ItemCard({ item, isChanged, uploads, blocking, isOpen, canComment, ...on }: ItemCardProps) {
  const folder = `${item.id}/`
  const outgoing = uploads.outgoing.filter(({ chosen }) => chosen.name.startsWith(folder))
  const canChange = isOpen && !LOCKED.has(item.status)
  // Why it came back is what to read first.
  const isReturned = item.status === 'needs_changes'
  const names = { requester: t('request.by.requester'), supplier: t('request.by.supplier') }
  const comments = <ItemComments item={item} names={names} />
  const taken = [...item.files.map(({ name }) => name), ...outgoing.map(({ chosen }) => chosen.name)]
  const onItems = (items: PickedItems): void =>
    uploads.add(chosenFiles(items).map(({ name, file }) => ({ name: folder + name, file })))
  return (
    <section className={`card item-card ${item.status}`} tabIndex={-1} aria-label={item.title}>
      <ItemHead
        item={isChanged && item.status === 'to_review' ? { ...item, status: 'collected' } : item}
        statusText={(status) => t(`request.statuses.${status}`)}
      />
      {isReturned && comments}
      {item.description !== null && <p className="item-text">{nameText(item.description)}</p>}
      <ItemDue item={item} isOpen={canChange} />
      <ItemReason item={item} names={names} />
      {!isReturned && comments}
      <ItemFiles
        files={item.files}
        outgoing={outgoing}
        uploads={uploads}
        blocking={blocking}
        skip={folder.length}
        onRemove={canChange ? on.onRemove : undefined}
      />
      {canChange && item.not_applicable === null && (
        <ItemDrop
          label={`${item.id} ${item.title}`}
          isFirst={taken.length === 0}
          taken={taken.map((name) => name.slice(folder.length))}
          onItems={onItems}
        />
      )}
      <div className="row">
        {canComment && <TextForm item={item} of="comment" onSend={on.onComment} />}
        {canChange && item.not_applicable === null && item.files.length + outgoing.length === 0 && (
          <TextForm item={item} of="notApplicable" onSend={on.onNotApplicable} />
        )}
        {canChange && item.not_applicable?.by === 'supplier' && (
          <button type="button" className="text-button" onClick={() => void on.onNotApplicable(null)}>
            {t('request.applies')}
          </button>
        )}
      </div>
    </section>
  )
}

interface TextFormProps {
  readonly item: Item
  readonly of: 'comment' | 'notApplicable'
  onSend(text: string): Promise<void>
}

function TextForm({ item, of, onSend }: TextFormProps) {
  const [isShown, setIsShown] = useState(false)
  const [text, setText] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setIsBusy(true)
    await onSend(text.trim())
    setIsBusy(false)
    setText('')
    setIsShown(false)
  }
  if (!isShown)
    return (
      <button
        type="button"
        className="text-button"
        aria-label={t(`request.forms.${of}.label`, { item: item.title })}
        onClick={() => setIsShown(true)}
      >
        {t(`request.forms.${of}.open`)}
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
        aria-label={t(`request.forms.${of}.label`, { item: item.title })}
        placeholder={t(`request.forms.${of}.hint`)}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="row">
        <Button type="submit" size="compact-md" loading={isBusy} disabled={text.trim() === ''}>
          {t(`request.forms.${of}.send`)}
        </Button>
        <Button size="compact-md" variant="subtle" onClick={() => setIsShown(false)}>
          {t('request.cancel')}
        </Button>
      </div>
    </form>
  )
}

import type { PickedItems } from '@kitseal/kit/in-browser'
import { useState } from 'react'
import type { Finding } from '../../core/findings.ts'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Button } from '../../parts/button.tsx'
import { DropBox } from '../../parts/drop.tsx'
import { RemarkForm, Remarks } from '../../parts/remarks.tsx'
import { ItemHead, itemNotes, itemRemarks } from '../../parts/request-item.tsx'
import { chosenFiles } from '../../upload/chosen-files.ts'
import { UploadList } from '../../upload/upload-list.tsx'
import type { Uploads } from '../../upload/use-uploads.ts'
import type { Item, ItemFile } from './supplier-api.ts'

interface CardProps {
  readonly uploads: Uploads
  /** What was found in the files of the last submission, accepted or not. */
  readonly findings: readonly Finding[]
  onRemove(position: number): void
}

export interface ItemCardProps extends CardProps {
  readonly item: Item
  /** It has changes that are not submitted. */
  readonly isChanged: boolean
  /** Files can be added and removed. */
  readonly isOpen: boolean
  readonly canComment: boolean
  onComment(text: string): Promise<void>
  /** Null takes it back. */
  onNotApplicable(reason: string | null): Promise<void>
}

/** What the requester has decided is locked until it is sent back. */
const LOCKED: ReadonlySet<Item['status']> = new Set(['accepted', 'not_applicable'])

/** One item: what to supply, its files, a drop target, and comments. */
export function ItemCard({ item, isChanged, isOpen, canComment, ...card }: ItemCardProps) {
  const [writing, setWriting] = useState<'comment' | 'notApplicable'>()
  const canChange = isOpen && !LOCKED.has(item.status)
  const folder = `${item.id}/`
  const outgoing = card.uploads.files.filter(({ name }) => name.startsWith(folder))
  // Why it came back is what to read first.
  const isReturned = item.status === 'needs_changes'
  const names = { requester: t('request.by.requester'), supplier: t('request.by.supplier') }
  const comments = <Remarks remarks={itemRemarks(item, names, 'supplier')} />
  const status = isChanged && item.status === 'to_review' ? 'collected' : item.status
  const save = { comment: card.onComment, notApplicable: card.onNotApplicable }
  const isEmpty = item.files.length + outgoing.length === 0
  const offered = [
    ...(canComment ? (['comment'] as const) : []),
    ...(canChange && item.not_applicable === null && isEmpty ? (['notApplicable'] as const) : []),
  ]
  return (
    <section className={`card item-card stack ${item.status}`} tabIndex={-1} aria-label={item.title}>
      <ItemHead item={{ ...item, status }} status={t(`request.statuses.${status}`)} isDue={canChange} />
      {isReturned && comments}
      {item.description !== null && <p className="remark-text">{nameText(item.description)}</p>}
      {itemNotes(item, names).map((note) => note !== false && <p key={note}>{note}</p>)}
      {!isReturned && comments}
      <ItemFiles
        {...card}
        files={item.files}
        name={`${item.id} ${item.title}`}
        folder={folder}
        outgoing={outgoing}
        canRemove={canChange}
        canAdd={canChange && item.not_applicable === null}
      />
      {writing === undefined ? (
        <div className="row">
          {offered.map((of) => (
            <Button
              key={of}
              size="small"
              look="quiet"
              aria-label={t(`request.forms.${of}.label`, { item: item.title })}
              onClick={() => setWriting(of)}
            >
              {t(`request.forms.${of}.open`)}
            </Button>
          ))}
          {canChange && item.not_applicable?.by === 'supplier' && (
            <Button size="small" look="quiet" onClick={() => void card.onNotApplicable(null)}>
              {t('request.applies')}
            </Button>
          )}
        </div>
      ) : (
        <RemarkForm
          key={writing}
          label={t(`request.forms.${writing}.label`, { item: item.title })}
          isLabelHidden
          hint={t(`request.forms.${writing}.hint`)}
          hasFocus
          actions={[
            {
              text: t(`request.forms.${writing}.send`),
              send: async (text) => {
                await save[writing](text)
                setWriting(undefined)
              },
            },
          ]}
          onCancel={() => setWriting(undefined)}
        />
      )}
    </section>
  )
}

export interface OtherFilesProps extends CardProps {
  readonly files: readonly ItemFile[]
  readonly isOpen: boolean
  isOther(name: string): boolean
}

/** Files that belong to no item. */
export function OtherFiles({ files, isOpen, isOther, ...card }: OtherFilesProps) {
  return (
    <section className="card item-card stack" tabIndex={-1} aria-label={t('request.other')}>
      <h2>{t('request.other')}</h2>
      <ItemFiles
        {...card}
        files={files}
        name={t('request.other')}
        folder=""
        outgoing={card.uploads.files.filter(({ name }) => isOther(name))}
        canRemove={isOpen}
        canAdd={isOpen}
      />
    </section>
  )
}

interface ItemFilesProps extends CardProps {
  readonly files: readonly ItemFile[]
  readonly outgoing: Uploads['files']
  readonly name: string
  readonly folder: string
  readonly canRemove: boolean
  readonly canAdd: boolean
}

function ItemFiles({ files, outgoing, name, folder, canRemove, canAdd, ...card }: ItemFilesProps) {
  const verb = t(files.length + outgoing.length === 0 ? 'request.chooseFiles' : 'request.addFiles')
  const add = (items: PickedItems): void =>
    card.uploads.queue.add(chosenFiles(items).map(({ name: own, file }) => ({ name: folder + own, file })))
  return (
    <>
      <UploadList
        arrived={files}
        outgoing={outgoing}
        uploads={card.uploads}
        findings={card.findings}
        skip={folder.length}
        onRemove={canRemove ? card.onRemove : undefined}
      />
      {canAdd && (
        <DropBox
          label={verb}
          name={t('request.chooseFor', { verb, item: name })}
          hint={t('request.dropHint')}
          onItems={add}
        />
      )}
    </>
  )
}

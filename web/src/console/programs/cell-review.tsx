import type { Period, PeriodItemChange } from '@kitseal/client'
import { Button, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Form } from '../form.tsx'
import { Problem } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { useChange } from '../use-change.ts'
import { isOpen, type PeriodItem } from './period-item.ts'
import { PROGRAMS } from './programs-key.ts'

export interface CellReviewProps {
  readonly period: Period
  readonly item: PeriodItem
}

type Writing = 'comment' | 'needs_changes' | 'not_applicable'

/** Every member comments and asks for a review. Managers accept, send back, and say what is not applicable. */
export function CellReview({ period, item }: CellReviewProps) {
  const { is: mayReview } = useAllowed('programs')
  const { is: mayWork } = useAllowed('submit')
  const [writing, setWriting] = useState<Writing>()
  const [text, setText] = useState('')
  const place = useRef<HTMLDivElement>(null)
  /** The pressed button is gone, so keyboard users continue at the first one that is there. */
  const focusButtons = (): void =>
    void setTimeout(() => place.current?.querySelector<HTMLElement>('button')?.focus())
  const reviewing = useChange(
    PROGRAMS,
    (body: PeriodItemChange) => api.changePeriodItem(period.program_id, period.period, item.item_id, body),
    () => {
      setWriting(undefined)
      setText('')
      focusButtons()
    },
  )
  if (!mayWork || !isOpen(period)) return null
  const written = text.trim()
  const bodies: Readonly<Record<Writing, PeriodItemChange>> = {
    comment: { comment: written },
    needs_changes: { status: 'needs_changes', comment: written },
    not_applicable: { status: 'not_applicable', reason: written },
  }
  const cancel = (): void => {
    setWriting(undefined)
    focusButtons()
  }
  const { status, files, source } = item
  const isReviewed = status === 'accepted' || status === 'not_applicable' || status === 'needs_changes'
  // What a supplier is still working on cannot be accepted.
  const canAccept =
    mayReview &&
    files.length > 0 &&
    status !== 'accepted' &&
    (source === 'internal' || status === 'to_review')
  return (
    <div ref={place} className="cell-review">
      {writing === undefined ? (
        <div className="row">
          {canAccept && (
            <Button
              leftSection={<Icon name="check" size={14} />}
              loading={reviewing.isPending}
              onClick={() => reviewing.mutate({ status: 'accepted' })}
            >
              {t('console.programs.cell.accept')}
            </Button>
          )}
          {mayReview && files.length > 0 && status !== 'needs_changes' && (
            <Button variant="default" onClick={() => setWriting('needs_changes')}>
              {t('console.programs.cell.sendBack')}
            </Button>
          )}
          {source === 'internal' && status === 'collected' && (
            <Button variant="default" onClick={() => reviewing.mutate({ status: 'to_review' })}>
              {t('console.programs.cell.ask')}
            </Button>
          )}
          {mayReview && isReviewed && files.length > 0 && (
            <Button variant="default" onClick={() => reviewing.mutate({ status: 'to_review' })}>
              {t('console.programs.cell.undo')}
            </Button>
          )}
          {mayReview && status !== 'accepted' && status !== 'not_applicable' && (
            <Button variant="subtle" onClick={() => setWriting('not_applicable')}>
              {t('console.programs.cell.notApplicable')}
            </Button>
          )}
          <Button variant="subtle" onClick={() => setWriting('comment')}>
            {t('console.programs.cell.comment')}
          </Button>
        </div>
      ) : (
        <Form className="item-comment-form" onSubmit={() => reviewing.mutate(bodies[writing])}>
          <Textarea
            label={t(`console.programs.cell.writing.${writing}.label`)}
            placeholder={t(`console.programs.cell.writing.${writing}.hint`)}
            rows={3}
            maxLength={2000}
            autoFocus
            required
            value={text}
            data-mantine-stop-propagation="true"
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') cancel()
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
                event.currentTarget.form?.requestSubmit()
            }}
          />
          <div className="row">
            <Button type="submit" loading={reviewing.isPending}>
              {t(`console.programs.cell.writing.${writing}.send`)}
            </Button>
            <Button variant="subtle" onClick={cancel}>
              {t('console.cancel')}
            </Button>
            <span className="quiet key-hint">{t('console.requests.sendKeys')}</span>
          </div>
        </Form>
      )}
      {reviewing.error !== null && <Problem error={reviewing.error} />}
    </div>
  )
}

import type { Period } from '@kitseal/client'
import type { PickedItems } from '@kitseal/kit/in-browser'
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Facts } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Deadline, Time } from '../../parts/time.tsx'
import { nameText } from '../../core/readable.ts'
import { ItemStatusBadge } from '../../outside/request/item-parts.tsx'
import { Link } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Dialog } from '../dialogs.tsx'
import { useLiveQuery } from '../live-query.tsx'
import { Problem, QueryState } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { useChange } from '../use-change.ts'
import type { Place } from './board-grid.tsx'
import { CellFiles } from './cell-files.tsx'
import { CellReview } from './cell-review.tsx'
import { isOpen, type PeriodItem } from './period-item.ts'
import { PROGRAMS } from './programs-key.ts'
import { useOwners } from './use-owners.ts'

export interface CellDialogProps {
  readonly programId: string
  readonly place: Place
  /** Files that were dropped on the cell. */
  readonly dropped: PickedItems | undefined
  /** The next cell with files to review. */
  readonly next: Place | undefined
  onGo(place: Place): void
  onClose(): void
}

/** One item in one period: its files, its comments, and its review. */
export function CellDialog({ programId, place, dropped, next, onGo, onClose }: CellDialogProps) {
  const query = useLiveQuery([...PROGRAMS, programId, place.period], (options) =>
    api.getPeriod(programId, place.period, options),
  )
  const [isPreviewing, setIsPreviewing] = useState(false)
  const item = query.data?.items.find(({ item_id }) => item_id === place.itemId)
  return (
    <Dialog
      title={t('console.programs.cell.title', {
        id: nameText(item?.title ?? place.itemId),
        period: place.period,
      })}
      size="lg"
      isFixed={isPreviewing}
      onClose={onClose}
    >
      {query.data === undefined && <QueryState query={query} />}
      {query.data !== undefined && item === undefined && <p>{t('console.programs.board.notIn')}</p>}
      {query.data !== undefined && item !== undefined && (
        <div className="cell-dialog">
          <Terms period={query.data} item={item} />
          <CellFiles period={query.data} item={item} dropped={dropped} onPreview={setIsPreviewing} />
          {item.not_applicable !== null && (
            <p className="item-text">
              {t('console.programs.cell.reason', { reason: nameText(item.not_applicable) })}
            </p>
          )}
          <Comments item={item} />
          <CellReview period={query.data} item={item} />
          {next !== undefined && (
            <Button variant="subtle" className="cell-next" onClick={() => onGo(next)}>
              {t('console.programs.cell.next')} <Icon name="chevron" size={14} />
            </Button>
          )}
        </div>
      )}
    </Dialog>
  )
}

interface TermsProps {
  readonly period: Period
  readonly item: PeriodItem
}

function Terms({ period, item }: TermsProps) {
  return (
    <>
      <p className="row">
        <ItemStatusBadge
          status={item.status}
          statusText={(status) => t(`console.programs.statuses.${status}`)}
        />
        {!isOpen(period) && <span className="quiet">{t('console.programs.cell.locked')}</span>}
      </p>
      {item.description !== null && <p className="item-text quiet">{nameText(item.description)}</p>}
      <Facts
        facts={[
          { name: t('console.programs.cell.due'), value: <Deadline at={item.due_at} /> },
          ...(item.source === 'internal'
            ? [{ name: t('console.programs.cell.owner'), value: <Owner period={period} item={item} /> }]
            : []),
        ]}
      />
      {item.evidence_request_id !== null && (
        <p>
          {t('console.programs.cell.fromSupplier')}{' '}
          <Link href={`/console/requests/${item.evidence_request_id}`}>
            {t('console.programs.cell.request')}
          </Link>
        </p>
      )}
    </>
  )
}

function Owner({ period, item }: TermsProps) {
  const { is: mayChange } = useAllowed('programs')
  const owners = useOwners()
  const changing = useChange(PROGRAMS, (owner: string | null) =>
    api.changePeriodItem(period.program_id, period.period, item.item_id, { owner }),
  )
  if (!mayChange || !isOpen(period)) return item.owner ?? t('console.programs.form.noOwner')
  const known = new Set(owners.map(({ email }) => email))
  return (
    <>
      <NativeSelect
        aria-label={t('console.programs.cell.owner')}
        size="xs"
        value={item.owner ?? ''}
        disabled={changing.isPending}
        data={[
          { value: '', label: t('console.programs.form.noOwner') },
          ...(item.owner === null || known.has(item.owner) ? [] : [{ value: item.owner, label: item.owner }]),
          ...owners.map(({ email, name }) => ({ value: email, label: name ?? email })),
        ]}
        onChange={({ currentTarget }) => changing.mutate(currentTarget.value || null)}
      />
      {changing.error !== null && <Problem error={changing.error} />}
    </>
  )
}

function Comments({ item: { comments } }: { readonly item: PeriodItem }) {
  if (comments.length === 0) return null
  return (
    <ul className="item-comments">
      {comments.map(({ by, email, text, created_at }, index) => (
        <li key={index} className={by === 'workspace' ? 'requester' : by}>
          <span className="quiet">
            {email ?? t(`console.programs.cell.by.${by}`)}, <Time at={created_at} as="ago" />
          </span>
          <p className="item-text">{nameText(text)}</p>
        </li>
      ))}
    </ul>
  )
}

import type { Period, PeriodItemChange } from '@kitseal/client'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { messageOf } from '../../core/fetch-json.ts'
import { nameText } from '../../core/readable.ts'
import { Link } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { Dialog } from '../../parts/ask.tsx'
import { Facts, Problem, QueryState } from '../../parts/blocks.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import type { ReviewBarProps } from '../../parts/review-bar.tsx'
import { Status } from '../../parts/status.tsx'
import { Deadline } from '../../parts/time.tsx'
import { CONSOLE } from '../../upload/send.ts'
import { ItemUploads, useUploads } from '../../upload/upload-list.tsx'
import type { UploadTarget } from '../../upload/upload-queue.ts'
import { api } from '../client.ts'
import { OwnerSelect } from '../items/edit-items.tsx'
import { isUndecided, ItemView, writingActions, OlderRemarks } from '../items/item-card.tsx'
import { useOwners } from '../people/members-page.tsx'
import { changing, useChange, useLiveQuery } from '../queries.tsx'
import { useAllowed, useMe } from '../session.tsx'
import { PROGRAMS } from './programs-page.tsx'

type PeriodItem = Period['items'][number]

/** A cell of the board. */
export interface Place {
  readonly itemId: string
  readonly period: string
}

export interface CellDialogProps {
  readonly programId: string
  readonly place: Place
  /** The next cell with files to review. */
  readonly next: Place | undefined
  onGo(place: Place | undefined): void
}

/** One item in one period: its files, its comments, and its review. */
export function CellDialog({ programId, place, next, onGo }: CellDialogProps) {
  const query = useLiveQuery([...PROGRAMS, programId, place.period], (options) =>
    api.getPeriod(programId, place.period, options),
  )
  const item = query.data?.items.find(({ item_id }) => item_id === place.itemId)
  return (
    <Dialog
      title={t('console.programs.cell.title', {
        id: nameText(item?.title ?? place.itemId),
        period: place.period,
      })}
      size="large"
      onClose={() => onGo(undefined)}
    >
      {query.data === undefined && <QueryState query={query} />}
      {query.data !== undefined && item === undefined && <p>{t('console.programs.board.notIn')}</p>}
      {query.data !== undefined && item !== undefined && <PeriodItemView period={query.data} item={item} />}
      {next !== undefined && (
        <Button look="quiet" icon="chevron" onClick={() => onGo(next)}>
          {t('console.programs.cell.next')}
        </Button>
      )}
    </Dialog>
  )
}

interface ItemOf {
  readonly period: Period
  readonly item: PeriodItem
}

/** Whether files and reviews can still change. */
const isOpen = ({ status }: Period): boolean => status === 'open' || status === 'failed'

function PeriodItemView({ period, item }: ItemOf) {
  const { is: mayWork } = useAllowed('submit')
  const { is: mayReview } = useAllowed('programs')
  const { sends_mail: sendsMail, member } = useMe()
  const canAdd = mayWork && item.source === 'internal' && isOpen(period)
  const removing = useChange(PROGRAMS, (position: number) =>
    api.removePeriodFile(period.program_id, period.period, String(position)),
  )
  const skip = item.item_id.length + 1
  return (
    <>
      <p className="row">
        <Status of="item" is={item.status} texts="console.items.statuses" />
        {!isOpen(period) && <span className="quiet">{t('console.programs.cell.locked')}</span>}
      </p>
      <ItemView
        description={item.description}
        facts={
          <>
            <Facts
              texts="console.programs.cell"
              facts={{
                due: <Deadline at={item.due_at} />,
                owner: item.source === 'internal' && <Owner period={period} item={item} />,
              }}
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
        }
        files={item.files.map((file) => ({
          name: file.name.slice(skip),
          sizeBytes: file.size_bytes,
          url: fileUrl(period, file.name),
          note: sameText(file, skip),
        }))}
        {...(canAdd && {
          fileActions: (file) => (
            <IconButton
              icon="trash"
              label={t('console.programs.cell.remove', { name: file.name })}
              disabled={removing.isPending}
              onClick={() =>
                removing.mutate(item.files.find(({ name }) => name.slice(skip) === file.name)?.position ?? -1)
              }
            />
          ),
        })}
        notes={[
          item.not_applicable !== null &&
            t('console.programs.cell.reason', { reason: nameText(item.not_applicable) }),
        ]}
        adding={canAdd ? <Adding period={period} item={item} /> : undefined}
        remarks={item.comments.map(({ by, email, text, created_at }, index) => ({
          id: index,
          author: email ?? t(by === 'supplier' ? 'console.requests.by.supplier' : 'console.items.workspace'),
          at: created_at,
          text,
          isOwn: email === member.email,
        }))}
        older={
          period.older_comments > 0 && (
            <OlderRemarks
              key={`${period.period} ${item.item_id}`}
              itemId={item.item_id}
              shown={item.comments.length}
              list={(page) =>
                item.evidence_request_id === null
                  ? api.listPeriodComments(period.program_id, period.period, page)
                  : api.listRequestComments(item.evidence_request_id, page)
              }
            />
          )
        }
        review={mayWork && isOpen(period) ? reviewOf(period, item, mayReview, sendsMail) : undefined}
      />
      <Problem error={removing.error} />
    </>
  )
}

const fileUrl = ({ program_id, period }: Period, name: string): string =>
  `/v1/programs/${program_id}/periods/${encodeURIComponent(period)}/evidence/${encodeURIComponent(name)}`

/** The same bytes were in the period before, under this name or another one. */
function sameText({ same_as: same, name }: PeriodItem['files'][number], skip: number): string | undefined {
  if (same === null) return undefined
  if (same.name === name) return t('console.programs.cell.same', { period: same.period })
  const isOwn = same.name.startsWith(name.slice(0, skip))
  return t('console.programs.cell.sameOther', {
    name: nameText(isOwn ? same.name.slice(skip) : same.name),
    period: same.period,
  })
}

function Owner({ period, item }: ItemOf) {
  const { is: mayChange } = useAllowed('programs')
  const owners = useOwners()
  const saving = useChange(PROGRAMS, (owner: string | null) =>
    api.changePeriodItem(period.program_id, period.period, item.item_id, { owner }),
  )
  if (!mayChange || !isOpen(period)) return item.owner ?? t('console.programs.form.noOwner')
  return (
    <>
      <OwnerSelect
        label={t('console.programs.cell.owner')}
        owners={owners}
        value={item.owner ?? ''}
        isDisabled={saving.isPending}
        onChange={(owner) => saving.mutate(owner === '' ? null : owner)}
      />
      <Problem error={saving.error} />
    </>
  )
}

/** Uploads to the draft of the period, in the folder of the item. */
function Adding({ period: { submission_id: submissionId }, item }: ItemOf) {
  const { workspace } = useMe()
  const queries = useQueryClient()
  const { plan } = workspace
  const target = useMemo(
    (): UploadTarget => ({
      place: CONSOLE,
      isDirect: true,
      order: { limits: plan, profile: undefined },
      open: async () => submissionId,
      onSent: () => queries.invalidateQueries({ queryKey: PROGRAMS }),
      errorText: messageOf,
    }),
    [submissionId, queries, plan],
  )
  const uploads = useUploads(target)
  return (
    <ItemUploads
      name={item.title}
      folder={`${item.item_id}/`}
      arrived={[]}
      outgoing={uploads.files}
      uploads={uploads}
      findings={[]}
      isEmpty={item.files.length === 0}
      canAdd
    />
  )
}

/** Every member comments and asks for a review. Managers accept, send back, and say what is not applicable. */
function reviewOf(period: Period, item: PeriodItem, mayReview: boolean, sendsMail: boolean): ReviewBarProps {
  const { status, files, source } = item
  const review = (body: PeriodItemChange) =>
    changing(PROGRAMS, api.changePeriodItem(period.program_id, period.period, item.item_id, body))
  const isReviewed = !isUndecided(status) || status === 'needs_changes'
  const hasFiles = files.length > 0
  return {
    actions: [
      // What a supplier is still working on cannot be accepted.
      mayReview &&
        hasFiles &&
        status !== 'accepted' &&
        (source === 'internal' || status === 'to_review') && {
          text: t('console.items.accept'),
          icon: 'check',
          look: 'main',
          run: () => review({ status: 'accepted' }),
        },
      mayReview &&
        hasFiles &&
        status !== 'needs_changes' && {
          text: t('console.items.needsChanges'),
          write: {
            hint: t('console.programs.cell.needsChangesHint', { isMailed: sendsMail }),
            send: t('console.programs.cell.sendBack'),
          },
          run: (comment) => review({ status: 'needs_changes', comment }),
        },
      source === 'internal' &&
        status === 'collected' && {
          text: t('console.programs.cell.ask'),
          run: () => review({ status: 'to_review' }),
        },
      mayReview &&
        isReviewed &&
        hasFiles && { text: t('console.items.undo'), run: () => review({ status: 'to_review' }) },
      ...writingActions(
        {
          notApplicable: mayReview && isUndecided(status) && t('console.programs.cell.notApplicableHint'),
          comment: t('console.programs.cell.commentHint'),
        },
        review,
      ),
    ],
  }
}

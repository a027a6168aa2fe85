import { ApiError } from '@kitseal/client'
import { useState } from 'react'
import { dayText, nameText } from '../../core/readable.ts'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { Dialog } from '../../parts/ask.tsx'
import { Notice, Problem } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { Acknowledge } from '../new/acknowledge.tsx'
import { api } from '../client.ts'
import { isUndecided } from '../items/item-card.tsx'
import { useChange } from '../queries.tsx'
import { useSubmission } from '../submission/use-submission.ts'
import type { BoardPeriod, Cell } from './board-rows.ts'
import { PROGRAMS } from './programs-page.tsx'

export interface SealDialogProps {
  readonly programId: string
  readonly period: BoardPeriod
  readonly cells: readonly Cell[]
  onClose(): void
}

/** Names what is missing or not accepted, and seals the period all the same if that is wanted. */
export function SealDialog({ programId, period, cells, onClose }: SealDialogProps) {
  const [accept, setAccept] = useState<ReadonlySet<string>>(new Set())
  const open = cells.filter(({ status }) => isUndecided(status))
  const missing = open.filter(({ files }) => files === 0)
  const notAccepted = open.filter(({ files }) => files > 0)
  const hasFiles = cells.some(({ files }) => files > 0)
  const sealing = useChange(
    PROGRAMS,
    (early: boolean) => api.sealPeriod(programId, period.period, { accept: [...accept], early }),
    ({ submission_id }) => navigate(`/console/submissions/${submission_id}`),
  )
  const isRefused = sealing.error instanceof ApiError && sealing.error.code === 'period_not_begun'
  // Once the service has said so, also while it is asked again.
  const isEarly = isRefused || sealing.variables === true
  return (
    <Dialog title={t('console.programs.seal.title', { period: period.period })} onClose={onClose}>
      <p>{hasFiles ? t('console.programs.seal.text') : t('console.programs.seal.noFiles')}</p>
      {open.length === 0 && <p>{t('console.programs.seal.complete')}</p>}
      <Named title={t('console.programs.seal.missing', { count: missing.length })} cells={missing} />
      <Named
        title={t('console.programs.seal.notAccepted', { count: notAccepted.length })}
        cells={notAccepted}
      />
      {period.failed_submission_id !== null && (
        <Findings submissionId={period.failed_submission_id} accept={accept} onAccept={setAccept} />
      )}
      {isEarly && (
        <Notice tone="warn" isAlert>
          {t('console.programs.seal.early', { period: period.period, day: dayText(period.from) })}
        </Notice>
      )}
      {!isRefused && <Problem error={sealing.error} />}
      <div className="row dialog-actions">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button
          look="main"
          isBusy={sealing.isPending}
          disabled={!hasFiles}
          onClick={() => sealing.mutate(isEarly)}
        >
          {t(`console.programs.seal.${isEarly ? 'beforeStart' : open.length === 0 ? 'action' : 'anyway'}`)}
        </Button>
      </div>
    </Dialog>
  )
}

const MAX_NAMED = 10

function Named({ title, cells }: { readonly title: string; readonly cells: readonly Cell[] }) {
  if (cells.length === 0) return null
  const rest = cells.length - MAX_NAMED
  return (
    <>
      <p className="strong">{title}</p>
      <ul>
        {cells.slice(0, MAX_NAMED).map(({ item_id, title: name }) => (
          <li key={item_id}>
            <span className="item-id">{nameText(item_id)}</span> {nameText(name)}
          </li>
        ))}
        {rest > 0 && <li>{t('console.programs.seal.more', { count: rest })}</li>}
      </ul>
    </>
  )
}

interface FindingsProps {
  readonly submissionId: string
  readonly accept: ReadonlySet<string>
  onAccept(codes: ReadonlySet<string>): void
}

/** What stopped the last attempt, as far as it can be acknowledged. */
function Findings({ submissionId, accept, onAccept }: FindingsProps) {
  const { data } = useSubmission(submissionId)
  if (data === undefined) return null
  return (
    <>
      <p className="strong">{t('console.programs.seal.failed')}</p>
      <Acknowledge findings={data.submission.findings} accept={accept} onAccept={onAccept} />
    </>
  )
}

import { useQueryClient, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { t } from '../../core/texts.ts'
import { Card, Notice, Problem } from '../../parts/blocks.tsx'
import { Files } from '../../parts/files.tsx'
import { totalBytes } from '../../upload/check-in-worker.ts'
import { DraftFiles, useDraftFiles } from '../new/draft-files.tsx'
import { useAllowed, useMe } from '../session.tsx'
import type { SubmissionDetail } from './submission-detail.ts'
import { sizeText } from '../../core/readable.ts'
import { api } from '../client.ts'
import { Button } from '../../parts/button.tsx'
import { useChange } from '../queries.tsx'

/** A draft: the uploaded files, and more to add. */
export function DraftView({ detail }: { readonly detail: SubmissionDetail }) {
  const { workspace } = useMe()
  const allowed = useAllowed('submit')
  const queries = useQueryClient()
  const { submission, files: evidence } = detail
  const { submission_id: id } = submission
  const open = useCallback(async () => id, [id])
  // Uploaded files cannot be read here, so the profile is checked by the service.
  const uploads = useDraftFiles({ plan: workspace.plan, open })
  const chosen = new Set(uploads.files.map(({ name }) => name))
  // Files that this page uploads also appear in the submission's list.
  const before = evidence.filter(({ name }) => !chosen.has(name))
  const limitBytes = workspace.plan.upload_limit_bytes - before.reduce((sum, one) => sum + one.size_bytes, 0)

  const submit = async (): Promise<void> => {
    await uploads.queue.submit()
    await queries.invalidateQueries({ queryKey: ['submission', id] })
    // The form is gone, so keyboard users continue at the top of the page.
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main')?.focus()
  }
  const notReady = (): string | undefined => {
    if (uploads.files.length + evidence.length === 0) return t('console.new.notReady.files')
    return totalBytes(uploads.files) > limitBytes ? t('console.new.notReady.size') : undefined
  }
  return (
    <>
      <Notice tone="info" title={t('console.submission.draft.title')}>
        {before.length > 0 ? t('console.submission.draft.withFiles') : t('console.submission.draft.text')}
      </Notice>
      {before.length > 0 && (
        <Card title={t('console.submission.draft.there', { count: before.length })}>
          <Files files={before.map(({ name, size_bytes }) => ({ name, sizeBytes: size_bytes }))} />
        </Card>
      )}
      <UnfinishedUploads submissionId={id} chosen={chosen} canChange={allowed.is} />
      {!allowed.is && <p className="quiet">{allowed.why}</p>}
      {allowed.is && (
        <DraftFiles
          uploads={uploads}
          limitBytes={limitBytes}
          there={new Set(before.map(({ name }) => name))}
          notReady={notReady()}
          onSubmit={() => void submit()}
        />
      )}
    </>
  )
}

export interface UnfinishedUploadsProps {
  readonly submissionId: string
  /** Files that this page uploads. */
  readonly chosen: ReadonlySet<string>
  readonly canChange: boolean
}

/** Large files that did not arrive completely. They must be continued or deleted before the draft is submitted. */
export function UnfinishedUploads({ submissionId, chosen, canChange }: UnfinishedUploadsProps) {
  const queryKey = ['uploads', submissionId]
  const { data } = useQuery({ queryKey, queryFn: () => api.listUploads(submissionId) })
  const deleting = useChange(queryKey, (id: string) => api.deleteUpload(submissionId, id))
  const left = (data?.data ?? []).filter(({ name }) => !chosen.has(name))
  if (left.length === 0) return null
  return (
    <Card title={t('console.submission.draft.unfinished.title')}>
      <p className="quiet">{t('console.submission.draft.unfinished.text')}</p>
      {deleting.error !== null && <Problem error={deleting.error} />}
      <div>
        {left.map(({ upload_id, name, offset_bytes, size_bytes }) => (
          <div key={upload_id} className="row">
            <span className="long">{name}</span>
            <span className="quiet">
              {t('console.submission.draft.unfinished.progress', {
                done: sizeText(offset_bytes),
                all: sizeText(size_bytes),
              })}
            </span>
            {canChange && (
              <Button
                look="quiet"
                size="small"
                subject={name}
                isBusy={deleting.isPending && deleting.variables === upload_id}
                onClick={() => deleting.mutate(upload_id)}
              >
                {t('console.submission.draft.unfinished.remove')}
              </Button>
            )}
          </div>
        ))}
      </div>
    </Card>
  )
}

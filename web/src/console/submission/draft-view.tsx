import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { t } from '../../core/texts.ts'
import { Card, Notice } from '../../parts/blocks.tsx'
import { Files } from '../../parts/files.tsx'
import { totalBytes } from '../../upload/chosen-files.ts'
import { DraftFiles, useDraftFiles } from '../new/draft-files.tsx'
import { useAllowed, useMe } from '../session.tsx'
import type { SubmissionDetail } from './submission-detail.ts'
import { UnfinishedUploads } from './unfinished-uploads.tsx'

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

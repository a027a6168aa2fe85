import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ChosenFile, totalBytes } from '../../upload/chosen-files.ts'
import { EvidencePicker } from '../../upload/evidence-picker.tsx'
import { LeaveGuard } from '../../upload/leave-guard.tsx'
import { SendBar } from '../../upload/send-bar.tsx'
import { useAccepted } from '../../upload/use-accepted.ts'
import { useCheck } from '../../upload/use-check.ts'
import { useUpload } from '../../upload/use-upload.ts'
import { Card, Notice } from '../../parts/blocks.tsx'
import { useFirstRows } from '../../parts/first-rows.tsx'
import { Icon } from '../../parts/icons.tsx'
import '../../parts/preview/preview.css'
import { nameText, sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { useAllowed, useMe } from '../session.tsx'
import type { CheckedFile, SubmissionDetail } from './submission-detail.ts'
import { UnfinishedUploads } from './unfinished-uploads.tsx'

/** A draft: the uploaded files, and more to add. */
export function DraftView({ detail }: { readonly detail: SubmissionDetail }) {
  const { workspace } = useMe()
  const allowed = useAllowed('submit')
  const queries = useQueryClient()
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  const [accept, setAccept] = useAccepted(files)
  // Uploaded files cannot be read here, so the profile is checked by the service.
  const check = useCheck(files, workspace.plan, undefined, accept)
  const upload = useUpload()
  const { submission, files: evidence } = detail
  const chosen = new Set(files.map(({ name }) => name))
  // Files that this page uploads also appear in the submission's list.
  const before = evidence.filter(({ name }) => !chosen.has(name))
  const limitBytes = workspace.plan.upload_limit_bytes - before.reduce((sum, one) => sum + one.size_bytes, 0)
  const isFixed = upload.state.is === 'sending' || upload.state.is === 'done'

  const send = async (): Promise<void> => {
    await upload.start(async () => submission.submission_id, files, [...accept])
    await queries.invalidateQueries({ queryKey: ['submission', submission.submission_id] })
    // The form is gone, so keyboard users continue at the top of the page.
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main')?.focus()
  }
  const reasonNotReady = (): string | undefined => {
    if (files.length + evidence.length === 0) return t('console.new.notReady.files')
    return totalBytes(files) > limitBytes ? t('console.new.notReady.size') : undefined
  }
  return (
    <>
      <Notice tone="info" title={t('console.submission.draft.title')}>
        {before.length > 0 ? t('console.submission.draft.withFiles') : t('console.submission.draft.text')}
      </Notice>
      {before.length > 0 && (
        <Card title={t('console.submission.draft.there', { count: before.length })}>
          <UploadedFiles files={before} />
        </Card>
      )}
      <UnfinishedUploads submissionId={submission.submission_id} chosen={chosen} canChange={allowed.is} />
      {!allowed.is && <p className="quiet">{allowed.why}</p>}
      {allowed.is && (
        <>
          <EvidencePicker
            files={files}
            check={check}
            progress={upload.progress}
            limitBytes={limitBytes}
            uploaded={new Set(before.map(({ name }) => name))}
            isFixed={isFixed}
            accept={accept}
            onAccept={setAccept}
            onChange={setFiles}
          />
          <LeaveGuard unsent={upload.state.is === 'done' ? 0 : files.length} />
          <SendBar
            files={files}
            check={check}
            upload={upload.state}
            progress={upload.progress}
            notReady={reasonNotReady()}
            onSend={() => void send()}
            onCancel={upload.cancel}
          />
        </>
      )}
    </>
  )
}

function UploadedFiles({ files }: { readonly files: readonly CheckedFile[] }) {
  const { rows, more } = useFirstRows(files)
  return (
    <>
      <ul className="file-list">
        {rows.map(({ name, size_bytes }) => (
          <li key={name}>
            <Icon name="file" />
            <span>{nameText(name)}</span>
            <span className="quiet">{sizeText(size_bytes)}</span>
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}

import { Button, Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import { joinList } from '@kitseal/kit/in-browser/words'
import { Notice } from '../parts/blocks.tsx'
import { Icon } from '../parts/icons.tsx'
import { sizeText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import { PROBLEMS_ID, problemsText } from './check-view.tsx'
import { type ChosenFile, totalBytes } from './chosen-files.ts'
import type { CheckState } from './use-check.ts'
import type { FileProgress, UploadState } from './use-upload.ts'

export interface SendBarProps {
  readonly files: readonly ChosenFile[]
  readonly check: CheckState
  readonly upload: UploadState
  readonly progress: ReadonlyMap<string, FileProgress>
  /** Why the files cannot be submitted yet. */
  readonly notReady: string | undefined
  onSend(): void
  onCancel(): void
}

/** Always in view: how many files and problems, and the button to submit, cancel or resume. */
export function SendBar(props: SendBarProps) {
  const { files, check, upload, progress, notReady, onSend, onCancel } = props
  if (upload.is === 'sending' || upload.is === 'done')
    return (
      <Bar
        status={<Sending files={files} progress={progress} />}
        actions={
          <Button variant="default" onClick={onCancel} disabled={upload.is === 'done'}>
            {t('console.new.cancel')}
          </Button>
        }
      />
    )
  const hasBlockers = check.is === 'done' && check.blockers.length > 0
  const isStopped = upload.is === 'stopped'
  return (
    <>
      {isStopped && (
        <Notice
          tone={upload.message === undefined ? 'info' : 'fail'}
          isAlert
          title={t('console.new.stoppedTitle')}
        >
          {upload.message ?? t('console.new.cancelled')} {t('console.new.stopped')}
        </Notice>
      )}
      <Bar
        status={
          <>
            <p className="strong">
              {files.length > 0 &&
                joinList([t('console.files', { count: files.length }), sizeText(totalBytes(files))])}
              <CheckSummary check={check} />
            </p>
            {check.is === 'running' && <Checking files={files} readBytes={check.readBytes} />}
            <p className={`quiet ${notReady === undefined ? 'send-hint' : ''}`}>{notReady}</p>
          </>
        }
        actions={
          <>
            <Button
              size="md"
              leftSection={<Icon name={isStopped ? 'retry' : 'upload'} />}
              disabled={notReady !== undefined || hasBlockers || check.is === 'running'}
              onClick={onSend}
            >
              {isStopped ? t('console.new.retry') : t('console.new.send')}
            </Button>
          </>
        }
      />
    </>
  )
}

function Bar({ status, actions }: { readonly status: ReactNode; readonly actions: ReactNode }) {
  return (
    <div className="send-bar">
      <div role="status">{status}</div>
      <div className="row">{actions}</div>
    </div>
  )
}

/** Below this size, the check ends before a progress bar is noticed. */
const SHOW_PROGRESS_BYTES = 50_000_000

function Checking({ files, readBytes }: Pick<SendBarProps, 'files'> & { readonly readBytes: number }) {
  const all = totalBytes(files)
  if (all < SHOW_PROGRESS_BYTES) return null
  return (
    <Progress
      value={Math.min(100, (readBytes / all) * 100)}
      aria-label={t('console.new.check.running')}
      className="send-progress"
    />
  )
}

function CheckSummary({ check }: { readonly check: CheckState }) {
  if (check.is === 'running') return <span className="quiet"> {t('console.new.check.running')}…</span>
  if (check.is !== 'done') return null
  if (check.blockers.length > 0)
    return (
      <>
        {', '}
        <a href={`#${PROBLEMS_ID}`} className="bad">
          {problemsText(check)}
        </a>
      </>
    )
  const isClean = check.findings.length === 0
  return (
    <span className="good">
      {' '}
      <span>{isClean ? t('console.new.check.goodTitle') : t('console.new.check.goodWithNotices')}</span>
    </span>
  )
}

function Sending({ files, progress }: Pick<SendBarProps, 'files' | 'progress'>) {
  const all = totalBytes(files)
  const sentBytes = files.reduce((sum, { name, file }) => sum + sentOf(progress.get(name), file.size), 0)
  const sent = files.filter(({ name }) => progress.get(name)?.is === 'sent').length
  return (
    <>
      <p className="strong">{t('console.new.sentOf', { sent, all: files.length })}</p>
      <Progress
        value={all === 0 ? 100 : (sentBytes / all) * 100}
        aria-label={t('console.new.sending')}
        className="send-progress"
      />
      <p className="quiet">{t('console.new.sending')}</p>
    </>
  )
}

function sentOf(progress: FileProgress | undefined, sizeBytes: number): number {
  if (progress?.is === 'sent') return sizeBytes
  return progress?.is === 'sending' ? progress.sentBytes : 0
}

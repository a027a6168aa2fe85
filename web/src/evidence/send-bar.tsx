import { Button } from '@mantine/core'
import { Notice } from '../parts/blocks.tsx'
import { Icon } from '../parts/icons.tsx'
import { texts } from '../texts/index.ts'
import type { CheckState } from './use-check.ts'
import type { UploadState } from './use-upload.ts'

export interface SendBarProps {
  readonly check: CheckState
  readonly upload: UploadState
  /** Why the files cannot be submitted yet. */
  readonly notReady: string | undefined
  onSend(): void
  onCancel(): void
}

/** Submit, cancel and resume. */
export function SendBar({ check, upload, notReady, onSend, onCancel }: SendBarProps) {
  const t = texts.console.new
  if (upload.is === 'sending' || upload.is === 'done')
    return (
      <div className="row send-bar">
        <Button variant="default" onClick={onCancel} disabled={upload.is === 'done'}>
          {t.cancel}
        </Button>
        <span className="quiet" role="status">
          {t.sending}
        </span>
      </div>
    )
  const hasBlockers = check.is === 'done' && check.blockers.length > 0
  return (
    <>
      {upload.is === 'stopped' && (
        <Notice tone={upload.message === undefined ? 'info' : 'fail'} isAlert title={t.stoppedTitle}>
          {upload.message ?? t.cancelled} {t.stopped}
        </Notice>
      )}
      <div className="row send-bar">
        <Button
          size="md"
          leftSection={<Icon name={upload.is === 'stopped' ? 'retry' : 'upload'} />}
          disabled={notReady !== undefined || hasBlockers || check.is === 'running'}
          onClick={onSend}
        >
          {upload.is === 'stopped' ? t.retry : t.send}
        </Button>
        {hasBlockers && notReady === undefined && (
          <Button variant="subtle" onClick={onSend}>
            {t.submitAnyway}
          </Button>
        )}
        <span className="quiet">{notReady ?? (hasBlockers ? t.submitAnywayHint : t.costs)}</span>
      </div>
    </>
  )
}

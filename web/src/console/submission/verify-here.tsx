import { ApiError } from '@kitseal/client'
import { Button } from '@mantine/core'
import { Alert, Card } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../core/texts.ts'
import '../../styles/verify.css'
import { ProgressView } from '../../verify/progress-view.tsx'
import { ResultView } from '../../verify/result-view.tsx'
import { useKitCheck } from '../../verify/use-kit-check.ts'
import { api } from '../client.ts'

export interface VerifyHereProps {
  readonly submissionId: string
  readonly kitId: string
}

/** Downloads the kit and verifies it in the browser against the published keys. */
export function VerifyHere({ submissionId, kitId }: VerifyHereProps) {
  const { state, isLoading, verify, reset } = useKitCheck(() => fetchKit(submissionId))
  if (state.is === 'running') return <ProgressView {...state} onStop={() => reset(t('verify.stopped'))} />
  if (state.is === 'done') return <ResultView result={state.result} expectedKitId={kitId} />
  return (
    <Card>
      <div className="row spread">
        <p className="verify-here-text">{t('console.submission.kit.verifyText')}</p>
        <Button variant="default" leftSection={<Icon name="shield" />} loading={isLoading} onClick={verify}>
          {t('console.submission.kit.verify')}
        </Button>
      </div>
      <Alert tone="warn" text={state.problem} />
    </Card>
  )
}

const fetchKit = (submissionId: string): Promise<Blob> =>
  api.getDeliverable(submissionId, 'kit.zip').catch((error: unknown) => {
    throw error instanceof ApiError
      ? new Error(t('console.submission.kit.notFetched', { status: error.status }))
      : error
  })

import { ApiError } from '@kitseal/client'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card, Notice } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { texts } from '../../texts/index.ts'
import '../../styles/verify.css'
import { ProgressView } from '../../verify/progress-view.tsx'
import { publishedKeys } from '../../verify/published-keys.ts'
import { ResultView } from '../../verify/result-view.tsx'
import { useVerification } from '../../verify/use-verification.ts'
import { api } from '../client.ts'
import { messageOf } from '../problem.tsx'

/** Downloads the kit and verifies it in the browser against the published keys. */
export function VerifyHere({
  submissionId,
  kitId,
}: {
  readonly submissionId: string
  readonly kitId: string
}) {
  const { state, start, reset } = useVerification()
  const [isFetching, setIsFetching] = useState(false)
  const t = texts.console.submission.kit
  const verify = async (): Promise<void> => {
    setIsFetching(true)
    try {
      const [keys, file] = await Promise.all([publishedKeys(), fetchKit(submissionId)])
      if (!keys.ok) throw new Error(keys.message)
      start({ is: 'zip', name: 'kit.zip', file }, keys.value)
    } catch (error) {
      reset(messageOf(error))
    } finally {
      setIsFetching(false)
    }
  }
  if (state.is === 'running') return <ProgressView {...state} onStop={() => reset(texts.verify.stopped)} />
  if (state.is === 'done') return <ResultView result={state.result} expectedKitId={kitId} />
  return (
    <Card>
      <div className="row spread">
        <p className="verify-here-text">{t.verifyText}</p>
        <Button
          variant="default"
          leftSection={<Icon name="shield" />}
          loading={isFetching}
          onClick={() => void verify()}
        >
          {t.verify}
        </Button>
      </div>
      {state.problem !== undefined && (
        <Notice tone="warn" isAlert>
          {state.problem}
        </Notice>
      )}
    </Card>
  )
}

async function fetchKit(submissionId: string): Promise<File> {
  const zip = await api.getDeliverable(submissionId, 'kit.zip').catch((error: unknown) => {
    throw error instanceof ApiError ? new Error(texts.console.submission.kit.notFetched(error.status)) : error
  })
  return new File([zip], 'kit.zip', { type: 'application/zip' })
}

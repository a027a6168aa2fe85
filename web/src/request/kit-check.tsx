import { serviceVerdict } from '@kitseal/kit/in-browser'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../parts/blocks.tsx'
import { Icon } from '../parts/icons.tsx'
import { texts } from '../texts/index.ts'
import { ProgressView } from '../verify/progress-view.tsx'
import { publishedKeys } from '../verify/published-keys.ts'
import { ResultView } from '../verify/result-view.tsx'
import { useVerification } from '../verify/use-verification.ts'
import '../styles/verify.css'

/** Downloads the kit into the browser and verifies it there. */
export function KitCheck({ url, kitId }: { readonly url: string; readonly kitId: string }) {
  const { state, start, reset } = useVerification()
  const [problem, setProblem] = useState<string>()
  const [isLoading, setIsLoading] = useState(false)
  const t = texts.request.kit
  const verify = async (): Promise<void> => {
    setIsLoading(true)
    setProblem(undefined)
    try {
      const keys = await publishedKeys()
      if (!keys.ok) throw new Error(keys.message)
      const response = await fetch(url)
      if (!response.ok) throw new Error(texts.problem.unexpected)
      const file = new File([await response.blob()], 'kit.zip', { type: 'application/zip' })
      start({ is: 'zip', name: file.name, file }, keys.value)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setIsLoading(false)
  }
  if (state.is === 'running')
    return (
      <ProgressView
        name={state.name}
        readBytes={state.readBytes}
        allBytes={state.allBytes}
        onStop={() => reset()}
      />
    )
  if (state.is === 'done') {
    const verdict = serviceVerdict(state.result, kitId)
    return (
      <div aria-live="polite" className="kit-check">
        <Notice tone={verdict.tone} title={verdict.heading}>
          {verdict.sentence}
          <details className="more">
            <summary>{t.details}</summary>
            <ResultView result={state.result} expectedKitId={kitId} />
          </details>
        </Notice>
      </div>
    )
  }
  const message = problem ?? state.problem
  return (
    <>
      {message !== undefined && (
        <Notice tone="fail" isAlert>
          {message}
        </Notice>
      )}
      <Button
        className="kit-check"
        variant="default"
        loading={isLoading}
        leftSection={<Icon name="shield" />}
        onClick={() => void verify()}
      >
        {t.verify}
      </Button>
    </>
  )
}

import { Button, Progress } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { sizeText } from '../core/readable.ts'
import { t } from '../core/texts.ts'

export interface ProgressViewProps {
  readonly name: string
  readonly readBytes: number
  readonly allBytes: number
  /** False if verification started by itself. */
  readonly isFocused?: boolean
  onStop(): void
}

export function ProgressView({ name, readBytes, allBytes, isFocused = true, onStop }: ProgressViewProps) {
  const button = useRef<HTMLButtonElement>(null)
  // The element that had the focus is gone.
  useEffect(() => {
    if (isFocused) button.current?.focus()
  }, [isFocused])
  const stop = (): void => {
    document.querySelector('main')?.focus()
    onStop()
  }
  // Slightly more than the file size is read, because parts of a kit are read twice.
  const percent = Math.min(100, allBytes === 0 ? 100 : (readBytes / allBytes) * 100)
  return (
    <section className="card" aria-label={t('verify.working', { name })}>
      <p className="strong">{t('verify.working', { name })}</p>
      <Progress
        value={percent}
        size="lg"
        aria-label={t('verify.working', { name })}
        transitionDuration={100}
      />
      <div className="row spread">
        <span className="quiet">
          {t('verify.progress', { done: sizeText(Math.min(readBytes, allBytes)), all: sizeText(allBytes) })}
        </span>
        <Button ref={button} variant="default" onClick={stop}>
          {t('verify.stop')}
        </Button>
      </div>
    </section>
  )
}

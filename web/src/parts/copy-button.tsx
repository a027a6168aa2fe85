import { useEffect, useState } from 'react'
import { texts } from '../texts/index.ts'
import { Icon } from './icons.tsx'

export interface CopyButtonProps {
  readonly value: string
  /** What is copied, for who cannot see it. */
  readonly what: string
}

export function CopyButton({ value, what }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), state === 'copied' ? 2000 : 6000)
    return () => clearTimeout(timer)
  }, [state])
  const copy = (): void => {
    const writing = navigator.clipboard?.writeText(value) ?? Promise.reject(new Error('no clipboard'))
    writing.then(
      () => setState('copied'),
      () => setState('refused'),
    )
  }
  const { copy: t } = texts
  return (
    <>
      <button
        type="button"
        className="copy no-print"
        onClick={copy}
        aria-label={t.copyWhat(what)}
        title={t.copyWhat(what)}
      >
        <Icon name={state === 'copied' ? 'check' : 'copy'} size={15} />
      </button>
      <span className={state === 'refused' ? 'copy-refused no-print' : 'visually-hidden'} role="status">
        {state === 'copied' ? t.copied : state === 'refused' ? t.refused : ''}
      </span>
    </>
  )
}

/** A hash, id or key, whole, in letters of one width, with a way to copy it. */
export function Code({ value, what }: CopyButtonProps) {
  return (
    <span className="code">
      <code>{value}</code>
      <CopyButton value={value} what={what} />
    </span>
  )
}

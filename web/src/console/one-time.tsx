import { type ReactNode, useEffect, useState } from 'react'
import { t } from '../core/texts.ts'
import { listen } from '../core/router.tsx'
import { Dialog, openDialog } from '../parts/ask.tsx'
import { Button } from '../parts/button.tsx'

/** A link or secret that the service shows once. */
export interface OneTime {
  /** Names the value. */
  readonly label: string
  readonly value: string
}

export interface ShownOnce {
  readonly title: string
  readonly text: string
  readonly values: readonly OneTime[]
  readonly below?: ReactNode
}

/** Shows what cannot be shown again. It stays until everything was copied, or the user says that it is saved. */
export function showOnce(once: ShownOnce): void {
  if (once.values.length > 0 || once.below !== undefined)
    openDialog((close) => <OneTimeDialog {...once} close={close} />)
}

function OneTimeDialog({ title, text, values, below, close }: ShownOnce & { readonly close: () => void }) {
  const [copied, setCopied] = useState<readonly string[]>([])
  const isLeft = values.some(({ value }) => !copied.includes(value))
  useEffect(
    () => (isLeft ? listen(['beforeunload'], (event) => event.preventDefault()) : undefined),
    [isLeft],
  )
  const copy = (chosen: readonly OneTime[]): void => {
    const written = chosen.length === 1 ? chosen[0]?.value : chosen.map(lineOf).join('\n')
    navigator.clipboard?.writeText(written ?? '').then(
      () => setCopied((before) => [...before, ...chosen.map(({ value }) => value)]),
      () => undefined,
    )
  }
  return (
    <Dialog title={title} onClose={() => isLeft || close()}>
      <p>{text}</p>
      {values.some(({ value }) => LOCAL.test(value)) && (
        <p className="bad">{t('console.once.local', { host: location.host })}</p>
      )}
      {values.map(({ label, value }) => (
        <div className="beside" key={value}>
          <label>
            <span className="strong">{label}</span>
            <input className="input" readOnly value={value} onFocus={({ target }) => target.select()} />
          </label>
          <Button icon="copy" subject={label} onClick={() => copy([{ label, value }])}>
            {copied.includes(value) ? t('copy.copied') : t('console.once.copy')}
          </Button>
        </div>
      ))}
      {below}
      <div className="row dialog-actions">
        {values.length > 1 && <Button onClick={() => copy(values)}>{t('console.once.copyAll')}</Button>}
        <Button look={isLeft ? 'plain' : 'main'} onClick={close}>
          {isLeft ? t('console.once.saved') : t('console.once.done')}
        </Button>
      </div>
    </Dialog>
  )
}

const lineOf = ({ label, value }: OneTime): string => `${label}\t${value}`

/** Links that work on this computer alone. */
const LOCAL = /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/)/

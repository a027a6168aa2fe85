import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { CopyButton } from '../../parts/copy-button.tsx'
import { t } from '../../core/texts.ts'

export interface Secret {
  readonly title: string
  readonly text: string
  readonly value: string
  readonly what: string
}

/** Shows a secret once. */
export function NewSecret({ secret, onDone }: { readonly secret: Secret; readonly onDone: () => void }) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [secret])
  return (
    <section className="secret card" ref={box} tabIndex={-1} aria-label={secret.title}>
      <h2>{secret.title}</h2>
      <p>{secret.text}</p>
      <p className="secret-value">
        <code>{secret.value}</code>
        <CopyButton value={secret.value} what={secret.what} />
      </p>
      <Button variant="default" onClick={onDone}>
        {t('console.secretDone')}
      </Button>
    </section>
  )
}

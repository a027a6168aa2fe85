import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { Link } from '../../router.tsx'
import { texts } from '../../texts/index.ts'

export interface NewLinkProps {
  readonly url: string
  /** How long it works, in words. */
  readonly life: string
  onDone(): void
}

/** The link of a new share, which is shown once. */
export function NewLink({ url, life, onDone }: NewLinkProps) {
  const [isCopied, setIsCopied] = useState(false)
  const t = texts.console.shares
  const copy = (): void => {
    void navigator.clipboard?.writeText(url).then(() => setIsCopied(true))
  }
  return (
    <>
      <p>{t.createdText(life)}</p>
      <input
        className="link-field"
        readOnly
        value={url}
        aria-label={t.link}
        onFocus={({ target }) => target.select()}
      />
      <div className="row dialog-actions">
        <Link href="/console/shares">{t.toShares}</Link>
        <Button variant="default" leftSection={<Icon name={isCopied ? 'check' : 'copy'} />} onClick={copy}>
          <span role="status">{isCopied ? t.copied : t.copy}</span>
        </Button>
        <Button data-autofocus onClick={onDone}>
          {t.done}
        </Button>
      </div>
    </>
  )
}

import type { Share } from '@kitseal/client'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { nameText } from '../../readable.ts'
import { Link } from '../../router.tsx'
import { texts } from '../../texts/index.ts'

export interface NewLinkProps {
  readonly url: string
  readonly recipients: Share['recipients']
  /** How long it works, in words. */
  readonly life: string
  onDone(): void
}

/** The links of a new share, which are shown once. */
export function NewLink({ url, recipients, life, onDone }: NewLinkProps) {
  const [isCopied, setIsCopied] = useState(false)
  const t = texts.console.shares
  const copy = (): void => {
    void navigator.clipboard?.writeText(url).then(() => setIsCopied(true))
  }
  return (
    <>
      <Recipients recipients={recipients} />
      {recipients.length > 0 && <p>{t.ownLink}</p>}
      <LinkField url={url} label={t.link} />
      <p className="quiet">{t.createdText(life)}</p>
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

/** Whom the service has mailed. If it sends no mail, their links. */
function Recipients({ recipients }: Pick<NewLinkProps, 'recipients'>) {
  const t = texts.console.shares
  if (recipients.length === 0) return null
  const unsent = recipients.filter(({ url }) => url !== null)
  if (unsent.length === 0)
    return <p role="status">{t.mailedTo(recipients.map(({ email }) => nameText(email)).join(', '))}</p>
  return (
    <>
      <p role="status">{t.notMailed}</p>
      {unsent.map(({ email, url }) => (
        <div key={email}>
          <span className="quiet">{nameText(email)}</span>
          <LinkField url={url ?? ''} label={t.linkFor(nameText(email))} />
        </div>
      ))}
    </>
  )
}

function LinkField({ url, label }: { readonly url: string; readonly label: string }) {
  return (
    <input
      className="link-field"
      readOnly
      value={url}
      aria-label={label}
      onFocus={({ target }) => target.select()}
    />
  )
}

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { CopyButton } from '../../parts/copy-button.tsx'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import type { Linked } from './linked.ts'
import { mailText } from './mail-text.ts'
import { SHARES } from './shares-key.ts'

export interface NewLinkProps {
  /** The answer that created links, which are shown once. */
  readonly share: Linked
  onDone(): void
}

/** The links of a new share or a new recipient. If there is one, it is the one that is copied. */
export function NewLink({ share, onDone }: NewLinkProps) {
  const { url, recipients } = share
  const links = [
    ...(url === null ? [] : [{ name: undefined, url }]),
    ...recipients.flatMap((each) =>
      each.url === null ? [] : [{ name: nameText(each.email), url: each.url }],
    ),
  ]
  const only = links.length === 1 ? links[0]?.url : undefined
  const isCopied = useCopied(only)
  return (
    <>
      {isCopied && <p role="status">{t('console.shares.copied')}</p>}
      {links.map((link) => (
        <div key={link.url}>
          <span className="strong">
            {link.name ??
              (share.has_password
                ? t('console.shares.forAnyoneWithPassword')
                : t('console.shares.forAnyone'))}
          </span>
          <div className="row nowrap">
            <LinkField
              url={link.url}
              label={
                link.name === undefined
                  ? t('console.shares.link')
                  : t('console.shares.linkFor', { address: link.name })
              }
            />
            <CopyButton
              value={link.url}
              what={
                link.name === undefined
                  ? t('console.shares.link')
                  : t('console.shares.linkFor', { address: link.name })
              }
            />
          </div>
        </div>
      ))}
      <Mails share={share} />
      {links.length > 0 && <p className="quiet">{t('console.shares.once')}</p>}
      <div className="row dialog-actions">
        <Button data-autofocus onClick={onDone}>
          {t('console.shares.done')}
        </Button>
      </div>
    </>
  )
}

/** The browser may refuse, if the click is too long ago. */
function useCopied(url: string | undefined): boolean {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (url !== undefined)
      navigator.clipboard?.writeText(url).then(
        () => setIsCopied(true),
        () => setIsCopied(false),
      )
  }, [url])
  return isCopied
}

const WAITING_MS = 2000

/** What becomes of each mail. */
function Mails({ share }: Pick<NewLinkProps, 'share'>) {
  const { data = share } = useQuery({
    queryKey: [...SHARES, share.id],
    queryFn: () => share.get(),
    enabled: share.recipients.some(({ mail }) => mail !== null),
    refetchInterval: ({ state }) =>
      state.data?.recipients.every(({ mail }) => mail?.status !== 'queued') === true ? false : WAITING_MS,
  })
  const mailed = data.recipients.filter(({ mail }) => mail !== null)
  return (
    <ul className="plain-list" aria-live="polite">
      {mailed.map(({ email, mail }) => (
        <li key={email}>
          {nameText(email) + t('common.colon')}
          {mailText(mail)}
        </li>
      ))}
    </ul>
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

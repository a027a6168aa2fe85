import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { Notice } from '../parts/blocks.tsx'
import { Link } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { api } from './client.ts'
import { useMe } from './session.tsx'

/** A member without a passkey cannot sign in again. */
export function useNeedsPasskey(): boolean {
  const { passkeys, session } = useMe()
  return passkeys === 0 && session.method === 'link'
}

/** Reminds members to add a passkey, if the browser supports it. */
export function NoPasskey() {
  const isNeeded = useNeedsPasskey()
  const facts = useQuery({
    queryKey: ['public'],
    queryFn: () => api.getServiceInfo(),
    enabled: isNeeded,
  })
  if (!isNeeded || !browserSupportsWebAuthn() || facts.data?.console.passkeys !== true) return null
  return (
    <Notice tone="warn">
      {t('console.account.passkeys.none')}{' '}
      <Link href="/console/account">{t('console.account.passkeys.add')}</Link>
    </Notice>
  )
}

import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { Notice } from '../parts/blocks.tsx'
import type { ServiceFacts } from '../public/service-facts.ts'
import { Link } from '../router.tsx'
import { texts } from '../texts/index.ts'
import { get } from './api.ts'
import { useMe } from './session.tsx'

/** Whoever came by a link and has no passkey is locked out when the session ends. */
export function useNeedsPasskey(): boolean {
  const { passkeys, session } = useMe()
  return passkeys === 0 && session.method === 'link'
}

/** Says so where they begin, as long as a passkey can be made here. */
export function NoPasskey() {
  const isNeeded = useNeedsPasskey()
  const facts = useQuery({
    queryKey: ['public'],
    queryFn: () => get<ServiceFacts>('/public'),
    enabled: isNeeded,
  })
  const t = texts.console.account.passkeys
  if (!isNeeded || !browserSupportsWebAuthn() || facts.data?.console.passkeys !== true) return null
  return (
    <Notice tone="warn">
      {t.none} <Link href="/console/account">{t.add}</Link>
    </Notice>
  )
}

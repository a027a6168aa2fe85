import type { ApiError } from '@kitseal/client'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Notice } from '../../parts/blocks.tsx'
import { Icon, Seal } from '../../parts/icons.tsx'
import { PublicFrame } from '../../parts/frame.tsx'
import { useLocation } from '../../core/router.tsx'
import { known, t } from '../../core/texts.ts'
import { queryText } from '../../core/query-text.ts'
import { api } from '../client.ts'
import { Problem } from '../problem.tsx'
import { ME } from '../session.tsx'
import { signIn } from './passkeys.ts'

/** Signs in with a passkey or with single sign-on. */
export function SignInPage({ ended }: { readonly ended: ApiError }) {
  const { pathname, searchParams } = useLocation()
  const queries = useQueryClient()
  const facts = useQuery({ queryKey: ['public'], queryFn: () => api.getServiceInfo() })
  const entering = useMutation({
    mutationFn: signIn,
    onSuccess: (me) => {
      // It may be a different member than before.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] })
      queries.setQueryData(ME, me)
    },
  })
  const problem = searchParams.get('problem')
  const oidc = facts.data?.console.oidc
  const canUsePasskeys = browserSupportsWebAuthn() && facts.data?.console.passkeys !== false
  const returnTo = pathname === '/console/sign-in' ? '/console' : pathname
  return (
    <PublicFrame title={t('console.signIn.title')}>
      <div className="door card">
        <Seal size={44} />
        <h1>{t('console.signIn.heading')}</h1>
        {problem !== null && (
          <Notice tone="fail" isAlert>
            {known(`console.signIn.oidcProblems.${problem}`) ??
              t('console.signIn.oidcProblems.oidc_unavailable')}
          </Notice>
        )}
        {ended.code === 'session_stolen' && (
          <Notice tone="warn" isAlert>
            {ended.message}
          </Notice>
        )}
        {entering.error !== null && <Problem error={entering.error} />}
        {canUsePasskeys ? (
          <Button
            size="md"
            fullWidth
            leftSection={<Icon name="key" size={20} />}
            loading={entering.isPending}
            onClick={() => entering.mutate()}
          >
            {t('console.signIn.withPasskey')}
          </Button>
        ) : (
          <Notice tone="warn">{t('console.signIn.unsupported')}</Notice>
        )}
        {oidc != null && (
          <Button
            component="a"
            size="md"
            fullWidth
            variant="default"
            href={`/console/api/oidc/start${queryText({ return_to: returnTo })}`}
          >
            {t('console.signIn.withOidc', { name: oidc.name })}
          </Button>
        )}
        <p className="quiet">{t('console.signIn.noAccount')}</p>
        <p className="quiet">
          {t('console.signIn.operator')} <code>{t('console.signIn.operatorCommand')}</code>
        </p>
      </div>
    </PublicFrame>
  )
}

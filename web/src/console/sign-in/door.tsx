import type { ApiError } from '@kitseal/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryText, useLocation } from '../../core/router.tsx'
import { known, t } from '../../core/texts.ts'
import { Notice, Loading, Problem } from '../../parts/blocks.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Seal } from '../../parts/icons.tsx'
import { PublicFrame } from '../../parts/frame.tsx'
import { api } from '../client.ts'
import { canUsePasskeys, ME, roleText, useServiceInfo, signIn } from '../session.tsx'

/** A page for people who are not signed in. */
export function Door({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <PublicFrame title={title}>
      <div className="door card">
        <Seal size={44} />
        {children}
      </div>
    </PublicFrame>
  )
}

/** Signs in with a passkey or with single sign-on. */
export function SignInPage({ ended }: { readonly ended: ApiError }) {
  const { pathname, searchParams } = useLocation()
  const queries = useQueryClient()
  const info = useServiceInfo()
  const entering = useMutation({
    mutationFn: signIn,
    onSuccess: (me) => {
      // It may be a different member than before.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] })
      queries.setQueryData(ME, me)
    },
  })
  const problem = searchParams.get('problem')
  const oidc = info.data?.console.oidc
  const returnTo = pathname === '/console/sign-in' ? '/console' : pathname
  return (
    <Door title={t('console.signIn.title')}>
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
      <Problem error={entering.error} />
      {canUsePasskeys(info.data) ? (
        <Button icon="key" isBusy={entering.isPending} onClick={() => entering.mutate()}>
          {t('console.signIn.withPasskey')}
        </Button>
      ) : (
        <Notice tone="warn">{t('console.signIn.unsupported')}</Notice>
      )}
      {oidc != null && (
        <LinkButton href={`/console/api/oidc/start${queryText({ return_to: returnTo })}`}>
          {t('console.signIn.withOidc', { name: oidc.name })}
        </LinkButton>
      )}
      <p className="quiet">{t('console.signIn.noAccount')}</p>
      <p className="quiet">
        {t('console.signIn.operator')} <code>{t('console.signIn.operatorCommand')}</code>
      </p>
    </Door>
  )
}

/** `/console/choose-workspace`: which workspace single sign-on opens. */
export function ChoosePage() {
  const asked = useQuery({
    queryKey: ['choices'],
    queryFn: () => api.listWorkspaceChoices(),
    retry: false,
    staleTime: Infinity,
  })
  const choosing = useMutation({
    mutationFn: (workspaceId: string) => api.chooseWorkspace(workspaceId),
    onSuccess: ({ return_to }) => location.assign(return_to),
  })
  const error = asked.error ?? choosing.error
  return (
    <Door title={t('console.choose.title')}>
      <h1>{t('console.choose.title')}</h1>
      {asked.isPending && <Loading />}
      {asked.data !== undefined && (
        <p className="quiet">{t('console.choose.lead', { email: asked.data.email })}</p>
      )}
      {error === null &&
        asked.data?.choices.map(({ workspace_id, name, role, is }) => (
          <div key={workspace_id}>
            <Button
              look={is === 'member' ? 'main' : 'plain'}
              isBusy={choosing.isPending && choosing.variables === workspace_id}
              onClick={() => choosing.mutate(workspace_id)}
            >
              {is === 'invited' ? t('console.choose.join', { workspace: name }) : name}
            </Button>
            <p className="quiet">
              {is === 'linked'
                ? t('console.choose.linked')
                : t('console.choose.role', { role: roleText(role) })}
            </p>
          </div>
        ))}
      <Problem error={error} />
      {error !== null && <a href="/console">{t('console.invite.toSignIn')}</a>}
    </Door>
  )
}

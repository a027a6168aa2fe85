import type { ApiError } from '@kitseal/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { queryText, useLocation } from '../../core/router.tsx'
import { known, t } from '../../core/texts.ts'
import { Notice, Loading, Problem } from '../../parts/blocks.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Seal } from '../../parts/icons.tsx'
import { PublicFrame } from '../../parts/frame.tsx'
import { api } from '../client.ts'
import { canUsePasskeys, ME, roleText, useServiceInfo, signIn, acceptWithPasskey } from '../session.tsx'
import type { OpenInvitation } from '../../core/console-types.generated.ts'
import { Fields, Form, useFields } from '../../parts/fields.tsx'
import { Time } from '../../parts/time.tsx'
import { isMissing } from '../../core/fetch-json.ts'

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

/** Removed from the URL at once, so that it does not stay in the browser history. */
const token = location.pathname === '/console/invite' ? location.hash.slice(1) : ''

/** `/console/invite#TOKEN`: accepts an invitation and creates a passkey. */
export function InvitePage() {
  useEffect(() => history.replaceState(null, '', '/console/invite'), [])
  const invitation = useQuery({
    queryKey: ['invitation'],
    queryFn: () => api.getInvitation(token),
    retry: false,
    staleTime: Infinity,
    enabled: token !== '',
  })
  const { error, data } = invitation
  const isInvalid = isMissing(error)
  return (
    <Door title={t('console.invite.title')}>
      {token !== '' && invitation.isPending && <Loading />}
      {data !== undefined && <Accept invitation={data} />}
      {(token === '' || error !== null) && (
        <>
          <h1>
            {token === ''
              ? t('console.invite.noToken.title')
              : isInvalid
                ? t('console.invite.invalid')
                : t('console.invite.title')}
          </h1>
          {token === '' && <p className="quiet">{t('console.invite.noToken.text')}</p>}
          {isInvalid && <p role="alert">{t('console.invite.invalidHint')}</p>}
          {!isInvalid && <Problem error={error} onRetry={() => void invitation.refetch()} />}
          <a href="/console">{t('console.invite.toSignIn')}</a>
        </>
      )}
    </Door>
  )
}

function Accept({ invitation }: { readonly invitation: OpenInvitation }) {
  const { workspace, email, expires_at, purpose, sso_required } = invitation
  const role = roleText(invitation.role)
  const asksWorkspace = workspace.named_by === 'service' && invitation.role === 'owner'
  const asksEmail = email.endsWith('@localhost')
  const [values, set] = useFields({ organization: '', name: '', email: '', label: '' })
  const introduction = {
    ...(values.name.trim() === '' ? {} : { name: values.name.trim() }),
    ...(asksEmail ? { email: values.email.trim() } : {}),
    ...(asksWorkspace ? { workspace_name: values.organization.trim() } : {}),
  }
  const info = useServiceInfo()
  const hasPasskeys = canUsePasskeys(info.data)
  const entered = { onSuccess: () => location.assign('/console') }
  const withPasskey = useMutation({
    mutationFn: () => acceptWithPasskey(token, values.label, introduction),
    ...entered,
  })
  const without = useMutation({ mutationFn: () => api.acceptInvitation(token, introduction), ...entered })
  const oidc = info.data?.console.oidc
  const sso = oidc != null && (
    <LinkButton look={sso_required ? 'main' : 'plain'} href="/console/api/oidc/start?ask=workspace">
      {t('console.invite.withOidc', { name: oidc.name })}
    </LinkButton>
  )
  const head = (
    <>
      <h1>
        {asksWorkspace
          ? t('console.invite.setUp')
          : t('console.invite.heading', { workspace: workspace.name })}
      </h1>
      <p className="quiet">
        {asksWorkspace ? t('console.invite.setUpText') : t('console.invite.as', { email, role })}
      </p>
    </>
  )
  if (sso_required)
    return (
      <>
        {head}
        <p>{t('console.invite.sso')}</p>
        {sso}
      </>
    )
  return (
    <Form className="fields" onSubmit={(by) => (by === 'without' ? without.mutate() : withPasskey.mutate())}>
      {head}
      <Fields
        texts="console.invite"
        values={values}
        set={set}
        fields={[
          asksWorkspace && {
            name: 'organization',
            isRequired: true,
            maxLength: 200,
            autoComplete: 'organization',
          },
          purpose === 'join' && {
            name: 'name',
            isRequired: asksWorkspace,
            maxLength: 100,
            autoComplete: 'name',
          },
          asksEmail && {
            name: 'email',
            is: 'email',
            isRequired: true,
            maxLength: 254,
            autoComplete: 'email',
          },
          hasPasskeys && { name: 'label', maxLength: 100 },
        ]}
      />
      <Problem error={withPasskey.error ?? without.error} />
      {hasPasskeys ? (
        <Button
          type="submit"
          look="main"

          icon="key"
          isBusy={withPasskey.isPending}
        >
          {t('console.invite.makePasskey')}
        </Button>
      ) : (
        <Notice tone="warn">{t('console.invite.unsupported')}</Notice>
      )}
      {sso}
      <Button type="submit" look="quiet" value="without" isBusy={without.isPending}>
        {t('console.invite.without')}
      </Button>
      <p className="quiet">
        {t('console.invite.expires')}{' '}
        <span className="nowrap">
          <Time at={expires_at} />
        </span>
      </p>
    </Form>
  )
}

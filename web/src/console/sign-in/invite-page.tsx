import type { OpenInvitation } from '../../core/console-types.generated.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { t } from '../../core/texts.ts'
import { Notice, Loading, Problem } from '../../parts/blocks.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Fields, Form, useFields } from '../../parts/fields.tsx'
import { Time } from '../../parts/time.tsx'
import { api } from '../client.ts'
import { isMissing } from '../../core/error-message.ts'
import { canUsePasskeys, roleText, useServiceInfo, acceptWithPasskey } from '../session.tsx'
import { Door } from './door.tsx'

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

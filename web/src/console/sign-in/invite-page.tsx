import type { OpenInvitation } from '@kitseal/client/console'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Notice } from '../../parts/blocks.tsx'
import { Icon, Seal } from '../../parts/icons.tsx'
import { PublicFrame } from '../../parts/frame.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Form, useFields } from '../form.tsx'
import { isMissing, Loading, Problem } from '../problem.tsx'
import { acceptWithPasskey } from './passkeys.ts'

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
  return (
    <PublicFrame title={t('console.invite.title')}>
      <div className="door card">
        <Seal size={44} />
        {token === '' && (
          <>
            <h1>{t('console.invite.noToken.title')}</h1>
            <p className="quiet">{t('console.invite.noToken.text')}</p>
            <a href="/console">{t('console.invite.toSignIn')}</a>
          </>
        )}
        {token !== '' && invitation.isPending && <Loading />}
        {invitation.error !== null && (
          <>
            <h1>{isMissing(invitation.error) ? t('console.invite.invalid') : t('console.invite.title')}</h1>
            {isMissing(invitation.error) ? (
              <p role="alert">{t('console.invite.invalidHint')}</p>
            ) : (
              <Problem error={invitation.error} onRetry={() => void invitation.refetch()} />
            )}
            <a href="/console">{t('console.invite.toSignIn')}</a>
          </>
        )}
        {invitation.data !== undefined && <Accept invitation={invitation.data} />}
      </div>
    </PublicFrame>
  )
}

function Accept({ invitation }: { readonly invitation: OpenInvitation }) {
  const { workspace, role, email, expires_at, purpose, sso_required } = invitation
  const asksWorkspace = workspace.named_by === 'service' && role === 'owner'
  const asksEmail = email.endsWith('@localhost')
  const { values, text } = useFields({ label: '', name: '', email: '', organization: '' })
  const introduction = {
    ...(values.name.trim() === '' ? {} : { name: values.name.trim() }),
    ...(asksEmail ? { email: values.email.trim() } : {}),
    ...(asksWorkspace ? { workspace_name: values.organization.trim() } : {}),
  }
  const facts = useQuery({ queryKey: ['public'], queryFn: () => api.getServiceInfo() })
  const canUsePasskeys = browserSupportsWebAuthn() && facts.data?.console.passkeys !== false
  const entered = { onSuccess: () => location.assign('/console') }
  const withPasskey = useMutation({
    mutationFn: () => acceptWithPasskey(token, values.label, introduction),
    ...entered,
  })
  const without = useMutation({ mutationFn: () => api.acceptInvitation(token, introduction), ...entered })
  const oidc = facts.data?.console.oidc
  const sso = oidc != null && (
    <Button
      component="a"
      size="md"
      fullWidth
      variant={sso_required ? 'filled' : 'default'}
      href="/console/api/oidc/start?ask=workspace"
    >
      {t('console.invite.withOidc', { name: oidc.name })}
    </Button>
  )
  if (sso_required)
    return (
      <>
        <h1>{t('console.invite.heading', { workspace: workspace.name })}</h1>
        <p className="quiet">{t('console.invite.as', { email, role })}</p>
        <p>{t('console.invite.sso')}</p>
        {sso}
      </>
    )
  return (
    <Form onSubmit={(by) => (by === 'without' ? without.mutate() : withPasskey.mutate())}>
      <h1>
        {asksWorkspace
          ? t('console.invite.setUp')
          : t('console.invite.heading', { workspace: workspace.name })}
      </h1>
      <p className="quiet">
        {asksWorkspace ? t('console.invite.setUpText') : t('console.invite.as', { email, role })}
      </p>
      {asksWorkspace && (
        <TextInput
          label={t('console.invite.organization')}
          description={t('console.invite.organizationHint')}
          required
          maxLength={200}
          autoComplete="organization"
          {...text('organization')}
        />
      )}
      {purpose === 'join' && (
        <TextInput
          label={t('console.invite.name')}
          required={asksWorkspace}
          maxLength={100}
          autoComplete="name"
          {...text('name')}
        />
      )}
      {asksEmail && (
        <TextInput
          label={t('console.invite.email')}
          type="email"
          required
          maxLength={254}
          autoComplete="email"
          {...text('email')}
        />
      )}
      {(withPasskey.error ?? without.error) !== null && (
        <Problem error={withPasskey.error ?? without.error} />
      )}
      {canUsePasskeys ? (
        <>
          <TextInput
            label={t('console.invite.label')}
            description={t('console.invite.labelHint')}
            placeholder={t('console.invite.labelExample')}
            maxLength={100}
            {...text('label')}
          />
          <Button
            type="submit"
            size="md"
            fullWidth
            leftSection={<Icon name="key" size={20} />}
            loading={withPasskey.isPending}
          >
            {t('console.invite.makePasskey')}
          </Button>
        </>
      ) : (
        <Notice tone="warn">{t('console.invite.unsupported')}</Notice>
      )}
      {sso}
      <Button type="submit" value="without" variant="subtle" fullWidth loading={without.isPending}>
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

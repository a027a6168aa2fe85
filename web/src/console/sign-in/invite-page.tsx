import type { OpenInvitation } from '@kitseal/client/console'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Notice } from '../../parts/blocks.tsx'
import { Icon, Seal } from '../../parts/icons.tsx'
import { PublicFrame } from '../../parts/public-frame.tsx'
import { Time } from '../../parts/time.tsx'
import { texts } from '../../texts/index.ts'
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
  const t = texts.console.invite
  return (
    <PublicFrame title={t.title}>
      <div className="door card">
        <Seal size={44} />
        {token === '' && (
          <>
            <h1>{t.noToken.title}</h1>
            <p className="quiet">{t.noToken.text}</p>
            <a href="/console">{t.toSignIn}</a>
          </>
        )}
        {token !== '' && invitation.isPending && <Loading />}
        {invitation.error !== null && (
          <>
            <h1>{isMissing(invitation.error) ? t.invalid : t.title}</h1>
            {isMissing(invitation.error) ? (
              <p role="alert">{t.invalidHint}</p>
            ) : (
              <Problem error={invitation.error} onRetry={() => void invitation.refetch()} />
            )}
            <a href="/console">{t.toSignIn}</a>
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
  const t = texts.console.invite
  const oidc = facts.data?.console.oidc
  const sso = oidc != null && (
    <Button
      component="a"
      size="md"
      fullWidth
      variant={sso_required ? 'filled' : 'default'}
      href="/console/api/oidc/start?ask=workspace"
    >
      {t.withOidc(oidc.name)}
    </Button>
  )
  if (sso_required)
    return (
      <>
        <h1>{t.heading(workspace.name)}</h1>
        <p className="quiet">{t.as(email, texts.console.roles.names[role])}</p>
        <p>{t.sso}</p>
        {sso}
      </>
    )
  return (
    <Form onSubmit={(by) => (by === 'without' ? without.mutate() : withPasskey.mutate())}>
      <h1>{asksWorkspace ? t.setUp : t.heading(workspace.name)}</h1>
      <p className="quiet">{asksWorkspace ? t.setUpText : t.as(email, texts.console.roles.names[role])}</p>
      {asksWorkspace && (
        <TextInput
          label={t.organization}
          description={t.organizationHint}
          required
          maxLength={200}
          autoComplete="organization"
          {...text('organization')}
        />
      )}
      {purpose === 'join' && (
        <TextInput
          label={t.name}
          required={asksWorkspace}
          maxLength={100}
          autoComplete="name"
          {...text('name')}
        />
      )}
      {asksEmail && (
        <TextInput
          label={t.email}
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
            label={t.label}
            description={t.labelHint}
            placeholder={t.labelExample}
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
            {t.makePasskey}
          </Button>
        </>
      ) : (
        <Notice tone="warn">{t.unsupported}</Notice>
      )}
      {sso}
      <Button type="submit" value="without" variant="subtle" fullWidth loading={without.isPending}>
        {t.without}
      </Button>
      <p className="quiet">
        {t.expires}{' '}
        <span className="nowrap">
          <Time at={expires_at} />
        </span>
      </p>
    </Form>
  )
}

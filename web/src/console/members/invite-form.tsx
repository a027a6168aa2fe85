import type { Role } from '@kitseal/client/console'
import { Button, Select, TextInput } from '@mantine/core'
import { Card } from '../../parts/blocks.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Form, useFields } from '../form.tsx'
import type { Secret } from '../keys/new-secret.tsx'
import { Problem } from '../problem.tsx'
import { useChange } from '../use-change.ts'
import { MEMBERS, ROLE_CHOICES } from './roles.ts'

/** Creates an invitation link, which is shown once. */
export function InviteForm({ onInvited }: { readonly onInvited: (secret: Secret) => void }) {
  const { values, set, text, choice } = useFields({ email: '', role: 'member' as Role })
  const inviting = useChange(
    MEMBERS,
    () => api.invite(values.email.trim(), values.role),
    ({ invitation, link }) => {
      set({ email: '' })
      onInvited({
        title: t('console.members.invite.made', { email: invitation.email }),
        text: t('console.members.invite.madeText'),
        value: link,
        what: t('console.members.invite.what'),
      })
    },
  )
  return (
    <Card title={t('console.members.invite.title')}>
      <Form className="inline-form" onSubmit={() => inviting.mutate()}>
        <TextInput label={t('console.members.invite.email')} type="email" required {...text('email')} />
        <Select label={t('console.members.invite.role')} data={ROLE_CHOICES} {...choice('role')} />
        <Button type="submit" loading={inviting.isPending}>
          {t('console.members.invite.action')}
        </Button>
      </Form>
      <p className="quiet">{t('console.roles.explained')}</p>
      {inviting.error !== null && <Problem error={inviting.error} />}
    </Card>
  )
}

import type { Role } from '@kitseal/client/console'
import { Button, Select, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '../../parts/blocks.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import type { Secret } from '../keys/new-secret.tsx'
import { Problem } from '../problem.tsx'
import { ROLES } from './roles.ts'

/** Creates an invitation link, which is shown once. */
export function InviteForm({ onInvited }: { readonly onInvited: (secret: Secret) => void }) {
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const t = texts.console.members.invite
  const inviting = useMutation({
    mutationFn: () => api.invite(email.trim(), role),
    onSuccess: async ({ invitation, link }) => {
      setEmail('')
      onInvited({ title: t.made(invitation.email), text: t.madeText, value: link, what: t.what })
      await queries.invalidateQueries({ queryKey: ['members'] })
    },
  })
  return (
    <Card title={t.title}>
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault()
          inviting.mutate()
        }}
      >
        <TextInput
          label={t.email}
          type="email"
          required
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <Select
          label={t.role}
          data={ROLES.map((one) => ({ value: one, label: texts.console.roles.names[one] }))}
          value={role}
          allowDeselect={false}
          onChange={(value) => setRole(ROLES.find((each) => each === value) ?? 'member')}
        />
        <Button type="submit" loading={inviting.isPending}>
          {t.action}
        </Button>
      </form>
      <p className="quiet">{texts.console.roles.explained}</p>
      {inviting.error !== null && <Problem error={inviting.error} />}
    </Card>
  )
}

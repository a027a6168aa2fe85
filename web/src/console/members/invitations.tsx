import type { Invitation } from '@kitseal/client/console'
import { Card } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { RowButton } from '../row-button.tsx'
import { Problem } from '../problem.tsx'
import { useChange } from '../use-change.ts'
import { MEMBERS } from './roles.ts'

export interface InvitationsProps {
  readonly invitations: readonly Invitation[]
  readonly canChange: boolean
}

/** Pending invitations. */
export function Invitations({ invitations, canChange }: InvitationsProps) {
  const revoking = useChange(MEMBERS, (id: string) => api.revokeInvitation(id))
  const t = texts.console.members.open
  return (
    <Card title={t.title}>
      {revoking.error !== null && <Problem error={revoking.error} />}
      {invitations.length === 0 && <p className="quiet">{t.none}</p>}
      {invitations.length > 0 && (
        <RowTable
          rows={invitations}
          keyOf={({ invitation_id }) => invitation_id}
          columns={[
            { name: t.columns.email, of: 'titles', className: 'strong', cell: ({ email }) => email },
            { name: t.columns.role, cell: ({ role }) => texts.console.roles.names[role] },
            {
              name: t.columns.by,
              className: 'long',
              cell: ({ invited_by: by }) => (by === 'operator' ? texts.console.audit.actors.operator : by),
            },
            {
              name: t.columns.until,
              className: 'nowrap',
              cell: ({ expires_at }) => <Time at={expires_at} as="day" />,
            },
            {
              name: t.columns.actions,
              of: 'actions',
              cell: ({ invitation_id: id, email }) =>
                canChange && (
                  <RowButton
                    text={t.revoke}
                    subject={email}
                    isLoading={revoking.isPending && revoking.variables === id}
                    onClick={() => revoking.mutate(id)}
                  />
                ),
            },
          ]}
        />
      )}
    </Card>
  )
}

import type { Invitation } from '@kitseal/client/console'
import { Card } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../core/texts.ts'
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
  return (
    <Card title={t('console.members.open.title')}>
      {revoking.error !== null && <Problem error={revoking.error} />}
      {invitations.length === 0 && <p className="quiet">{t('console.members.open.none')}</p>}
      {invitations.length > 0 && (
        <RowTable
          rows={invitations}
          keyOf={({ invitation_id }) => invitation_id}
          columns={[
            {
              name: t('console.members.open.columns.email'),
              of: 'titles',
              className: 'strong',
              cell: ({ email }) => email,
            },
            {
              name: t('console.members.open.columns.role'),
              cell: ({ role }) => t(`console.roles.names.${role}`),
            },
            {
              name: t('console.members.open.columns.by'),
              className: 'long',
              cell: ({ invited_by: by }) => (by === 'operator' ? t('console.audit.actors.operator') : by),
            },
            {
              name: t('console.members.open.columns.until'),
              className: 'nowrap',
              cell: ({ expires_at }) => <Time at={expires_at} as="day" />,
            },
            {
              name: t('console.members.open.columns.actions'),
              of: 'actions',
              cell: ({ invitation_id: id, email }) =>
                canChange && (
                  <RowButton
                    text={t('console.members.open.revoke')}
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

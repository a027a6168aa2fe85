import type { Invitation } from '@kitseal/client/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Card } from '../../parts/blocks.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { RowButton } from '../row-button.tsx'
import { Problem } from '../problem.tsx'

export interface InvitationsProps {
  readonly invitations: readonly Invitation[]
  readonly canChange: boolean
}

/** Pending invitations. */
export function Invitations({ invitations, canChange }: InvitationsProps) {
  const queries = useQueryClient()
  const revoking = useMutation({
    mutationFn: (id: string) => api.revokeInvitation(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['members'] }),
  })
  const t = texts.console.members.open
  return (
    <Card title={t.title}>
      {revoking.error !== null && <Problem error={revoking.error} />}
      {invitations.length === 0 && <p className="quiet">{t.none}</p>}
      {invitations.length > 0 && (
        <Table
          columns={[
            t.columns.email,
            t.columns.role,
            t.columns.by,
            t.columns.until,
            { name: t.columns.actions, of: 'actions' },
          ]}
        >
          <tbody>
            {invitations.map((one) => (
              <tr key={one.invitation_id}>
                <td className="strong long">{one.email}</td>
                <td data-name={t.columns.role}>{texts.console.roles.names[one.role]}</td>
                <td data-name={t.columns.by} className="long">
                  {one.invited_by === 'operator' ? texts.console.audit.actors.operator : one.invited_by}
                </td>
                <td data-name={t.columns.until} className="nowrap">
                  <Time at={one.expires_at} as="day" />
                </td>
                <td className="actions">
                  {canChange && (
                    <RowButton
                      text={t.revoke}
                      subject={one.email}
                      isLoading={revoking.isPending && revoking.variables === one.invitation_id}
                      onClick={() => revoking.mutate(one.invitation_id)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}

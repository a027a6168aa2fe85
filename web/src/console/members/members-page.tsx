import type { Member, Role } from '@kitseal/client/console'
import { Select } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Card, Heading, Notice } from '../../parts/blocks.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { NewSecret, type Secret } from '../keys/new-secret.tsx'
import { useLiveQuery } from '../live-query.tsx'
import { RowButton } from '../row-button.tsx'
import { Loading, Problem } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { Invitations } from './invitations.tsx'
import { InviteForm } from './invite-form.tsx'
import { ROLES } from './roles.ts'

export function MembersPage() {
  const allowed = useAllowed('members')
  const list = useLiveQuery(['members'], api.listMembers)
  const [secret, setSecret] = useState<Secret>()
  const t = texts.console.members
  return (
    <>
      <Heading title={texts.console.titles.members} lead={t.lead} />
      {!allowed.is && <Notice tone="info">{allowed.why}</Notice>}
      {secret !== undefined && <NewSecret secret={secret} onDone={() => setSecret(undefined)} />}
      {allowed.is && <InviteForm onInvited={setSecret} />}
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.data !== undefined && (
        <>
          <Members members={list.data.members} canChange={allowed.is} />
          <Invitations invitations={list.data.invitations} canChange={allowed.is} />
        </>
      )}
    </>
  )
}

function Members({
  members,
  canChange,
}: {
  readonly members: readonly Member[]
  readonly canChange: boolean
}) {
  const queries = useQueryClient()
  const [leaving, setLeaving] = useState<Member>()
  const changed = { onSuccess: () => queries.invalidateQueries({ queryKey: ['members'] }) }
  const changing = useMutation({
    mutationFn: ({ id, role }: { readonly id: string; readonly role: Role }) => api.changeMember(id, role),
    ...changed,
  })
  const removing = useMutation({
    mutationFn: (id: string) => api.removeMember(id),
    onSuccess: () => {
      setLeaving(undefined)
      return changed.onSuccess()
    },
  })
  const t = texts.console.members
  return (
    <Card title={t.title}>
      {changing.error !== null && <Problem error={changing.error} />}
      <Table
        columns={[
          t.columns.email,
          t.columns.role,
          t.columns.seen,
          { name: t.columns.actions, of: 'actions' },
        ]}
      >
        <tbody>
          {members.map((one) => (
            <tr key={one.member_id}>
              <td className="long">
                <span className="strong">{one.email}</span>
                {one.you && <span className="quiet"> {t.you}</span>}
                <span className="quiet below">{t.passkeys(one.passkeys)}</span>
              </td>
              <td data-name={t.columns.role}>
                {canChange ? (
                  <Select
                    aria-label={t.roleOf(one.email)}
                    data={ROLES.map((role) => ({ value: role, label: texts.console.roles.names[role] }))}
                    value={one.role}
                    allowDeselect={false}
                    size="xs"
                    className="role-select"
                    onChange={(value) => {
                      const role = ROLES.find((each) => each === value)
                      if (role !== undefined) changing.mutate({ id: one.member_id, role })
                    }}
                  />
                ) : (
                  texts.console.roles.names[one.role]
                )}
              </td>
              <td data-name={t.columns.seen} className="nowrap">
                {one.last_seen_at === null ? t.never : <Time at={one.last_seen_at} as="ago" />}
              </td>
              <td className="actions">
                {canChange && (
                  <RowButton text={t.remove.action} subject={one.email} onClick={() => setLeaving(one)} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <ConfirmDialog
        title={t.remove.title(leaving?.email ?? '')}
        text={leaving?.you === true ? t.remove.yourself : t.remove.text}
        action={t.remove.action}
        isOpen={leaving !== undefined}
        mutation={removing}
        onClose={() => setLeaving(undefined)}
        onConfirm={() => leaving !== undefined && removing.mutate(leaving.member_id)}
      />
    </Card>
  )
}

import type { Member, Role } from '@kitseal/client/console'
import { Select } from '@mantine/core'
import { useState } from 'react'
import { Card, Heading, Notice } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { NewSecret, type Secret } from '../keys/new-secret.tsx'
import { useLiveQuery } from '../live-query.tsx'
import { RowButton } from '../row-button.tsx'
import { Problem, QueryState } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { useChange } from '../use-change.ts'
import { Invitations } from './invitations.tsx'
import { InviteForm } from './invite-form.tsx'
import { RemoveMember } from './remove-member.tsx'
import { MEMBERS, ROLE_CHOICES } from './roles.ts'

export function MembersPage() {
  const allowed = useAllowed('members')
  const list = useLiveQuery(MEMBERS, api.listMembers)
  const [secret, setSecret] = useState<Secret>()
  return (
    <>
      <Heading title={t('console.titles.members')} lead={t('console.members.lead')} />
      {!allowed.is && <Notice tone="info">{allowed.why}</Notice>}
      {secret !== undefined && <NewSecret secret={secret} onDone={() => setSecret(undefined)} />}
      {allowed.is && <InviteForm onInvited={setSecret} />}
      <QueryState query={list} />
      {list.data !== undefined && (
        <>
          <Members members={list.data.members} canChange={allowed.is} />
          <Invitations invitations={list.data.invitations} canChange={allowed.is} />
        </>
      )}
    </>
  )
}

interface MembersProps {
  readonly members: readonly Member[]
  readonly canChange: boolean
}

function Members({ members, canChange }: MembersProps) {
  const [leaving, setLeaving] = useState<Member>()
  const changing = useChange(MEMBERS, ({ member_id, role }: Pick<Member, 'member_id' | 'role'>) =>
    api.changeMember(member_id, role),
  )
  return (
    <Card title={t('console.members.title')}>
      {changing.error !== null && <Problem error={changing.error} />}
      <RowTable
        rows={members}
        keyOf={({ member_id }) => member_id}
        columns={[
          {
            name: t('console.members.columns.email'),
            of: 'titles',
            cell: ({ name, email, you }) => (
              <>
                <span className="strong">{name ?? email}</span>
                {you && <span className="quiet"> {t('console.members.you')}</span>}
              </>
            ),
            below: ({ name, email, passkeys }) =>
              [...(name === null ? [] : [email]), t('console.members.passkeys', { count: passkeys })].join(
                ' · ',
              ),
          },
          {
            name: t('console.members.columns.role'),
            cell: ({ member_id, email, role }) =>
              canChange ? (
                <Select
                  aria-label={t('console.members.roleOf', { email })}
                  data={ROLE_CHOICES}
                  value={role}
                  allowDeselect={false}
                  size="xs"
                  className="role-select"
                  onChange={(value) => value !== null && changing.mutate({ member_id, role: value as Role })}
                />
              ) : (
                t(`console.roles.names.${role}`)
              ),
          },
          {
            name: t('console.members.columns.seen'),
            className: 'nowrap',
            cell: ({ last_seen_at: at }) =>
              at === null ? t('console.members.never') : <Time at={at} as="ago" />,
          },
          {
            name: t('console.members.columns.actions'),
            of: 'actions',
            cell: (one) =>
              canChange && (
                <RowButton
                  text={t('console.members.remove.action')}
                  subject={one.email}
                  onClick={() => setLeaving(one)}
                />
              ),
          },
        ]}
      />
      {leaving !== undefined && <RemoveMember member={leaving} onClose={() => setLeaving(undefined)} />}
    </Card>
  )
}

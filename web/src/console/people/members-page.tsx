import type { Member, MemberList, NewInvitation, Role } from '../../core/console-types.generated.ts'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../core/texts.ts'
import { Card, Heading, Problem } from '../../parts/blocks.tsx'
import { Select } from '../../parts/fields.tsx'
import { List } from '../../parts/list.tsx'
import { Time } from '../../parts/time.tsx'
import { api } from '../client.ts'
import { type OneTime, showOnce } from '../one-time.tsx'
import { askChange, ChangeForm, useChange, useLiveQuery } from '../queries.tsx'
import { roleText, useAllowed, useMe } from '../session.tsx'

export const MEMBERS = ['members'] as const

const ROLES = (['owner', 'manager', 'member', 'viewer'] as const).map((value) => ({
  value,
  label: roleText(value),
}))

export default function MembersPage() {
  const { is: mayChange } = useAllowed('members')
  const list = useLiveQuery(MEMBERS, api.listMembers)
  return (
    <>
      <Heading title={t('console.titles.members')} lead={t('console.members.lead')} />
      {mayChange && <InviteForm />}
      <Members query={list} mayChange={mayChange} />
      {list.data !== undefined && <Invitations query={list} mayChange={mayChange} />}
    </>
  )
}

/** The links of new invitations. */
export function showInvitations(made: readonly NewInvitation[], isMailed: boolean): void {
  showOnce({
    title: t('console.members.invite.made', { count: made.length }),
    text: isMailed ? t('console.members.invite.mailed') : t('console.members.invite.madeText'),
    values: made.map(({ invitation, link }): OneTime => ({ label: invitation.email, value: link })),
  })
}

function InviteForm() {
  const { sends_mail: isMailed } = useMe()
  return (
    <Card title={t('console.members.invite.title')}>
      <ChangeForm
        texts="console.members.invite"
        stale={MEMBERS}
        isPaired
        initial={{ email: '', role: 'member' as Role }}
        fields={() => [
          { name: 'email', is: 'email', isRequired: true },
          { name: 'role', is: 'select', options: ROLES },
        ]}
        more={() => <p className="quiet">{t('console.roles.explained')}</p>}
        run={({ email, role }) => api.invite(email.trim(), role)}
        onDone={(made) => showInvitations([made], isMailed)}
      />
    </Card>
  )
}

interface PeopleProps {
  readonly query: ReturnType<typeof useLiveQuery<MemberList>>
  readonly mayChange: boolean
}

function Members({ query, mayChange }: PeopleProps) {
  const changing = useChange(MEMBERS, ({ member_id, role }: Pick<Member, 'member_id' | 'role'>) =>
    api.changeMember(member_id, role),
  )
  const leaving = useChange(['leaving'], removeMember)
  return (
    <>
      <Problem error={changing.error ?? leaving.error} />
      <Card title={t('console.members.title')}>
        <List
          query={query}
          empty={null}
          rows={query.data?.members ?? []}
          subject={({ email }) => email}
          actions={(member) => [
            mayChange && {
              text: t('console.members.remove.action'),
              isDangerous: true,
              run: () => leaving.mutate(member),
            },
          ]}
          texts="console.members.columns"
          columns={[
            {
              name: 'email',
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
              name: 'role',
              cell: ({ member_id, email, role }) =>
                mayChange ? (
                  <Select
                    label={t('console.members.roleOf', { email })}
                    value={role}
                    options={ROLES}
                    onChange={(chosen) => changing.mutate({ member_id, role: chosen as Role })}
                  />
                ) : (
                  roleText(role)
                ),
            },
            {
              name: 'seen',
              cell: ({ last_seen_at: at }) => <Time at={at} as="ago" never={t('console.members.never')} />,
            },
          ]}
        />
      </Card>
    </>
  )
}

/** Lists what the member leaves behind. Keys and federations end unless they are kept; shares and requests stay unless they are ended. */
async function removeMember({ member_id: id, email, you }: Member): Promise<void> {
  const left = await api.getLeaving(id)
  const { invitations, shares, requests } = left
  const kept = [
    ...left.keys.map(({ key_id: value, label }) => ({
      value,
      label: t('console.members.remove.key', { label }),
    })),
    ...left.federations.map(({ federation_id: value, label }) => ({
      value,
      label: t('console.members.remove.federation', { label }),
    })),
  ]
  const ended = [
    ...shares.map(({ share_id: value, label }) => ({
      value,
      label: t('console.members.remove.share', { label }),
    })),
    ...requests.map(({ evidence_request_id: value, title }) => ({
      value,
      label: t('console.members.remove.request', { title }),
    })),
  ]
  askChange({
    args: { email },
    ...(you && { text: t('console.members.remove.yourself') }),
    isDangerous: true,
    stale: MEMBERS,
    texts: 'console.members.remove',
    initial: { keep: [] as readonly string[], end: [] as readonly string[] },
    fields: () => [
      kept.length > 0 && { name: 'keep', is: 'ticks', options: kept },
      ended.length > 0 && { name: 'end', is: 'ticks', options: ended },
    ],
    more: () =>
      invitations.length > 0 && (
        <p>
          {t('console.members.remove.invitations', {
            emails: invitations.map((one) => one.email).join(', '),
          })}
        </p>
      ),
    // The member is removed last, because they may be the one who does this.
    run: async ({ keep, end }) => {
      for (const { share_id } of shares) if (end.includes(share_id)) await api.revokeShare(share_id)
      for (const one of requests)
        if (end.includes(one.evidence_request_id)) await api.closeRequest(one.evidence_request_id)
      await api.removeMember(id, keep)
    },
  })
}

function Invitations({ query, mayChange }: PeopleProps) {
  const revoking = useChange(MEMBERS, (id: string) => api.revokeInvitation(id))
  return (
    <>
      <Problem error={revoking.error} />
      <Card title={t('console.members.open.title')}>
        <List
          query={query}
          empty={<p className="quiet">{t('console.members.open.none')}</p>}
          rows={query.data?.invitations ?? []}
          subject={({ email }) => email}
          actions={({ invitation_id: id }) => [
            mayChange && {
              text: t('console.members.open.revoke'),
              isDangerous: true,
              isBusy: revoking.isPending && revoking.variables === id,
              run: () => revoking.mutate(id),
            },
          ]}
          texts="console.members.open.columns"
          columns={[
            { name: 'email', of: 'titles', className: 'strong', cell: ({ email }) => email },
            { name: 'role', cell: ({ role }) => roleText(role) },
            {
              name: 'by',
              className: 'long',
              cell: ({ invited_by: by }) => (by === 'operator' ? t('console.audit.actors.operator') : by),
            },
            {
              name: 'until',
              cell: ({ expires_at }) => <Time at={expires_at} as="day" />,
            },
          ]}
        />
      </Card>
    </>
  )
}

/** Members who can own an item: those who can add files. */
export function useOwners(): MemberList['members'] {
  const { data } = useQuery({ queryKey: MEMBERS, queryFn: () => api.listMembers() })
  return data?.members.filter(({ role }) => role !== 'viewer') ?? []
}

import type { Member } from '@kitseal/client/console'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'
import { QueryState } from '../problem.tsx'
import { MEMBERS } from './roles.ts'

export interface RemoveMemberProps {
  readonly member: Member
  onClose(): void
}

/** Lists what the member leaves behind. Keys and federations end unless they are kept; shares and requests stay unless they are ended. */
export function RemoveMember({ member, onClose }: RemoveMemberProps) {
  const { member_id, email, you } = member
  const left = useQuery({
    queryKey: ['leaving', member_id],
    queryFn: () => api.getLeaving(member_id),
    gcTime: 0,
  })
  const [keep, setKeep] = useState<string[]>([])
  const [end, setEnd] = useState<string[]>([])
  const { keys = [], federations = [], invitations = [], shares = [], requests = [] } = left.data ?? {}
  /** The member is removed last, because they may be the one who does this. */
  const run = async (): Promise<void> => {
    for (const { share_id } of shares) if (end.includes(share_id)) await api.revokeShare(share_id)
    for (const { evidence_request_id: id } of requests) if (end.includes(id)) await api.closeRequest(id)
    await api.removeMember(member_id, keep)
  }
  return (
    <ConfirmDialog
      title={t('console.members.remove.title', { email })}
      text={you ? t('console.members.remove.yourself') : t('console.members.remove.text')}
      action={t('console.members.remove.action')}
      stale={MEMBERS}
      isReady={left.data !== undefined}
      run={run}
      onClose={onClose}
    >
      <QueryState query={left} />
      {keys.length + federations.length > 0 && (
        <Checkbox.Group
          label={t('console.members.remove.keep')}
          description={t('console.members.remove.keepHint')}
          value={keep}
          onChange={setKeep}
          mb="md"
        >
          {keys.map(({ key_id, label }) => (
            <Checkbox
              key={key_id}
              value={key_id}
              label={t('console.members.remove.key', { label })}
              mt="xs"
            />
          ))}
          {federations.map(({ federation_id, label }) => (
            <Checkbox
              key={federation_id}
              value={federation_id}
              label={t('console.members.remove.federation', { label })}
              mt="xs"
            />
          ))}
        </Checkbox.Group>
      )}
      {shares.length + requests.length > 0 && (
        <Checkbox.Group
          label={t('console.members.remove.end')}
          description={t('console.members.remove.endHint')}
          value={end}
          onChange={setEnd}
          mb="md"
        >
          {shares.map(({ share_id, label }) => (
            <Checkbox
              key={share_id}
              value={share_id}
              label={t('console.members.remove.share', { label })}
              mt="xs"
            />
          ))}
          {requests.map(({ evidence_request_id, title }) => (
            <Checkbox
              key={evidence_request_id}
              value={evidence_request_id}
              label={t('console.members.remove.request', { title })}
              mt="xs"
            />
          ))}
        </Checkbox.Group>
      )}
      {invitations.length > 0 && (
        <p>
          {t('console.members.remove.invitations', {
            emails: invitations.map((one) => one.email).join(', '),
          })}
        </p>
      )}
    </ConfirmDialog>
  )
}

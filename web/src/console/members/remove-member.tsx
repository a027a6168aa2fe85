import type { Member } from '@kitseal/client/console'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { texts } from '../../texts/index.ts'
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
  const t = texts.console.members.remove
  const { keys = [], federations = [], invitations = [], shares = [], requests = [] } = left.data ?? {}
  /** The member is removed last, because they may be the one who does this. */
  const run = async (): Promise<void> => {
    for (const { share_id } of shares) if (end.includes(share_id)) await api.revokeShare(share_id)
    for (const { evidence_request_id: id } of requests) if (end.includes(id)) await api.closeRequest(id)
    await api.removeMember(member_id, keep)
  }
  return (
    <ConfirmDialog
      title={t.title(email)}
      text={you ? t.yourself : t.text}
      action={t.action}
      stale={MEMBERS}
      isReady={left.data !== undefined}
      run={run}
      onClose={onClose}
    >
      <QueryState query={left} />
      {keys.length + federations.length > 0 && (
        <Checkbox.Group label={t.keep} description={t.keepHint} value={keep} onChange={setKeep} mb="md">
          {keys.map(({ key_id, label }) => (
            <Checkbox key={key_id} value={key_id} label={t.key(label)} mt="xs" />
          ))}
          {federations.map(({ federation_id, label }) => (
            <Checkbox key={federation_id} value={federation_id} label={t.federation(label)} mt="xs" />
          ))}
        </Checkbox.Group>
      )}
      {shares.length + requests.length > 0 && (
        <Checkbox.Group label={t.end} description={t.endHint} value={end} onChange={setEnd} mb="md">
          {shares.map(({ share_id, label }) => (
            <Checkbox key={share_id} value={share_id} label={t.share(label)} mt="xs" />
          ))}
          {requests.map(({ evidence_request_id, title }) => (
            <Checkbox
              key={evidence_request_id}
              value={evidence_request_id}
              label={t.request(title)}
              mt="xs"
            />
          ))}
        </Checkbox.Group>
      )}
      {invitations.length > 0 && <p>{t.invitations(invitations.map((one) => one.email).join(', '))}</p>}
    </ConfirmDialog>
  )
}

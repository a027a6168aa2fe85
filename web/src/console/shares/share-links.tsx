import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { sentences } from '@kitseal/kit/in-browser/words'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Dialog } from '../dialogs.tsx'
import { Form } from '../form.tsx'
import { Problem } from '../problem.tsx'
import { RowButton } from '../row-button.tsx'
import { useMe } from '../session.tsx'
import { useChange } from '../use-change.ts'
import type { ShareOf } from './change-share.tsx'
import type { Linked } from './linked.ts'
import { mailText } from './mail-text.ts'
import { NewLink } from './new-link.tsx'
import { SHARES } from './shares-key.ts'

/** Who has a link to a share: what became of the mail, a new link for a lost one, and revoking one. */
export function ShareLinks({ share, onClose }: ShareOf) {
  const [made, setMade] = useState<Linked>()
  const [to, setTo] = useState('')
  const { sends_mail: sendsMail } = useMe()
  const creating = useChange(
    SHARES,
    (recipient: string | undefined) => share.createLink(recipient === undefined ? {} : { recipient }),
    setMade,
  )
  const revoking = useChange(SHARES, (recipient: string) => share.revokeLink(recipient))
  const error = creating.error ?? revoking.error
  const list = (
    <>
      <p className="quiet">
        {sendsMail
          ? t('console.shares.links.lead')
          : sentences([t('console.shares.links.lead'), t('console.shares.links.noMail')])}
      </p>
      {share.recipients.length > 0 && (
        <RowTable
          rows={share.recipients}
          keyOf={({ email }) => email}
          columns={[
            {
              name: t('console.shares.links.columns.who'),
              of: 'titles',
              cell: ({ email }) => nameText(email),
              below: ({ mail, revoked_at }) =>
                revoked_at === null ? mailText(mail) : t('console.shares.statuses.revoked'),
            },
            {
              name: t('console.shares.columns.used'),
              cell: ({ last_access_at: at }) =>
                at === null ? t('console.shares.neverUsed') : <Time at={at} as="ago" />,
            },
            {
              name: t('console.shares.columns.actions'),
              of: 'actions',
              cell: ({ email, revoked_at }) => (
                <>
                  <RowButton
                    text={t('console.shares.links.replace')}
                    subject={email}
                    isDangerous={false}
                    onClick={() => creating.mutate(email)}
                  />
                  {revoked_at === null && (
                    <RowButton
                      text={t('console.shares.revoke.action')}
                      subject={email}
                      onClick={() => revoking.mutate(email)}
                    />
                  )}
                </>
              ),
            },
          ]}
        />
      )}
      {error !== null && <Problem error={error} />}
      <Form className="inline-form" onSubmit={() => creating.mutate(to.trim())}>
        <TextInput
          label={t('console.shares.links.add')}
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={creating.isPending}>
          {t(sendsMail ? 'console.shares.send' : 'console.shares.create', { recipients: 1 })}
        </Button>
      </Form>
      <div className="row dialog-actions">
        <Button variant="subtle" onClick={() => creating.mutate(undefined)}>
          {t('console.shares.links.anyone')}
        </Button>
        <Button onClick={onClose}>{t('console.shares.done')}</Button>
      </div>
    </>
  )
  return (
    <Dialog
      title={
        made === undefined
          ? t('console.shares.links.title', { label: nameText(share.label) })
          : t('console.shares.created')
      }
      onClose={onClose}
    >
      {made === undefined ? list : <NewLink share={made} onDone={onClose} />}
    </Dialog>
  )
}

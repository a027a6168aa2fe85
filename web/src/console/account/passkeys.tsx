import type { Passkey } from '@kitseal/client/console'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Card, Notice } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'
import { Form } from '../form.tsx'
import { useLiveQuery } from '../live-query.tsx'
import { RowButton } from '../row-button.tsx'
import { useNeedsPasskey } from '../no-passkey.tsx'
import { Problem, QueryState } from '../problem.tsx'
import { addPasskey } from '../sign-in/passkeys.ts'
import { useChange } from '../use-change.ts'

export function Passkeys() {
  const list = useLiveQuery(['passkeys'], api.listPasskeys)
  const [label, setLabel] = useState('')
  const [leaving, setLeaving] = useState<Passkey>()
  const isNeeded = useNeedsPasskey()
  // The session counts the passkeys.
  const adding = useChange(
    [],
    () => addPasskey(label),
    () => setLabel(''),
  )
  return (
    <Card title={t('console.account.passkeys.title')}>
      <p className="quiet">{t('console.account.passkeys.text')}</p>
      <QueryState query={list} />
      {isNeeded && list.data?.passkeys.length === 0 && (
        <Notice tone="warn">{t('console.account.passkeys.none')}</Notice>
      )}
      <ul className="plain-list">
        {list.data?.passkeys.map((one) => (
          <li key={one.passkey_id}>
            <Icon name="key" size={20} />
            <div>
              <p className="strong">{one.label}</p>
              <p className="quiet">
                {t('console.account.passkeys.added')} <Time at={one.created_at} as="day" />,{' '}
                {one.last_used_at === null ? (
                  t('console.account.passkeys.neverUsed')
                ) : (
                  <>
                    {t('console.account.passkeys.used')} <Time at={one.last_used_at} as="ago" />
                  </>
                )}
                {one.backed_up ? `, ${t('console.account.passkeys.backedUp')}` : ''}
              </p>
            </div>
            <RowButton
              text={t('console.account.passkeys.remove.action')}
              subject={one.label}
              onClick={() => setLeaving(one)}
            />
          </li>
        ))}
      </ul>
      <Form className="inline-form" onSubmit={() => adding.mutate()}>
        <TextInput
          label={t('console.account.passkeys.label')}
          placeholder={t('console.invite.labelExample')}
          value={label}
          maxLength={100}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={adding.isPending} leftSection={<Icon name="plus" />}>
          {t('console.account.passkeys.add')}
        </Button>
      </Form>
      {adding.error !== null && <Problem error={adding.error} />}
      {leaving !== undefined && (
        <ConfirmDialog
          action={t('console.account.passkeys.remove.action')}
          text={t('console.account.passkeys.remove.text')}
          title={t('console.account.passkeys.remove.title', { label: leaving.label })}
          stale={[]}
          run={() => api.removePasskey(leaving.passkey_id)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Card>
  )
}

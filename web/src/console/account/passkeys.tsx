import type { Passkey } from '@kitseal/client/console'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Card, Notice } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Time } from '../../parts/time.tsx'
import { texts } from '../../texts/index.ts'
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
  const t = texts.console.account.passkeys
  return (
    <Card title={t.title}>
      <p className="quiet">{t.text}</p>
      <QueryState query={list} />
      {isNeeded && list.data?.passkeys.length === 0 && <Notice tone="warn">{t.none}</Notice>}
      <ul className="plain-list">
        {list.data?.passkeys.map((one) => (
          <li key={one.passkey_id}>
            <Icon name="key" size={20} />
            <div>
              <p className="strong">{one.label}</p>
              <p className="quiet">
                {t.added} <Time at={one.created_at} as="day" />,{' '}
                {one.last_used_at === null ? (
                  t.neverUsed
                ) : (
                  <>
                    {t.used} <Time at={one.last_used_at} as="ago" />
                  </>
                )}
                {one.backed_up ? `, ${t.backedUp}` : ''}
              </p>
            </div>
            <RowButton text={t.remove.action} subject={one.label} onClick={() => setLeaving(one)} />
          </li>
        ))}
      </ul>
      <Form className="inline-form" onSubmit={() => adding.mutate()}>
        <TextInput
          label={t.label}
          placeholder={texts.console.invite.labelExample}
          value={label}
          maxLength={100}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={adding.isPending} leftSection={<Icon name="plus" />}>
          {t.add}
        </Button>
      </Form>
      {adding.error !== null && <Problem error={adding.error} />}
      {leaving !== undefined && (
        <ConfirmDialog
          {...t.remove}
          title={t.remove.title(leaving.label)}
          stale={[]}
          run={() => api.removePasskey(leaving.passkey_id)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Card>
  )
}

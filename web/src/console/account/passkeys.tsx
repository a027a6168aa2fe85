import type { Passkey } from '@kitseal/client/console'
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Card, Notice } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Time } from '../../parts/time.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { useLiveQuery } from '../live-query.tsx'
import { RowButton } from '../row-button.tsx'
import { useNeedsPasskey } from '../no-passkey.tsx'
import { Loading, Problem } from '../problem.tsx'
import { ME } from '../session.tsx'
import { addPasskey } from '../sign-in/passkeys.ts'

export function Passkeys() {
  const queries = useQueryClient()
  const list = useLiveQuery(['passkeys'], api.listPasskeys)
  const [label, setLabel] = useState('')
  const [leaving, setLeaving] = useState<Passkey>()
  const isNeeded = useNeedsPasskey()
  const reload = () =>
    Promise.all([['passkeys'], ME].map((queryKey) => queries.invalidateQueries({ queryKey })))
  const adding = useMutation({
    mutationFn: () => addPasskey(label),
    onSuccess: () => {
      setLabel('')
      return reload()
    },
  })
  const removing = useMutation({
    mutationFn: (id: string) => api.removePasskey(id),
    onSuccess: () => {
      setLeaving(undefined)
      return reload()
    },
  })
  const t = texts.console.account.passkeys
  return (
    <Card title={t.title}>
      <p className="quiet">{t.text}</p>
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
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
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault()
          adding.mutate()
        }}
      >
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
      </form>
      {adding.error !== null && <Problem error={adding.error} />}
      <ConfirmDialog
        title={t.remove.title(leaving?.label ?? '')}
        text={t.remove.text}
        action={t.remove.action}
        isOpen={leaving !== undefined}
        mutation={removing}
        onClose={() => setLeaving(undefined)}
        onConfirm={() => leaving !== undefined && removing.mutate(leaving.passkey_id)}
      />
    </Card>
  )
}

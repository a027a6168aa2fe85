import type { ApiKey } from '@kitseal/client'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card, EmptyCard, Heading } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Time } from '../../parts/time.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'
import { useLiveQuery } from '../live-query.tsx'
import { Permitted } from '../permitted.tsx'
import { RowButton } from '../row-button.tsx'
import { QueryState } from '../problem.tsx'
import { FederationsCard } from '../federations/federations-card.tsx'
import { CreateKey, ExtendKey, KEYS, RotateKey } from './key-dialogs.tsx'
import { NewSecret, type Secret } from './new-secret.tsx'

type Open = { readonly is: 'create' } | { readonly is: 'rotate' | 'extend' | 'revoke'; readonly key: ApiKey }

export function KeysPage() {
  return (
    <Permitted to="keys" title={texts.console.titles.keys} lead={texts.console.keys.lead}>
      <Keys />
    </Permitted>
  )
}

function Keys() {
  const list = useLiveQuery(KEYS, api.listApiKeys)
  const keys = list.data?.data ?? []
  const [open, setOpen] = useState<Open>()
  const [secret, setSecret] = useState<Secret>()
  const close = (): void => setOpen(undefined)
  const made = (value: Secret): void => {
    close()
    setSecret(value)
  }
  const t = texts.console.keys
  const create = (
    <Button leftSection={<Icon name="plus" />} onClick={() => setOpen({ is: 'create' })}>
      {t.create}
    </Button>
  )
  return (
    <>
      <Heading title={texts.console.titles.keys} lead={t.lead} actions={create} />
      {secret !== undefined && <NewSecret secret={secret} onDone={() => setSecret(undefined)} />}
      <QueryState query={list} />
      {list.data !== undefined && keys.length === 0 && <EmptyCard icon="key" {...t.none} />}
      {keys.length > 0 && <KeyRows keys={keys} onOpen={setOpen} />}
      <FederationsCard />
      {open?.is === 'create' && <CreateKey onClose={close} onMade={made} />}
      {open?.is === 'rotate' && <RotateKey apiKey={open.key} onClose={close} onMade={made} />}
      {open?.is === 'extend' && <ExtendKey apiKey={open.key} onClose={close} />}
      {open?.is === 'revoke' && (
        <ConfirmDialog
          {...t.revoke}
          title={t.revoke.title(open.key.label)}
          stale={KEYS}
          run={() => api.revokeApiKey(open.key.key_id)}
          onClose={close}
        />
      )}
    </>
  )
}

interface KeyRowsProps {
  readonly keys: readonly ApiKey[]
  onOpen(open: Open): void
}

function KeyRows({ keys, onOpen }: KeyRowsProps) {
  const t = texts.console.keys
  return (
    <Card className="flush">
      <RowTable
        rows={keys}
        keyOf={({ key_id }) => key_id}
        dataOf={({ key_id, status }) => ({ 'data-key': key_id, 'data-status': status })}
        columns={[
          {
            name: t.columns.label,
            of: 'titles',
            cell: ({ label, key_id }) => (
              <>
                <span className="strong">{label}</span>
                <code className="quiet below">{key_id}</code>
              </>
            ),
          },
          { name: t.columns.scopes, cell: ({ scopes }) => scopes.join(', ') },
          {
            name: t.columns.status,
            className: 'long',
            cell: (key) => (
              <>
                <Status of={key} />
                <span className="quiet below nowrap">
                  {t.created} <Time at={key.created_at} as="day" />
                </span>
                {key.created_by !== null && (
                  <span className="quiet below">
                    {t.by(makerName(key.created_by_name ?? key.created_by))}
                  </span>
                )}
              </>
            ),
          },
          {
            name: t.columns.used,
            className: 'nowrap',
            cell: ({ last_used_at: at }) => (at === null ? t.neverUsed : <Time at={at} as="ago" />),
          },
          {
            name: t.columns.actions,
            of: 'actions',
            cell: (key) =>
              (key.status === 'active' || key.status === 'ending') &&
              actionsOf(key).map((is) => (
                <RowButton
                  key={is}
                  text={t[is].action}
                  subject={key.label}
                  isDangerous={is === 'revoke'}
                  onClick={() => onOpen({ is, key })}
                />
              )),
          },
        ]}
      />
    </Card>
  )
}

const makerName = (name: string): string => (name === 'operator' ? texts.console.audit.actors.operator : name)

/** A key that ends, by itself or with another key, can be extended. */
const actionsOf = ({ status, created_by }: ApiKey) =>
  status === 'ending' || created_by?.startsWith('key_') === true
    ? (['rotate', 'extend', 'revoke'] as const)
    : (['rotate', 'revoke'] as const)

function Status({ of: { status, expires_at, revoked_at } }: { readonly of: ApiKey }) {
  const at = status === 'revoked' ? revoked_at : expires_at
  return (
    <>
      {texts.console.keys.statuses[status]}{' '}
      {status !== 'active' && at !== null && (
        <span className="nowrap">
          <Time at={at} as={status === 'ending' ? 'instant' : 'day'} />
        </span>
      )}
    </>
  )
}

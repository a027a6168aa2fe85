import type { ApiKey } from '@kitseal/client'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card, EmptyCard, Heading } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../core/texts.ts'
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
    <Permitted to="keys" title={t('console.titles.keys')} lead={t('console.keys.lead')}>
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
  const create = (
    <Button leftSection={<Icon name="plus" />} onClick={() => setOpen({ is: 'create' })}>
      {t('console.keys.create')}
    </Button>
  )
  return (
    <>
      <Heading title={t('console.titles.keys')} lead={t('console.keys.lead')} actions={create} />
      {secret !== undefined && <NewSecret secret={secret} onDone={() => setSecret(undefined)} />}
      <QueryState query={list} />
      {list.data !== undefined && keys.length === 0 && (
        <EmptyCard icon="key" title={t('console.keys.none.title')} text={t('console.keys.none.text')} />
      )}
      {keys.length > 0 && <KeyRows keys={keys} onOpen={setOpen} />}
      <FederationsCard />
      {open?.is === 'create' && <CreateKey onClose={close} onMade={made} />}
      {open?.is === 'rotate' && <RotateKey apiKey={open.key} onClose={close} onMade={made} />}
      {open?.is === 'extend' && <ExtendKey apiKey={open.key} onClose={close} />}
      {open?.is === 'revoke' && (
        <ConfirmDialog
          action={t('console.keys.revoke.action')}
          text={t('console.keys.revoke.text')}
          title={t('console.keys.revoke.title', { label: open.key.label })}
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
  return (
    <Card className="flush">
      <RowTable
        rows={keys}
        keyOf={({ key_id }) => key_id}
        dataOf={({ key_id, status }) => ({ 'data-key': key_id, 'data-status': status })}
        columns={[
          {
            name: t('console.keys.columns.label'),
            of: 'titles',
            cell: ({ label, key_id }) => (
              <>
                <span className="strong">{label}</span>
                <code className="quiet below">{key_id}</code>
              </>
            ),
          },
          { name: t('console.keys.columns.scopes'), cell: ({ scopes }) => scopes.join(', ') },
          {
            name: t('console.keys.columns.status'),
            className: 'long',
            cell: (key) => (
              <>
                <Status of={key} />
                <span className="quiet below nowrap">
                  {t('console.keys.created')} <Time at={key.created_at} as="day" />
                </span>
                {key.created_by !== null && (
                  <span className="quiet below">
                    {t('console.keys.by', { name: makerName(key.created_by_name ?? key.created_by) })}
                  </span>
                )}
              </>
            ),
          },
          {
            name: t('console.keys.columns.used'),
            className: 'nowrap',
            cell: ({ last_used_at: at }) =>
              at === null ? t('console.keys.neverUsed') : <Time at={at} as="ago" />,
          },
          {
            name: t('console.keys.columns.actions'),
            of: 'actions',
            cell: (key) =>
              (key.status === 'active' || key.status === 'ending') &&
              actionsOf(key).map((is) => (
                <RowButton
                  key={is}
                  text={t(`console.keys.${is}.action`)}
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

const makerName = (name: string): string => (name === 'operator' ? t('console.audit.actors.operator') : name)

/** A key that ends, by itself or with another key, can be extended. */
const actionsOf = ({ status, created_by }: ApiKey) =>
  status === 'ending' || created_by?.startsWith('key_') === true
    ? (['rotate', 'extend', 'revoke'] as const)
    : (['rotate', 'revoke'] as const)

function Status({ of: { status, expires_at, revoked_at } }: { readonly of: ApiKey }) {
  const at = status === 'revoked' ? revoked_at : expires_at
  return (
    <>
      {t(`console.keys.statuses.${status}`)}{' '}
      {status !== 'active' && at !== null && (
        <span className="nowrap">
          <Time at={at} as={status === 'ending' ? 'instant' : 'day'} />
        </span>
      )}
    </>
  )
}

import type { ApiKey } from '@kitseal/client'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card, Empty, Heading, Notice } from '../../parts/blocks.tsx'
import { Table } from '../../parts/table.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Time } from '../../parts/time.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { useLiveQuery } from '../live-query.tsx'
import { RowButton } from '../row-button.tsx'
import { Loading, Problem } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { FederationsCard } from '../federations/federations-card.tsx'
import { CreateKey, RevokeKey, RotateKey } from './key-dialogs.tsx'
import { NewSecret, type Secret } from './new-secret.tsx'

type Open = { readonly is: 'create' } | { readonly is: 'rotate' | 'revoke'; readonly key: ApiKey }

export function KeysPage() {
  const allowed = useAllowed('keys')
  const t = texts.console.keys
  if (!allowed.is)
    return (
      <>
        <Heading title={texts.console.titles.keys} lead={t.lead} />
        <Notice tone="info">{allowed.why}</Notice>
      </>
    )
  return <Keys />
}

function Keys() {
  const list = useLiveQuery(['keys'], api.listApiKeys)
  const keys = list.data?.data
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
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {keys?.length === 0 && (
        <section className="card">
          <Empty icon="key" title={t.none.title}>
            {t.none.text}
          </Empty>
        </section>
      )}
      {keys !== undefined && keys.length > 0 && <KeyRows keys={keys} onOpen={setOpen} />}
      <FederationsCard />
      <CreateKey isOpen={open?.is === 'create'} onClose={close} onMade={made} />
      <RotateKey apiKey={open?.is === 'rotate' ? open.key : undefined} onClose={close} onMade={made} />
      <RevokeKey apiKey={open?.is === 'revoke' ? open.key : undefined} onClose={close} />
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
      <Table
        columns={[
          t.columns.label,
          t.columns.scopes,
          t.columns.status,
          t.columns.used,
          { name: t.columns.actions, of: 'actions' },
        ]}
      >
        <tbody>
          {keys.map((key) => (
            <tr key={key.key_id} data-key={key.key_id} data-status={key.status}>
              <td className="long">
                <span className="strong">{key.label}</span>
                <code className="quiet below">{key.key_id}</code>
              </td>
              <td data-name={t.columns.scopes}>{key.scopes.join(', ')}</td>
              <td data-name={t.columns.status}>
                <Status of={key} />
                <span className="quiet below nowrap">
                  {t.created} <Time at={key.created_at} as="day" />
                </span>
              </td>
              <td data-name={t.columns.used} className="nowrap">
                {key.last_used_at === null ? t.neverUsed : <Time at={key.last_used_at} as="ago" />}
              </td>
              <td className="actions">
                {(key.status === 'active' || key.status === 'ending') && (
                  <>
                    <RowButton
                      text={t.rotate.action}
                      subject={key.label}
                      isDangerous={false}
                      onClick={() => onOpen({ is: 'rotate', key })}
                    />
                    <RowButton
                      text={t.revoke.action}
                      subject={key.label}
                      onClick={() => onOpen({ is: 'revoke', key })}
                    />
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

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

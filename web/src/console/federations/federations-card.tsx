import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card, Notice } from '../../parts/blocks.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icons.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'
import { useLiveQuery } from '../live-query.tsx'
import { Problem } from '../problem.tsx'
import { RowButton } from '../row-button.tsx'
import { claimText } from './claims.tsx'
import { FederationForm, FEDERATIONS, type ListedFederation } from './federation-form.tsx'

type Open =
  | { readonly is: 'form'; readonly federation?: ListedFederation }
  | { readonly is: 'delete'; readonly federation: ListedFederation }

/** CI systems whose jobs get keys of the workspace without a stored secret. */
export function FederationsCard() {
  const list = useLiveQuery(FEDERATIONS, api.listFederations)
  const [open, setOpen] = useState<Open>()
  const [made, setMade] = useState<ListedFederation>()
  const close = (): void => setOpen(undefined)
  const federations = list.data?.data ?? []
  return (
    <Card
      title={t('console.federations.title')}
      actions={
        <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setOpen({ is: 'form' })}>
          {t('console.federations.add')}
        </Button>
      }
    >
      <p className="quiet">
        {t('console.federations.lead')}{' '}
        <a href="/docs/how-to/submit-from-ci">{t('console.federations.guide')}</a>
      </p>
      {made !== undefined && (
        <Notice tone="pass" isAlert title={t('console.federations.created', { label: made.label })}>
          <p>{t('console.federations.createdText')}</p>
          <Code value={made.federation_id} what={t('console.federations.id')} />
        </Notice>
      )}
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && federations.length === 0 && <p>{t('console.federations.none')}</p>}
      {federations.length > 0 && <Rows federations={federations} onOpen={setOpen} />}
      {open?.is === 'form' && (
        <FederationForm
          federation={open.federation}
          onClose={close}
          onSaved={(saved) => {
            if (open.federation === undefined) setMade(saved)
            close()
          }}
        />
      )}
      {open?.is === 'delete' && (
        <ConfirmDialog
          action={t('console.federations.remove.action')}
          text={t('console.federations.remove.text')}
          title={t('console.federations.remove.title', { label: open.federation.label })}
          stale={FEDERATIONS}
          run={() => api.deleteFederation(open.federation.federation_id)}
          onClose={close}
        />
      )}
    </Card>
  )
}

interface RowsProps {
  readonly federations: readonly ListedFederation[]
  onOpen(open: Open): void
}

function Rows({ federations, onOpen }: RowsProps) {
  return (
    <RowTable
      rows={federations}
      keyOf={({ federation_id }) => federation_id}
      columns={[
        {
          name: t('console.federations.columns.label'),
          of: 'titles',
          cell: ({ label, issuer }) => (
            <>
              <span className="strong">{label}</span>
              <span className="quiet below">{issuer}</span>
            </>
          ),
          below: ({ federation_id, expires_at }) => (
            <>
              <Code value={federation_id} what={t('console.federations.id')} />
              {expires_at !== null && (
                <span className="below">
                  {t('console.federations.ends')} <Time at={expires_at} as="instant" />
                </span>
              )}
            </>
          ),
        },
        {
          name: t('console.federations.columns.claims'),
          className: 'long',
          cell: ({ claims }) =>
            claims.map((claim) => (
              <span className="claim-text" key={claimText(claim)}>
                {claimText(claim)}
              </span>
            )),
        },
        { name: t('console.federations.columns.scopes'), cell: ({ scopes }) => scopes.join(', ') },
        {
          name: t('console.federations.columns.actions'),
          of: 'actions',
          cell: (federation) => (
            <>
              <RowButton
                text={t('console.federations.edit')}
                subject={federation.label}
                isDangerous={false}
                onClick={() => onOpen({ is: 'form', federation })}
              />
              <RowButton
                text={t('console.federations.remove.action')}
                subject={federation.label}
                onClick={() => onOpen({ is: 'delete', federation })}
              />
            </>
          ),
        },
      ]}
    />
  )
}

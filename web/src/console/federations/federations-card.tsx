import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card, Notice } from '../../parts/blocks.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icons.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { texts } from '../../texts/index.ts'
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
  const t = texts.console.federations
  const federations = list.data?.data ?? []
  return (
    <Card
      title={t.title}
      actions={
        <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setOpen({ is: 'form' })}>
          {t.add}
        </Button>
      }
    >
      <p className="quiet">
        {t.lead} <a href="/docs/how-to/submit-from-ci">{t.guide}</a>
      </p>
      {made !== undefined && (
        <Notice tone="pass" isAlert title={t.created(made.label)}>
          <p>{t.createdText}</p>
          <Code value={made.federation_id} what={t.id} />
        </Notice>
      )}
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && federations.length === 0 && <p>{t.none}</p>}
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
          {...t.remove}
          title={t.remove.title(open.federation.label)}
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
  const t = texts.console.federations
  return (
    <RowTable
      rows={federations}
      keyOf={({ federation_id }) => federation_id}
      columns={[
        {
          name: t.columns.label,
          of: 'titles',
          cell: ({ label, issuer }) => (
            <>
              <span className="strong">{label}</span>
              <span className="quiet below">{issuer}</span>
            </>
          ),
          below: ({ federation_id, expires_at }) => (
            <>
              <Code value={federation_id} what={t.id} />
              {expires_at !== null && (
                <span className="below">
                  {t.ends} <Time at={expires_at} as="instant" />
                </span>
              )}
            </>
          ),
        },
        {
          name: t.columns.claims,
          className: 'long',
          cell: ({ claims }) =>
            claims.map((claim) => (
              <span className="claim-text" key={claimText(claim)}>
                {claimText(claim)}
              </span>
            )),
        },
        { name: t.columns.scopes, cell: ({ scopes }) => scopes.join(', ') },
        {
          name: t.columns.actions,
          of: 'actions',
          cell: (federation) => (
            <>
              <RowButton
                text={t.edit}
                subject={federation.label}
                isDangerous={false}
                onClick={() => onOpen({ is: 'form', federation })}
              />
              <RowButton
                text={t.remove.action}
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

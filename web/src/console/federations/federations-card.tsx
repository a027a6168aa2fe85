import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Card, Notice } from '../../parts/blocks.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Table } from '../../parts/table.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
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
        {t.lead} <a href="/docs/how-to/submit-from-ci-without-a-secret">{t.guide}</a>
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
      {open?.is === 'delete' && <DeleteFederation federation={open.federation} onClose={close} />}
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
    <Table
      columns={[
        t.columns.label,
        t.columns.claims,
        t.columns.scopes,
        { name: t.columns.actions, of: 'actions' },
      ]}
    >
      <tbody>
        {federations.map((federation) => (
          <tr key={federation.federation_id}>
            <td className="long">
              <span className="strong">{federation.label}</span>
              <span className="quiet below">{federation.issuer}</span>
              <span className="quiet below">
                <Code value={federation.federation_id} what={t.id} />
              </span>
            </td>
            <td data-name={t.columns.claims} className="long">
              {federation.claims.map((claim) => (
                <span className="claim-text" key={claimText(claim)}>
                  {claimText(claim)}
                </span>
              ))}
            </td>
            <td data-name={t.columns.scopes}>{federation.scopes.join(', ')}</td>
            <td className="actions">
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
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

interface DeleteProps {
  readonly federation: ListedFederation
  onClose(): void
}

function DeleteFederation({ federation, onClose }: DeleteProps) {
  const queries = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => api.deleteFederation(federation.federation_id),
    onSuccess: async () => {
      onClose()
      await queries.invalidateQueries({ queryKey: FEDERATIONS })
    },
  })
  const t = texts.console.federations.remove
  return (
    <ConfirmDialog
      title={t.title(federation.label)}
      text={t.text}
      action={t.action}
      isOpen
      mutation={deleting}
      onClose={onClose}
      onConfirm={() => deleting.mutate()}
    />
  )
}

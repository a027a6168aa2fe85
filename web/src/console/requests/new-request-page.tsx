import type { EvidenceRequest } from '@kitseal/client'
import { useQuery } from '@tanstack/react-query'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { Card, Heading, Problem, QueryState } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { Fields, Form } from '../../parts/fields.tsx'
import { api } from '../client.ts'
import { EditItems, useKeptFields } from '../items/edit-items.tsx'
import { addressesIn, importedItems, type ItemDraft, requestItems } from '../items/item-drafts.ts'
import { useChange, useOnce } from '../queries.tsx'
import { useMe } from '../session.tsx'
import { REQUESTS, showRequestLink } from './requests-page.tsx'

/** A new request: from a list, by hand, or as the copy of another one. */
export default function NewRequestPage({ copyOf }: { readonly copyOf: string | null }) {
  // Read once: what is typed meanwhile stays.
  const copied = useQuery({
    queryKey: [...REQUESTS, copyOf, 'copy'],
    queryFn: () => api.getRequest(copyOf ?? ''),
    enabled: copyOf !== null,
    staleTime: Infinity,
  })
  if (copyOf !== null && copied.data === undefined) return <QueryState query={copied} />
  return <NewRequest copied={copied.data} />
}

const valuesOf = (copied: EvidenceRequest | undefined) => ({
  title: copied?.title ?? '',
  message: copied?.message ?? '',
  due: '',
  recipients: copied?.recipients.join(', ') ?? '',
  items: importedItems(
    copied?.items.map(({ id, title, description }) => ({ id, title, description: description ?? '' })) ?? [],
  ) as readonly ItemDraft[],
})

function NewRequest({ copied }: { readonly copied: EvidenceRequest | undefined }) {
  const [values, set, forget] = useKeptFields(`request ${copied?.evidence_request_id ?? 'new'}`, () =>
    valuesOf(copied),
  )
  const { title, message, due, recipients, items } = values
  const onceFor = useOnce()
  const { sends_mail: sendsMail } = useMe()
  const isMailed = sendsMail && addressesIn(recipients).length > 0
  const creating = useChange(
    REQUESTS,
    () => {
      const body = {
        title: title.trim(),
        items: requestItems(items),
        ...(message.trim() !== '' && { message: message.trim() }),
        ...(due !== '' && { due_at: endOfDay(due) }),
        ...(addressesIn(recipients).length > 0 && { recipients: addressesIn(recipients) }),
      }
      return api.createRequest(body, onceFor(body))
    },
    ({ evidence_request_id: id, link }) => {
      forget()
      navigate(`/console/requests/${id}`)
      if (link !== undefined && !isMailed) showRequestLink(link.url)
    },
  )
  return (
    <Form onSubmit={() => creating.mutate()}>
      <Heading title={t('console.titles.newRequest')} lead={t('console.requests.lead')} />
      <Card>
        <Fields
          texts="console.requests.form"
          values={values}
          set={set}
          fields={[
            { name: 'title', isRequired: true, maxLength: 200 },
            { name: 'message', is: 'area', maxLength: 5000 },
            { name: 'due', is: 'date' },
            {
              name: 'recipients',
              hint: sendsMail
                ? t('console.requests.form.recipientsHint')
                : t('console.requests.form.recipientsOff'),
            },
          ]}
        />
      </Card>
      <Card title={t('console.requests.form.items')}>
        <EditItems
          items={items}
          onImport={(list) => set({ items: importedItems(list) })}
          onChange={(changed) => set({ items: changed })}
        />
      </Card>
      <Problem error={creating.error} />
      <div className="bar">
        <span className="quiet">
          {items.length === 0
            ? t('console.requests.form.needsItems')
            : t('console.requests.form.ready', { count: items.length, isMailed })}
        </span>
        <Button type="submit" look="main" isBusy={creating.isPending} disabled={items.length === 0}>
          {t('console.requests.form.create')}
        </Button>
      </div>
    </Form>
  )
}

/** The end of the day where the requester is. */
const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString()

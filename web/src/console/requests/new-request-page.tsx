import type { NewRequest } from '@kitseal/client'
import type { RequestedItem } from '@kitseal/examiner'
import { Button, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Card, Heading } from '../../parts/blocks.tsx'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api, once } from '../client.ts'
import { Form, useFields } from '../form.tsx'
import { Permitted } from '../permitted.tsx'
import { Problem } from '../problem.tsx'
import { randomKey } from '../../core/random-key.ts'
import { useMe } from '../session.tsx'
import { useChange } from '../use-change.ts'
import '../../styles/requests.css'
import { ImportItems, itemOf, ProfileItems } from './import-items.tsx'
import { ItemRows } from './item-rows.tsx'
import { keepLink, REQUESTS } from './new-link.ts'

/** A new request: from a list, by hand, or as the copy of another one. */
export function NewRequestPage({ copyOf }: { readonly copyOf: string | null }) {
  return (
    <Permitted to="requests" title={t('console.titles.newRequest')}>
      <NewRequestForm copyOf={copyOf} />
    </Permitted>
  )
}

function NewRequestForm({ copyOf }: { readonly copyOf: string | null }) {
  const { values, set, text } = useFields({
    title: '',
    message: '',
    due: '',
    recipients: '',
  })
  const { title, message, due, recipients } = values
  const [items, setItems] = useState<readonly RequestedItem[]>([])
  const { data } = useQuery({
    queryKey: [...REQUESTS, copyOf],
    queryFn: () => api.getRequest(copyOf ?? ''),
    enabled: copyOf !== null,
  })
  useEffect(() => {
    if (data === undefined) return
    const { title: copied, message: said } = data
    set({ title: copied, message: said ?? '', recipients: data.recipients.join(', ') })
    setItems(data.items.map(({ id, title: name, description }) => itemOf(id, name, description)))
  }, [data])
  const key = useRef(randomKey())
  const { sends_mail: sendsMail } = useMe()
  const creating = useChange(
    REQUESTS,
    (body: NewRequest) =>
      api.createRequest(body, once(key.current)).catch((error: unknown) => {
        // Another body needs another key.
        key.current = randomKey()
        throw error
      }),
    (made) => {
      const isMailed = sendsMail && made.recipients.length > 0
      if (made.link !== undefined && !isMailed) keepLink(made.evidence_request_id, made.link.url)
      navigate(`/console/requests/${made.evidence_request_id}`)
    },
  )
  const create = (): void => {
    const addresses = recipients.split(/[\s,;]+/).filter((address) => address !== '')
    creating.mutate({
      title: title.trim(),
      items: items.map(({ id, title: name, description, due_at }) => ({
        id: id.trim(),
        title: name.trim(),
        description: description?.trim() || null,
        due_at: due_at ?? null,
      })),
      ...(message.trim() === '' ? {} : { message: message.trim() }),
      ...(due === '' ? {} : { due_at: endOfDay(due) }),
      ...(addresses.length === 0 ? {} : { recipients: addresses }),
    })
  }
  return (
    <Form onSubmit={create}>
      <Heading title={t('console.titles.newRequest')} lead={t('console.requests.lead')} />
      <Card>
        <div className="fields">
          <TextInput
            label={t('console.requests.form.title')}
            description={t('console.requests.form.titleHint')}
            required
            maxLength={200}
            autoFocus
            {...text('title')}
          />
          <Textarea
            label={t('console.requests.form.message')}
            rows={3}
            maxLength={5000}
            {...text('message')}
          />
          <TextInput label={t('console.requests.form.due')} type="date" {...text('due')} />
          <TextInput
            label={t('console.requests.form.recipients')}
            description={
              sendsMail ? t('console.requests.form.recipientsHint') : t('console.requests.form.recipientsOff')
            }
            {...text('recipients')}
          />
        </div>
      </Card>
      <Card title={t('console.requests.form.items')}>
        <p className="quiet">{t('console.requests.form.itemsHint')}</p>
        <div className="request-sources">
          <ProfileItems onItems={setItems} />
          <ImportItems onItems={setItems} />
        </div>
        <ItemRows items={items} onChange={setItems} />
      </Card>
      {creating.error !== null && <Problem error={creating.error} />}
      <div className="row send-bar">
        <span className="quiet">
          {items.length === 0
            ? t('console.requests.form.needsItems')
            : t('console.requests.form.ready', {
                count: items.length,
                isMailed: sendsMail && recipients.trim() !== '',
              })}
        </span>
        <Button type="submit" size="md" loading={creating.isPending} disabled={items.length === 0}>
          {t('console.requests.form.create')}
        </Button>
      </div>
    </Form>
  )
}

/** The end of the day where the requester is. */
const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString()

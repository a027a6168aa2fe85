import type { NewServiceWorkspace, ServiceWorkspace } from '@kitseal/client/console'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Heading, Notice } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { queryText } from '../../core/query-text.ts'
import { limitText, sizeText } from '../../core/readable.ts'
import { Link, navigate, useLocation } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { FormDialog } from '../dialogs.tsx'
import { useFields } from '../form.tsx'
import { NewSecret } from '../keys/new-secret.tsx'
import { LoadMore } from '../load-more.tsx'
import { QueryState } from '../problem.tsx'
import { usePages } from '../use-pages.ts'
import { OperatorsOnly, SERVICE } from './operators-only.tsx'
import { PlanSelect } from './plan-select.tsx'
import { Plans } from './plans.tsx'

/** All workspaces of the service, for operators. */
export function ServiceWorkspacesPage() {
  return (
    <OperatorsOnly title={t('console.titles.serviceWorkspaces')}>
      <Workspaces />
    </OperatorsOnly>
  )
}

function Workspaces() {
  const { pathname, searchParams } = useLocation()
  const q = searchParams.get('q') ?? ''
  const list = usePages([...SERVICE, 'workspaces', q], ({ cursor }) => api.listServiceWorkspaces(q, cursor))
  const [isNew, setIsNew] = useState(false)
  const [made, setMade] = useState<NewServiceWorkspace>()
  return (
    <>
      <Heading
        title={t('console.titles.serviceWorkspaces')}
        lead={t('console.service.workspaces.lead')}
        actions={
          <Button leftSection={<Icon name="plus" />} onClick={() => setIsNew(true)}>
            {t('console.service.workspaces.new')}
          </Button>
        }
      />
      {made !== undefined && <Made made={made} onDone={() => setMade(undefined)} />}
      <TextInput
        type="search"
        label={t('console.service.workspaces.search')}
        value={q}
        mb="md"
        onChange={({ currentTarget: { value } }) =>
          navigate(pathname + queryText(value === '' ? {} : { q: value }), { replace: true })
        }
      />
      <QueryState query={list} />
      {list.isEmpty && <p className="quiet">{t('console.service.workspaces.none')}</p>}
      {list.rows.length > 0 && (
        <section className="card flush" aria-label={t('console.titles.serviceWorkspaces')}>
          <Rows rows={list.rows} />
        </section>
      )}
      <LoadMore query={list} />
      <Plans />
      {isNew && (
        <NewWorkspace
          onClose={() => setIsNew(false)}
          onMade={(done) => {
            setIsNew(false)
            setMade(done)
          }}
        />
      )}
    </>
  )
}

function Rows({ rows }: { readonly rows: readonly ServiceWorkspace[] }) {
  return (
    <RowTable
      rows={rows}
      keyOf={({ workspace_id }) => workspace_id}
      columns={[
        {
          name: t('console.service.workspaces.columns.name'),
          of: 'titles',
          cell: ({ workspace_id: id, name }) => (
            <Link href={`/console/service/workspaces/${id}`}>{name}</Link>
          ),
          below: ({ named_by }) => t(`console.service.workspaces.named.${named_by}`),
        },
        { name: t('console.service.workspaces.columns.plan'), cell: ({ plan }) => plan.name },
        { name: t('console.service.workspaces.columns.used'), className: 'nowrap', cell: usedText },
        {
          name: t('console.service.workspaces.columns.members'),
          of: 'numbers',
          cell: ({ members }) => members,
        },
        {
          name: t('console.service.workspaces.columns.created'),
          className: 'nowrap',
          cell: ({ created_at }) => <Time at={created_at} as="day" />,
        },
      ]}
    />
  )
}

export function usedText({ stored_bytes, plan }: ServiceWorkspace): string {
  const used = sizeText(stored_bytes)
  const limit = plan.storage_limit_bytes
  return limit === null ? used : t('console.service.workspaces.of', { used, limit: limitText(limit) })
}

function Made({ made, onDone }: { readonly made: NewServiceWorkspace; onDone(): void }) {
  const { workspace, owner, link } = made
  if (link !== null)
    return (
      <NewSecret
        secret={{
          title: t('console.service.workspaces.link'),
          text: t('console.service.workspaces.linkText', { email: owner }),
          value: link,
          what: t('console.service.workspaces.what'),
        }}
        onDone={onDone}
      />
    )
  return (
    <Notice tone="pass" isAlert title={t('console.service.workspaces.made', { name: workspace.name })}>
      {t('console.service.workspaces.mailed', { email: owner })}
    </Notice>
  )
}

interface NewWorkspaceProps {
  onMade(made: NewServiceWorkspace): void
  onClose(): void
}

function NewWorkspace({ onMade, onClose }: NewWorkspaceProps) {
  const { values, text, choice } = useFields({ name: '', plan: 'default', email: '' })
  return (
    <FormDialog
      title={t('console.service.workspaces.new')}
      action={t('console.service.workspaces.create')}
      stale={SERVICE}
      run={() => api.createServiceWorkspace({ ...values, email: values.email.trim() })}
      onDone={onMade}
      onClose={onClose}
    >
      <TextInput
        label={t('console.service.workspaces.name')}
        description={t('console.service.workspaces.nameHint')}
        required
        maxLength={200}
        {...text('name')}
      />
      <TextInput
        label={t('console.service.workspaces.owner')}
        description={t('console.service.workspaces.ownerHint')}
        type="email"
        required
        {...text('email')}
      />
      <PlanSelect {...choice('plan')} />
    </FormDialog>
  )
}

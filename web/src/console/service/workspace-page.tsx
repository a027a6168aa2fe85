import type { ServiceMember, ServiceWorkspace, ServiceWorkspacePage as Page } from '@kitseal/client/console'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { BackLink, Card, EmptyCard, type Fact, Facts, Heading } from '../../parts/blocks.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { limitText, numberText } from '../../core/readable.ts'
import { Link } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { ConfirmDialog, FormDialog } from '../dialogs.tsx'
import { useFields } from '../form.tsx'
import { useLiveQuery } from '../live-query.tsx'
import { isMissing, QueryState } from '../problem.tsx'
import { RowButton } from '../row-button.tsx'
import { useMe } from '../session.tsx'
import { OperatorsOnly, SERVICE } from './operators-only.tsx'
import { PlanSelect } from './plan-select.tsx'
import { usedText } from './workspaces-page.tsx'

const LIST = '/console/service/workspaces'

/** One workspace and its members, for operators. */
export function ServiceWorkspacePage({ id }: { readonly id: string }) {
  return (
    <OperatorsOnly title={t('console.titles.serviceWorkspace')}>
      <Workspace id={id} />
    </OperatorsOnly>
  )
}

function Workspace({ id }: { readonly id: string }) {
  const query = useLiveQuery([...SERVICE, 'workspace', id], (options) => api.getServiceWorkspace(id, options))
  if (query.data !== undefined) return <Shown page={query.data} />
  if (isMissing(query.error))
    return (
      <EmptyCard
        icon="people"
        title={t('console.service.workspace.missing')}
        level={1}
        action={<Link href={LIST}>{t('console.service.workspace.back')}</Link>}
      />
    )
  return (
    <>
      <Heading title={t('console.titles.serviceWorkspace')} />
      <QueryState query={query} />
    </>
  )
}

function Shown({ page }: { readonly page: Page }) {
  const { workspace } = page
  const { workspace_id: id, name, named_by } = workspace
  const [open, setOpen] = useState<'plan' | 'confirm'>()
  const close = (): void => setOpen(undefined)
  return (
    <>
      <BackLink href={LIST}>{t('console.service.workspace.back')}</BackLink>
      <Heading title={name} lead={t(`console.service.workspaces.named.${named_by}`)} />
      <Card>
        <Facts facts={factsOf(workspace)} />
        <div className="row">
          <Button variant="default" onClick={() => setOpen('plan')}>
            {t('console.service.workspace.plan.action')}
          </Button>
          {named_by === 'workspace' && (
            <Button variant="default" onClick={() => setOpen('confirm')}>
              {t('console.service.workspace.confirm.action')}
            </Button>
          )}
        </div>
      </Card>
      <Members page={page} />
      {open === 'plan' && <ChangePlan workspace={workspace} onClose={close} />}
      {open === 'confirm' && (
        <ConfirmDialog
          title={t('console.service.workspace.confirm.title', { name })}
          text={t('console.service.workspace.confirm.text')}
          action={t('console.service.workspace.confirm.action')}
          isDangerous={false}
          stale={SERVICE}
          run={() => api.confirmWorkspaceName(id, name)}
          onClose={close}
        />
      )}
    </>
  )
}

function factsOf(workspace: ServiceWorkspace): readonly Fact[] {
  const { workspace_id, plan, credits, created_at } = workspace
  return [
    {
      name: t('console.service.workspace.facts.id'),
      value: <Code value={workspace_id} what={t('console.service.workspace.facts.id')} />,
    },
    { name: t('console.service.workspace.facts.plan'), value: plan.name },
    { name: t('console.service.workspace.facts.used'), value: usedText(workspace) },
    { name: t('console.service.workspace.facts.upload'), value: limitText(plan.upload_limit_bytes) },
    {
      name: t('console.service.workspace.facts.retention'),
      value:
        plan.retention_days === null
          ? t('console.service.workspace.facts.forever')
          : t('console.service.workspace.facts.days', { days: plan.retention_days }),
    },
    { name: t('console.service.workspace.facts.mails'), value: numberText(plan.mails_per_day) },
    { name: t('console.service.workspace.facts.rate'), value: numberText(plan.rate_per_minute) },
    {
      name: t('console.service.workspace.facts.credits'),
      value: credits === null ? t('console.service.workspace.facts.unlimited') : numberText(credits),
    },
    { name: t('console.service.workspace.facts.created'), value: <Time at={created_at} /> },
  ]
}

interface ChangePlanProps {
  readonly workspace: ServiceWorkspace
  onClose(): void
}

function ChangePlan({ workspace: { workspace_id, plan }, onClose }: ChangePlanProps) {
  const { values, choice } = useFields({ plan: plan.name })
  return (
    <FormDialog
      title={t('console.service.workspace.plan.title')}
      action={t('console.service.workspace.plan.save')}
      stale={SERVICE}
      run={() => api.changeServiceWorkspace(workspace_id, values.plan)}
      onClose={onClose}
    >
      <PlanSelect {...choice('plan')} />
    </FormDialog>
  )
}

function Members({ page: { workspace, members, invitations } }: { readonly page: Page }) {
  const [open, setOpen] = useState<{ readonly is: 'reset' | 'remove'; readonly member: ServiceMember }>()
  const { sends_mail } = useMe()
  return (
    <Card title={t('console.service.workspace.members.title')}>
      {members.length === 0 && <p className="quiet">{t('console.service.workspace.members.none')}</p>}
      {members.length > 0 && (
        <RowTable
          rows={members}
          keyOf={({ member_id }) => member_id}
          columns={[
            {
              name: t('console.service.workspace.members.columns.email'),
              of: 'titles',
              cell: ({ name, email }) => name ?? email,
              below: ({ name, email }) => (name === null ? null : email),
            },
            {
              name: t('console.service.workspace.members.columns.role'),
              cell: ({ role }) => t(`console.roles.names.${role}`),
            },
            {
              name: t('console.service.workspace.members.columns.signIn'),
              cell: ({ uses_sso, passkeys }) =>
                uses_sso
                  ? t('console.service.workspace.members.sso')
                  : t('console.service.workspace.members.passkeys', { count: passkeys }),
            },
            {
              name: t('console.service.workspace.members.columns.seen'),
              className: 'nowrap',
              cell: ({ last_seen_at: at }) =>
                at === null ? t('console.service.workspace.members.never') : <Time at={at} as="ago" />,
            },
            {
              name: t('console.service.workspace.members.columns.actions'),
              of: 'actions',
              cell: (member) => (
                <>
                  {!member.uses_sso && sends_mail && (
                    <RowButton
                      text={t('console.service.workspace.reset.action')}
                      subject={member.email}
                      onClick={() => setOpen({ is: 'reset', member })}
                    />
                  )}
                  <RowButton
                    text={t('console.service.workspace.remove.action')}
                    subject={member.email}
                    onClick={() => setOpen({ is: 'remove', member })}
                  />
                </>
              ),
            },
          ]}
        />
      )}
      {invitations.map(({ email, role }) => (
        <p key={email} className="quiet">
          {t('console.service.workspace.members.invited', { email, role })}
        </p>
      ))}
      {!sends_mail && <p className="quiet">{t('console.service.workspace.reset.noMail')}</p>}
      {open !== undefined && (
        <ConfirmDialog
          title={t(`console.service.workspace.${open.is}.title`, { email: open.member.email })}
          text={t(`console.service.workspace.${open.is}.text`)}
          action={t(`console.service.workspace.${open.is}.action`)}
          stale={SERVICE}
          run={() =>
            open.is === 'reset'
              ? api.resetAccess(workspace.workspace_id, open.member.member_id)
              : api.removeServiceMember(workspace.workspace_id, open.member.member_id)
          }
          onClose={() => setOpen(undefined)}
        />
      )}
    </Card>
  )
}

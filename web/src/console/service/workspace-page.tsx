import type { ServiceMember, ServiceWorkspace, ServiceWorkspacePage as Page } from '@kitseal/client/console'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { BackLink, Card, EmptyCard, type Fact, Facts, Heading } from '../../parts/blocks.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { limitText, numberText } from '../../readable.ts'
import { Link } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
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
    <OperatorsOnly title={texts.console.titles.serviceWorkspace}>
      <Workspace id={id} />
    </OperatorsOnly>
  )
}

function Workspace({ id }: { readonly id: string }) {
  const query = useLiveQuery([...SERVICE, 'workspace', id], (options) => api.getServiceWorkspace(id, options))
  const t = texts.console.service.workspace
  if (query.data !== undefined) return <Shown page={query.data} />
  if (isMissing(query.error))
    return <EmptyCard icon="people" title={t.missing} level={1} action={<Link href={LIST}>{t.back}</Link>} />
  return (
    <>
      <Heading title={texts.console.titles.serviceWorkspace} />
      <QueryState query={query} />
    </>
  )
}

function Shown({ page }: { readonly page: Page }) {
  const { workspace } = page
  const { workspace_id: id, name, named_by } = workspace
  const [open, setOpen] = useState<'plan' | 'confirm'>()
  const close = (): void => setOpen(undefined)
  const t = texts.console.service.workspace
  return (
    <>
      <BackLink href={LIST}>{t.back}</BackLink>
      <Heading title={name} lead={texts.console.service.workspaces.named[named_by]} />
      <Card>
        <Facts facts={factsOf(workspace)} />
        <div className="row">
          <Button variant="default" onClick={() => setOpen('plan')}>
            {t.plan.action}
          </Button>
          {named_by === 'workspace' && (
            <Button variant="default" onClick={() => setOpen('confirm')}>
              {t.confirm.action}
            </Button>
          )}
        </div>
      </Card>
      <Members page={page} />
      {open === 'plan' && <ChangePlan workspace={workspace} onClose={close} />}
      {open === 'confirm' && (
        <ConfirmDialog
          title={t.confirm.title(name)}
          text={t.confirm.text}
          action={t.confirm.action}
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
  const t = texts.console.service.workspace.facts
  return [
    { name: t.id, value: <Code value={workspace_id} what={t.id} /> },
    { name: t.plan, value: plan.name },
    { name: t.used, value: usedText(workspace) },
    { name: t.upload, value: limitText(plan.upload_limit_bytes) },
    { name: t.retention, value: plan.retention_days === null ? t.forever : t.days(plan.retention_days) },
    { name: t.mails, value: numberText(plan.mails_per_day) },
    { name: t.rate, value: numberText(plan.rate_per_minute) },
    { name: t.credits, value: credits === null ? t.unlimited : numberText(credits) },
    { name: t.created, value: <Time at={created_at} /> },
  ]
}

interface ChangePlanProps {
  readonly workspace: ServiceWorkspace
  onClose(): void
}

function ChangePlan({ workspace: { workspace_id, plan }, onClose }: ChangePlanProps) {
  const { values, choice } = useFields({ plan: plan.name })
  const t = texts.console.service.workspace.plan
  return (
    <FormDialog
      title={t.title}
      action={t.save}
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
  const t = texts.console.service.workspace
  return (
    <Card title={t.members.title}>
      {members.length === 0 && <p className="quiet">{t.members.none}</p>}
      {members.length > 0 && (
        <RowTable
          rows={members}
          keyOf={({ member_id }) => member_id}
          columns={[
            {
              name: t.members.columns.email,
              of: 'titles',
              cell: ({ name, email }) => name ?? email,
              below: ({ name, email }) => (name === null ? null : email),
            },
            { name: t.members.columns.role, cell: ({ role }) => texts.console.roles.names[role] },
            {
              name: t.members.columns.signIn,
              cell: ({ uses_sso, passkeys }) => (uses_sso ? t.members.sso : t.members.passkeys(passkeys)),
            },
            {
              name: t.members.columns.seen,
              className: 'nowrap',
              cell: ({ last_seen_at: at }) => (at === null ? t.members.never : <Time at={at} as="ago" />),
            },
            {
              name: t.members.columns.actions,
              of: 'actions',
              cell: (member) => (
                <>
                  {!member.uses_sso && sends_mail && (
                    <RowButton
                      text={t.reset.action}
                      subject={member.email}
                      onClick={() => setOpen({ is: 'reset', member })}
                    />
                  )}
                  <RowButton
                    text={t.remove.action}
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
          {t.members.invited(email, texts.console.roles.names[role])}
        </p>
      ))}
      {!sends_mail && <p className="quiet">{t.reset.noMail}</p>}
      {open !== undefined && (
        <ConfirmDialog
          title={t[open.is].title(open.member.email)}
          text={t[open.is].text}
          action={t[open.is].action}
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

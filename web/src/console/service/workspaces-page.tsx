import type {
  NewServiceWorkspace,
  Plan,
  ServiceMember,
  ServiceWorkspace,
} from '../../core/console-types.generated.ts'
import { useQuery } from '@tanstack/react-query'
import { isMissing } from '../../core/fetch-json.ts'
import { queryText, navigate, useLocation } from '../../core/router.tsx'
import { limitText, numberText, sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { BackLink, Card, Facts, Heading, QueryState } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { List } from '../../parts/list.tsx'
import { Search, NotFound } from '../blocks.tsx'
import { Time } from '../../parts/time.tsx'
import { api } from '../client.ts'
import { showOnce } from '../one-time.tsx'
import { askChange, useLiveQuery, usePages } from '../queries.tsx'
import { roleText, useMe } from '../session.tsx'
import { SERVICE } from './service-page.tsx'

const LIST = '/console/service/workspaces'

const usePlans = () => useQuery({ queryKey: [...SERVICE, 'plans'], queryFn: () => api.listServicePlans() })

/** One workspace of the service, or all. */
export default function WorkspacesPage({ id }: { readonly id: string }) {
  return id === '' ? <Workspaces /> : <OneWorkspace id={id} />
}

/** All workspaces of the service, and its plans. */
function Workspaces() {
  const q = useLocation().searchParams.get('q') ?? ''
  const list = usePages([...SERVICE, 'workspaces', q], ({ cursor }) => api.listServiceWorkspaces(q, cursor))
  const plans = usePlans()
  return (
    <>
      <Heading
        title={t('console.titles.serviceWorkspaces')}
        lead={t('console.service.workspaces.lead')}
        actions={
          <Button look="main" icon="plus" onClick={() => createWorkspace(plans.data?.plans ?? [])}>
            {t('console.service.workspaces.new')}
          </Button>
        }
      />
      <div className="beside">
        <Search
          label={t('console.service.workspaces.search')}
          value={q}
          onSearch={(wanted) => navigate(LIST + queryText({ q: wanted }), { replace: true })}
        />
      </div>
      <Card title={t('console.titles.serviceWorkspaces')}>
        <List
          query={list}
          empty={<p className="quiet">{t('console.service.workspaces.none')}</p>}
          texts="console.service.workspaces.columns"
          columns={[
            {
              name: 'name',
              of: 'titles',
              cell: ({ name }) => name,
              href: ({ workspace_id }) => `${LIST}/${workspace_id}`,
              below: ({ named_by }) => t(`console.service.workspaces.named.${named_by}`),
            },
            { name: 'plan', cell: ({ plan }) => plan.name },
            { name: 'used', cell: usedText },
            { name: 'members', cell: ({ members }) => members },
            { name: 'created', cell: ({ created_at }) => <Time at={created_at} as="day" /> },
          ]}
        />
      </Card>
      <Card
        title={t('console.service.plans.title')}
        actions={
          <Button onClick={() => writePlan(undefined, plans.data?.plans[0])}>
            {t('console.service.plans.new')}
          </Button>
        }
      >
        <p className="quiet">{t('console.service.plans.hint')}</p>
        <List
          query={plans}
          rows={plans.data?.plans ?? []}
          empty={null}
          subject={({ name }) => name}
          actions={(plan) => [{ text: t('console.service.plans.edit'), run: () => writePlan(plan, plan) }]}
          texts="console.service.plans.columns"
          columns={[
            { name: 'name', of: 'titles', cell: ({ name }) => name },
            { name: 'upload', cell: ({ upload_limit_bytes }) => limitText(upload_limit_bytes) },
            {
              name: 'storage',
              cell: ({ storage_limit_bytes: limit }) =>
                limit === null ? t('console.service.plans.noLimit') : limitText(limit),
            },
            { name: 'rate', cell: ({ rate_per_minute }) => numberText(rate_per_minute) },
            { name: 'mails', cell: ({ mails_per_day }) => numberText(mails_per_day) },
          ]}
        />
      </Card>
    </>
  )
}

function usedText({ stored_bytes, plan }: ServiceWorkspace): string {
  const used = sizeText(stored_bytes)
  const limit = plan.storage_limit_bytes
  return limit === null ? used : t('console.service.workspaces.of', { used, limit: limitText(limit) })
}

const planOptions = (plans: readonly Plan[]) => plans.map(({ name }) => ({ value: name, label: name }))

const createWorkspace = (plans: readonly Plan[]): void =>
  askChange({
    title: t('console.service.workspaces.new'),
    action: t('console.service.workspaces.create'),
    stale: SERVICE,
    texts: 'console.service.workspaces',
    initial: { name: '', owner: '', plan: 'default' },
    fields: () => [
      { name: 'name', isRequired: true, maxLength: 200 },
      { name: 'owner', is: 'email', isRequired: true },
      { name: 'plan', is: 'select', options: planOptions(plans) },
    ],
    run: ({ name, owner, plan }) => api.createServiceWorkspace({ name, plan, email: owner.trim() }),
    onDone: ({ workspace, owner, link }: NewServiceWorkspace) =>
      showOnce({
        title: t('console.service.workspaces.made', { name: workspace.name }),
        text:
          link === null
            ? t('console.service.workspaces.mailed', { email: owner })
            : t('console.service.workspaces.linkText', { email: owner }),
        values: link === null ? [] : [{ label: t('console.service.workspaces.link'), value: link }],
        below: null,
      }),
  })

const MB = 1024 * 1024

/** A new plan, from the limits of another one, or other limits of one that exists. */
function writePlan(plan: Plan | undefined, from: Plan | undefined): void {
  askChange({
    title:
      plan === undefined
        ? t('console.service.plans.new')
        : t('console.service.plans.changing', { name: plan.name }),
    action: plan === undefined ? t('console.service.plans.create') : t('console.service.plans.save'),
    stale: SERVICE,
    texts: 'console.service.plans',
    initial: {
      name: plan?.name ?? '',
      upload: String((from?.upload_limit_bytes ?? MB) / MB),
      storage: from?.storage_limit_bytes == null ? '' : String(from.storage_limit_bytes / MB),
      rate: String(from?.rate_per_minute ?? 1),
      mails: String(from?.mails_per_day ?? 1),
    },
    fields: () => [
      plan === undefined && { name: 'name', isRequired: true },
      { name: 'upload', is: 'number', isRequired: true },
      { name: 'storage', is: 'number' },
      { name: 'rate', is: 'number', min: 1, isRequired: true },
      { name: 'mails', is: 'number', min: 1, isRequired: true },
    ],
    run: ({ name, upload, storage, rate, mails }) => {
      const limits = {
        upload_limit_bytes: Math.round(Number(upload) * MB),
        storage_limit_bytes: storage === '' ? null : Math.round(Number(storage) * MB),
        rate_per_minute: Number(rate),
        mails_per_day: Number(mails),
      }
      return plan === undefined
        ? api.createServicePlan(name.trim(), limits)
        : api.changeServicePlan(plan.name, limits)
    },
  })
}

/** One workspace and its members. */
function OneWorkspace({ id }: { readonly id: string }) {
  const query = useLiveQuery([...SERVICE, 'workspace', id], (options) => api.getServiceWorkspace(id, options))
  const plans = usePlans().data?.plans ?? []
  const { sends_mail: sendsMail } = useMe()
  if (isMissing(query.error)) return <NotFound title={t('console.service.workspace.missing')} />
  if (query.data === undefined) return <QueryState query={query} />
  const { workspace, members, invitations } = query.data
  return (
    <>
      <BackLink href={LIST}>{t('console.service.workspace.back')}</BackLink>
      <Heading
        title={workspace.name}
        lead={t(`console.service.workspaces.named.${workspace.named_by}`)}
        actions={
          <>
            <Button onClick={() => changePlan(workspace, plans)}>
              {t('console.service.workspace.plan.action')}
            </Button>
            {workspace.named_by === 'workspace' && (
              <Button onClick={() => confirmName(workspace)}>
                {t('console.service.workspace.confirm.action')}
              </Button>
            )}
          </>
        }
      />
      <Card>
        <Facts
          texts="console.service.workspace.facts"
          facts={{
            id: <Code value={id} what={t('console.service.workspace.facts.id')} />,
            plan: workspace.plan.name,
            used: usedText(workspace),
            created: <Time at={workspace.created_at} />,
          }}
        />
      </Card>
      <Card title={t('console.service.workspace.members.title')}>
        <List
          query={query}
          rows={members}
          empty={<p className="quiet">{t('console.service.workspace.members.none')}</p>}
          subject={({ email }) => email}
          actions={(member) =>
            (['reset', 'remove'] as const)
              .filter((what) => what === 'remove' || (sendsMail && !member.uses_sso))
              .map((what) => ({
                text: t(`console.service.workspace.${what}.action`),
                isDangerous: true,
                run: () => endAccess(what, workspace.workspace_id, member),
              }))
          }
          texts="console.service.workspace.members.columns"
          columns={[
            {
              name: 'email',
              of: 'titles',
              cell: ({ name, email }) => name ?? email,
              below: ({ name, email }) => (name === null ? null : email),
            },
            { name: 'role', cell: ({ role }) => roleText(role) },
            {
              name: 'signIn',
              cell: ({ uses_sso, passkeys }) =>
                uses_sso
                  ? t('console.service.workspace.members.sso')
                  : t('console.service.workspace.members.passkeys', { count: passkeys }),
            },
            {
              name: 'seen',
              cell: ({ last_seen_at: at }) =>
                at === null ? t('console.service.workspace.members.never') : <Time at={at} as="ago" />,
            },
          ]}
        />
        {invitations.map(({ email, role }) => (
          <p key={email} className="quiet">
            {t('console.service.workspace.members.invited', { email, role: roleText(role) })}
          </p>
        ))}
        {!sendsMail && <p className="quiet">{t('console.service.workspace.reset.noMail')}</p>}
      </Card>
    </>
  )
}

const changePlan = ({ workspace_id, plan }: ServiceWorkspace, plans: readonly Plan[]): void =>
  askChange({
    title: t('console.service.workspace.plan.title'),
    action: t('console.service.workspace.plan.save'),
    stale: SERVICE,
    texts: 'console.service.workspaces',
    initial: { plan: plan.name },
    fields: () => [{ name: 'plan', is: 'select', options: planOptions(plans) }],
    run: (values) => api.changeServiceWorkspace(workspace_id, values.plan),
  })

const confirmName = ({ workspace_id, name }: ServiceWorkspace): void =>
  askChange({
    texts: 'console.service.workspace.confirm',
    args: { name },
    stale: SERVICE,
    run: () => api.confirmWorkspaceName(workspace_id, name),
  })

const endAccess = (what: 'reset' | 'remove', id: string, { member_id, email }: ServiceMember): void =>
  askChange({
    texts: `console.service.workspace.${what}`,
    args: { email },
    isDangerous: true,
    stale: SERVICE,
    run: () => (what === 'reset' ? api.resetAccess(id, member_id) : api.removeServiceMember(id, member_id)),
  })

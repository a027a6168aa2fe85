import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invitationLink } from '../access/console-place.ts'
import { createForOwner } from '../access/create-for-owner.ts'
import { listMembers } from '../access/member-queries.ts'
import { memberOf } from '../access/members.ts'
import type { OperatorActor } from '../access/operators.ts'
import { type PlanChange, plans as plansOf } from '../access/plans.ts'
import { resetAccess } from '../access/reset-access.ts'
import { sessionOf } from '../access/resolve-session.ts'
import { rejectSsoAddress } from '../access/single-sign-on.ts'
import { Refusal } from '../refusals.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { planLimits } from '../settings/plan.ts'
import type { ConsoleServices } from './console-services.ts'
import { type ConsoleResponse, returns } from './response-schemas.ts'
import { mailOff } from './service-routes.ts'
import {
  ConfirmedNameBody,
  LimitsBody,
  NewPlanBody,
  NewServiceWorkspaceBody,
  ServiceWorkspaceBody,
  WorkspacesQuery,
} from './service-schemas.ts'
import { findServiceWorkspace, listServiceWorkspaces, type ServiceWorkspace } from './service-workspaces.ts'

interface OfWorkspace {
  readonly Params: { readonly workspace_id: string }
}
interface OfMember {
  readonly Params: { readonly workspace_id: string; readonly member_id: string }
}

/** Workspaces, their plans and their members, for operators. Each change is in the audit log of the workspace. */
export function registerServiceWorkspaceRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const { db, clock, invitations, members, workspaces, mail, log } = services
  const plans = plansOf(db, clock)
  const find = async (id: string): Promise<ServiceWorkspace> => {
    const found = await findServiceWorkspace(db, id)
    if (found === undefined) throw new Refusal('workspace_not_found', 'There is no workspace with this ID.')
    return found
  }
  const requirePlan = async (plan: string): Promise<void> => {
    if ((await plans.find(plan)) === undefined) throw noSuchPlan()
  }

  scope.get<{ Querystring: WorkspacesQuery }>(
    '/service/workspaces',
    { schema: { querystring: WorkspacesQuery, ...returns('ServiceWorkspaceList') } },
    (request) => listServiceWorkspaces(db, request.query),
  )

  scope.post<{ Body: NewServiceWorkspaceBody }>(
    '/service/workspaces',
    { schema: { body: NewServiceWorkspaceBody, ...returns('NewServiceWorkspace', 201) } },
    async (request, reply): Promise<ConsoleResponse<'NewServiceWorkspace'>> => {
      const { name, plan, email } = request.body
      await requirePlan(plan)
      const made = await createForOwner(services, { name, plan, email }, actorOf(request))
      reply.code(201)
      // If it is mailed, only the owner has it.
      const link = mail.isOn ? null : invitationLink(services.place(), made.token)
      return { workspace: await find(made.workspaceId), owner: made.email, link }
    },
  )

  scope.get<OfWorkspace>(
    '/service/workspaces/:workspace_id',
    { schema: returns('ServiceWorkspacePage') },
    async (request): Promise<ConsoleResponse<'ServiceWorkspacePage'>> => {
      const workspace = await find(request.params.workspace_id)
      const workspaceId = workspace.workspace_id as WorkspaceId
      const [all, open] = await Promise.all([listMembers(db, workspaceId), invitations.open(workspaceId)])
      return {
        workspace,
        members: all.map(({ member_id, email, name, role, last_seen_at, passkeys, sso_at }) => {
          const uses_sso = sso_at !== null
          return { member_id, email, name, role, last_seen_at, passkeys, uses_sso }
        }),
        invitations: open.map(({ email, role, expires_at }) => ({ email, role, expires_at })),
      }
    },
  )

  scope.patch<OfWorkspace & { Body: ServiceWorkspaceBody }>(
    '/service/workspaces/:workspace_id',
    { schema: { body: ServiceWorkspaceBody, ...returns('ServiceWorkspace') } },
    async (request): Promise<ServiceWorkspace> => {
      const { workspace_id } = await find(request.params.workspace_id)
      const { plan } = request.body
      await requirePlan(plan)
      await workspaces.update(workspace_id as WorkspaceId, { plan }, actorOf(request))
      return find(workspace_id)
    },
  )

  scope.post<OfWorkspace & { Body: ConfirmedNameBody }>(
    '/service/workspaces/:workspace_id/confirm-name',
    { schema: { body: ConfirmedNameBody, ...returns('ServiceWorkspace') } },
    async (request): Promise<ServiceWorkspace> => {
      const { workspace_id } = await find(request.params.workspace_id)
      const { name } = request.body
      if (!(await workspaces.confirmName(workspace_id as WorkspaceId, name, actorOf(request))))
        throw new Refusal('workspace_name_changed', 'The workspace has another name now. Look at it again.')
      return find(workspace_id)
    },
  )

  scope.delete<OfMember>('/service/workspaces/:workspace_id/members/:member_id', async (request, reply) => {
    const { workspace_id, member_id } = request.params
    await members.remove(workspace_id as WorkspaceId, member_id, actorOf(request))
    return reply.code(204).send()
  })

  scope.post<OfMember>(
    '/service/workspaces/:workspace_id/members/:member_id/reset',
    async (request, reply) => {
      const workspaceId = request.params.workspace_id as WorkspaceId
      const { member_id, email } = await memberOf(db, workspaceId, request.params.member_id)
      if (!mail.isOn) throw mailOff()
      await rejectSsoAddress(services, db, email)
      await resetAccess(services, workspaceId, member_id, actorOf(request))
      return reply.code(204).send()
    },
  )

  scope.get(
    '/service/plans',
    { schema: returns('ServicePlanList') },
    async (): Promise<ConsoleResponse<'ServicePlanList'>> => ({
      plans: (await plans.list()).map((plan) => Object.assign({ name: plan.name }, planLimits(plan))),
    }),
  )

  scope.post<{ Body: NewPlanBody }>(
    '/service/plans',
    { schema: { body: NewPlanBody } },
    async (request, reply) => {
      const { name, ...limits } = request.body
      if (!(await plans.create(name, changeOf(limits))))
        throw new Refusal('plan_exists', 'There is a plan with this name.')
      // No workspace is on it yet, so no audit log has it.
      log.info({ plan: name, operator: sessionOf(request).email }, 'plan created')
      return reply.code(204).send()
    },
  )

  scope.patch<{ Params: { readonly plan: string }; Body: LimitsBody }>(
    '/service/plans/:plan',
    { schema: { body: LimitsBody } },
    async (request, reply) => {
      if (!(await plans.update(request.params.plan, changeOf(request.body), actorOf(request))))
        throw noSuchPlan()
      return reply.code(204).send()
    },
  )
}

const noSuchPlan = (): Refusal => new Refusal('plan_not_found', 'There is no plan with this name.')

const actorOf = (request: FastifyRequest): OperatorActor => ({
  is: 'operator',
  email: sessionOf(request).email,
})

const changeOf = (limits: LimitsBody): PlanChange => ({
  uploadLimitBytes: limits.upload_limit_bytes,
  storageLimitBytes: limits.storage_limit_bytes ?? undefined,
  ratePerMinute: limits.rate_per_minute,
  mailsPerDay: limits.mails_per_day,
})

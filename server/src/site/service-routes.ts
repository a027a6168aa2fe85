import { Type } from 'typebox'
import { invitationLink } from '../access/console-place.ts'
import { listMembers } from '../access/member-queries.ts'
import { removeMember, memberOf, resetAccess } from '../access/members.ts'
import { plans, PLAN_COLUMNS, planOf } from '../access/plans.ts'
import { sessionOf } from '../access/sessions.ts'
import { rejectSsoAddress } from '../access/oidc.ts'
import { newestMail } from '../deliveries/mail.ts'
import type { Caller } from '../http/caller.ts'
import { sends } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { Email, Line, Nullable } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import { timestamp } from '../runtime/clock.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { planLimits } from '../settings/plan.ts'
import type { ConsoleServices } from './console-services.ts'
import { returns, type ConsoleResponse } from './response-schemas.ts'
import { sql } from 'kysely'
import type { Db } from '../database/schema.ts'
import { invitationsOf, invite } from '../access/invitations.ts'
import { changeWorkspace, confirmName, createWorkspace } from '../access/workspaces.ts'
import { workspaceRow } from '../database/questions.ts'

const access = { scope: 'session', role: 'operator' } as const
const workspace = '/service/workspaces/:workspace_id'

const TERABYTE = 1024 ** 4
const limit = (maximum: number) => Type.Integer({ minimum: 1, maximum })
/** Limits that delete nothing. Retention is for the command line. */
const LIMITS = {
  upload_limit_bytes: limit(TERABYTE),
  storage_limit_bytes: Nullable(limit(1000 * TERABYTE), 'Null: no limit.'),
  rate_per_minute: limit(10_000_000),
  mails_per_day: limit(10_000_000),
}
const Limits = sends(LIMITS)

/** The page of operators: the service, and workspaces with their plans and members. Each change is in the audit log of the workspace. */
export const serviceRoutes = [
  route('getService', 'GET /service', {
    access,
    returns: returns('ServicePage'),
    run: async ({ db, serviceStatus }: ConsoleServices, call) => ({
      status: await serviceStatus(),
      test_mail: (await newestMail(db, testMailTo(sessionOf(call).email))) ?? null,
    }),
  }),
  route('sendTestMail', 'POST /service/test-mail', {
    access,
    body: sends({}),
    async run({ db, clock, mail, issuer }: ConsoleServices, call) {
      const { email: to, workspaceId } = sessionOf(call)
      if (!mail.isOn) throw mailOff()
      const { name } = await workspaceRow(db, workspaceId)
      const data = { workspace: name, issuer: issuer(), link: '/console/service' }
      const dedupe = testMailTo(to) + timestamp(clock.now())
      await mail.send(db, { to, workspaceId, template: 'test', data, dedupe })
    },
  }),
  route('listServiceWorkspaces', 'GET /service/workspaces', {
    access,
    query: {
      q: Type.Optional(Type.String({ maxLength: 200 })),
      cursor: Type.Optional(Type.String({ maxLength: 100 })),
    },
    returns: returns('ServiceWorkspaceList'),
    run: ({ db }: ConsoleServices, { query }) => listServiceWorkspaces(db, query),
  }),
  route('createServiceWorkspace', 'POST /service/workspaces', {
    access,
    body: sends({ name: Line(200), plan: Line(63), email: Email() }),
    returns: returns('NewServiceWorkspace'),
    async run(services: ConsoleServices, { body, caller }) {
      const { mail, place } = services
      await requirePlan(services, body.plan)
      const { email, ...asked } = body
      const workspaceId = services.identifiers.workspaceId()
      const made = await services.units.write(actingIn(workspaceId, caller), 'create', async (unit) => {
        await createWorkspace(unit, { ...asked, credits: null })
        return invite(unit, services, { email, role: 'owner' })
      })
      // If it is mailed, only the owner has it.
      const link = mail.isOn ? null : invitationLink(place(), made.token)
      return { workspace: await find(services, made.workspaceId), owner: made.email, link }
    },
  }),
  route('getServiceWorkspace', `GET ${workspace}`, {
    access,
    returns: returns('ServiceWorkspacePage'),
    async run(services: ConsoleServices, { params }) {
      const { db, clock } = services
      const found = await find(services, params.workspace_id)
      const workspaceId = found.workspace_id as WorkspaceId
      const [all, open] = await Promise.all([
        listMembers(db, workspaceId),
        invitationsOf(db, clock, workspaceId),
      ])
      return {
        workspace: found,
        members: all.map((row) => Object.assign(row, { uses_sso: row.sso_at !== null })),
        invitations: open,
      }
    },
  }),
  route('changeServiceWorkspace', `PATCH ${workspace}`, {
    access,
    body: sends({ plan: Line(63) }),
    returns: returns('ServiceWorkspace'),
    async run(services: ConsoleServices, { params, body: { plan }, caller }) {
      const { workspace_id } = await find(services, params.workspace_id)
      await requirePlan(services, plan)
      await services.units.write(actingIn(workspace_id, caller), 'change plan', (unit) =>
        changeWorkspace(unit, { plan }),
      )
      return find(services, workspace_id)
    },
  }),
  route('confirmWorkspaceName', `POST ${workspace}/confirm-name`, {
    access,
    body: sends({ name: Line(200) }),
    returns: returns('ServiceWorkspace'),
    async run(services: ConsoleServices, { params, body: { name }, caller }) {
      const { workspace_id } = await find(services, params.workspace_id)
      const acting = actingIn(workspace_id, caller)
      if (!(await services.units.write(acting, 'confirm name', (unit) => confirmName(unit, name))))
        throw new Refusal('workspace_name_changed', 'The workspace has another name now. Look at it again.')
      return find(services, workspace_id)
    },
  }),
  route('removeServiceMember', `DELETE ${workspace}/members/:member_id`, {
    access,
    async run({ units }: ConsoleServices, { params, caller }) {
      const acting = actingIn(params.workspace_id, caller)
      await units.write(acting, 'removeServiceMember', (unit) => removeMember(unit, params.member_id))
    },
  }),
  route('resetServiceMember', `POST ${workspace}/members/:member_id/reset`, {
    access,
    async run(services: ConsoleServices, { params, caller }) {
      const { db, mail, units } = services
      const acting = actingIn(params.workspace_id, caller)
      const { email } = await units.read(acting, (reader) => memberOf(reader, params.member_id))
      if (!mail.isOn) throw mailOff()
      await rejectSsoAddress(services.oidc, db, email)
      await units.write(acting, 'reset access', (unit) => resetAccess(unit, services, params.member_id))
    },
  }),
  route('listPlans', 'GET /service/plans', {
    access,
    returns: returns('ServicePlanList'),
    run: async ({ db, clock }: ConsoleServices) => ({
      plans: (await plans(db, clock).list()).map((plan) =>
        Object.assign({ name: plan.name }, planLimits(plan)),
      ),
    }),
  }),
  route('createPlan', 'POST /service/plans', {
    access,
    body: sends({ name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }), ...LIMITS }),
    async run({ db, clock, log }: ConsoleServices, call) {
      const { name, ...limits } = call.body
      if (!(await plans(db, clock).create(name, changeOf(limits))))
        throw new Refusal('plan_exists', 'There is a plan with this name.')
      // No workspace is on it yet, so no audit log has it.
      log.info({ plan: name, operator: sessionOf(call).email }, 'plan created')
    },
  }),
  route('changePlan', 'PATCH /service/plans/:plan', {
    access,
    body: Limits,
    async run({ db, clock }: ConsoleServices, { params, body, caller }) {
      if (!(await plans(db, clock).update(params.plan, changeOf(body), actorOf(caller)))) throw noSuchPlan()
    },
  }),
]

const testMailTo = (email: string): string => `test ${email} `

const mailOff = (): Refusal =>
  new Refusal('mail_off', 'The service has no mail server. Set KITSEAL_SMTP_URL and restart it.')

async function find({ db }: ConsoleServices, id: string): Promise<ServiceWorkspace> {
  const found = joined(db).where('workspaces.workspace_id', '=', id as WorkspaceId)
  const row = await found.executeTakeFirst()
  if (row === undefined) throw new Refusal('workspace_not_found', 'There is no workspace with this ID.')
  return describe(row)
}

async function requirePlan({ db, clock }: ConsoleServices, plan: string): Promise<void> {
  if ((await plans(db, clock).find(plan)) === undefined) throw noSuchPlan()
}

const noSuchPlan = (): Refusal => new Refusal('plan_not_found', 'There is no plan with this name.')

const actorOf = (caller: Caller) => ({ is: 'operator', email: sessionOf({ caller }).email }) as const

const actingIn = (workspaceId: string, caller: Caller) => ({
  workspaceId: workspaceId as WorkspaceId,
  actor: actorOf(caller),
})

const changeOf = (limits: NonNullable<(typeof Limits)['sends']>) => ({
  uploadLimitBytes: limits.upload_limit_bytes,
  storageLimitBytes: limits.storage_limit_bytes ?? undefined,
  ratePerMinute: limits.rate_per_minute,
  mailsPerDay: limits.mails_per_day,
})

type ServiceWorkspace = ConsoleResponse<'ServiceWorkspace'>

const PAGE = 50

/** Workspaces by name or ID, the newest first: IDs begin with the time. */
async function listServiceWorkspaces(
  db: Db,
  { q = '', cursor }: { readonly q?: string; readonly cursor?: string },
): Promise<ConsoleResponse<'ServiceWorkspaceList'>> {
  const pattern = `%${q.trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  let asked = joined(db).where((eb) =>
    eb.or([
      sql<boolean>`lower(workspaces.name) like lower(${pattern}) escape '\\'`,
      eb('workspaces.workspace_id', '=', q.trim() as WorkspaceId),
    ]),
  )
  if (cursor !== undefined) asked = asked.where('workspaces.workspace_id', '<', cursor as WorkspaceId)
  const rows = await asked
    .orderBy('workspaces.workspace_id', 'desc')
    .limit(PAGE + 1)
    .execute()
  const data = rows.slice(0, PAGE).map(describe)
  return { data, next_cursor: rows.length > PAGE ? (data.at(-1)?.workspace_id ?? null) : null }
}

const joined = (db: Db) =>
  db
    .selectFrom('workspaces')
    .innerJoin('plans', 'plans.plan', 'workspaces.plan')
    .select([
      'workspaces.workspace_id',
      'workspaces.name',
      'workspaces.named_by',
      'workspaces.stored_bytes',
      'workspaces.created_at',
    ])
    .select(PLAN_COLUMNS)
    .select((eb) =>
      eb
        .selectFrom('members')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .whereRef('members.workspace_id', '=', 'workspaces.workspace_id')
        .where('removed_at', 'is', null)
        .as('members'),
    )

function describe(
  row: Awaited<ReturnType<ReturnType<typeof joined>['executeTakeFirstOrThrow']>>,
): ServiceWorkspace {
  const plan = planOf(row)
  return {
    workspace_id: row.workspace_id,
    name: row.name,
    named_by: row.named_by,
    created_at: row.created_at,
    members: Number(row.members ?? 0),
    stored_bytes: Number(row.stored_bytes),
    plan: { name: plan.name, ...planLimits(plan) },
  }
}

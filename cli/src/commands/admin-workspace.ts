import { existsSync } from 'node:fs'
import type { PublicKits, Administration, Plan, PlanChange } from '@kitseal/server'
import { classProblem, type FindingClasses } from '@kitseal/examiner'
import { tableOf, oneOf, rowsOf, type Shown } from '../command-line.ts'
import { describeError } from '../input-error.ts'
import { printable } from '../terminal.ts'
import { readTrustStore } from '../trust-store.ts'
import {
  described,
  done,
  group,
  type Input,
  label,
  onAdministration,
  type Operation,
  refused,
  SHOWN_ONCE,
  type Subcommand,
  wholeNumber,
} from './admin-command.ts'

const USAGE = `usage: kitseal admin workspace create --name NAME [--plan PLAN] [--credits N]   with an API key, shown once
       kitseal admin workspace list
       kitseal admin workspace change WORKSPACE [--name NAME] [--plan PLAN] [--credits N [--note TEXT]]
                                      [--public-kits VALUE] [--trust FILE|none] [LIMIT]…
                                                                            WORKSPACE is an ID or a unique name
       kitseal admin workspace confirm-name WORKSPACE NAME                  NAME is the name that it has now

The name of a workspace is sealed in its kits as the supplier. Owners name their workspace; reviewers read "as the workspace
calls itself", or that you confirmed the name. A name that you set is confirmed.

A limit changes the plan that is named, or the plan that the workspace has, for all its workspaces, from the next request. A
plan that does not exist is created with the limits; others are those of the plan "default". "kitseal admin status --workspace
WORKSPACE" shows a workspace and its limits.

OPTIONS`

const TERABYTE = 1_099_511_627_776

/** Limits that are whole numbers: the option, which is the member of the plan with dashes, what it is, and the most. */
const NUMBERS = [
  ['upload-limit-bytes', 'N  maximum size of one submission', TERABYTE],
  ['unpacked-limit-bytes', 'N  maximum total size of unpacked files', TERABYTE],
  ['unpacked-files', 'N  maximum number of unpacked files', 1_000_000],
  ['unpacked-ratio', 'N  maximum ratio of unpacked to packed size', 1_000_000],
  ['retention-days', 'N|off  how long evidence is kept after its kit is issued', 36_500],
  ['rate-per-minute', 'N  requests per minute and workspace', 10_000_000],
  ['storage-limit-bytes', 'N|off  maximum size of all submissions of a workspace together', 1000 * TERABYTE],
  ['mails-per-day', 'N  mails to people who are not members, for each workspace', 10_000_000],
] as const

const LIMIT_OPTIONS = {
  'api-access': 'on|off  whether API keys of the workspace work',
  ...Object.fromEntries(NUMBERS.map(([option, about]) => [option, about])),
  'evidence-policy':
    'POLICY  open (default), or examined_only, which accepts only files that are examined completely',
  'finding-class':
    'CODE=CLASS…  make a finding stricter: damage or danger; can be repeated. "off" removes all of them',
}

const NAME = 'NAME  one line, shown to reviewers'
const PLAN = 'PLAN  the plan with its limits (default: "default")'
const CREDITS = 'N  create: how many kits it can get; without it, the workspace is unlimited. change: adds N'
const MAX_CREDITS = 1_000_000_000

const create: Subcommand = {
  options: { name: NAME, plan: PLAN, credits: CREDITS },
  read: (input) => {
    const name = label(input, 'name')
    if (name === undefined) input.reject('--name is required')
    const credits = wholeNumber(input, 'credits', 0, MAX_CREDITS) ?? null
    const plan = input.value('plan') ?? 'default'
    return onAdministration(async (admin) => {
      if ((await admin.plans.find(plan)) === undefined) return noSuchPlan(plan)
      const wanted = { name: name ?? '', plan, credits, keyLabel: 'first' }
      const { workspaceId, key } = await admin.workspaces.create(wanted, { is: 'operator' })
      const made = { workspace_id: workspaceId, name, plan, credits }
      return described({ ...made, key_id: key.keyId, api_key: key.text }, SHOWN_ONCE)
    })
  },
}

const list: Subcommand = {
  read: () =>
    onAdministration(async (admin) => {
      const columns = [
        'workspace_id',
        'name',
        'named_by',
        'plan',
        'credits_available',
        'public_kits',
        'created_at',
      ] as const
      return tableOf(columns, (await admin.workspaces.list()).map(workspaceJson))
    }),
}

const change: Subcommand = {
  options: {
    name: NAME,
    plan: PLAN,
    credits: CREDITS,
    note: 'TEXT  a note in the credit history',
    'public-kits':
      'VALUE  what anyone who knows an ID can get without an API key or a session: "receipts" (default): the job and the receipt; "all": the manifest and the kit too, so that anyone with the link can download all evidence files; "none": nothing, 404',
    trust:
      'FILE|none  keys of other issuers, to verify kits among the evidence: a trust store that "kitseal trust" wrote. Replaces the keys that are pinned',
    ...LIMIT_OPTIONS,
  },
  positionals: ['WORKSPACE'],
  read: (input) => {
    const name = label(input, 'name')
    const plan = input.value('plan')
    const publicKits = oneOf(input, 'public-kits', PUBLIC_KITS)
    const pins = pinsIn(input)
    const credits = wholeNumber(input, 'credits', 1, MAX_CREDITS)
    const note = label(input, 'note')
    const limits = readLimits(input)
    const hasLimits = Object.keys(limits).length > 0
    if (plan !== undefined && !PLAN_NAME.test(plan))
      input.reject('a plan name consists of lowercase letters, digits and dashes')
    if (note !== undefined && credits === undefined) input.reject('--note needs --credits')
    if (!hasLimits && [name, plan, publicKits, pins, credits].every((given) => given === undefined))
      input.reject('pass at least one option to change')
    return withWorkspace(input.positionals[0], async (admin, row) => {
      const { workspace_id: id } = row
      const isKnown = plan === undefined || (await admin.plans.find(plan)) !== undefined
      if (!isKnown && !hasLimits) return noSuchPlan(plan)
      if (!isKnown) await admin.plans.create(plan, limits)
      else if (hasLimits) await admin.plans.update(plan ?? row.plan, limits)
      const changed = {
        ...(name === undefined ? {} : { name }),
        ...(plan === undefined ? {} : { plan }),
        ...(publicKits === undefined ? {} : { publicKits }),
        ...(pins === undefined ? {} : { pins }),
      }
      if (Object.keys(changed).length > 0) await admin.workspaces.update(id, changed, { is: 'operator' })
      if (credits !== undefined) await admin.workspaces.grant(id, credits, note, { is: 'operator' })
      return describeWorkspace(admin, (await admin.workspaces.find(id)) ?? row)
    })
  },
}

const PLAN_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/

const confirmName: Subcommand = {
  positionals: ['WORKSPACE', 'NAME'],
  read: ({ positionals: [wanted, name = ''] }) =>
    withWorkspace(wanted, async (admin, row) => {
      if (!(await admin.workspaces.confirmName(row.workspace_id, name))) return otherName(row, name)
      return describeWorkspace(admin, (await admin.workspaces.find(row.workspace_id)) ?? row)
    }),
}

export const run = group('workspace', USAGE, { create, list, change, 'confirm-name': confirmName })

const otherName = ({ name: current }: WorkspaceRow, name: string) =>
  refused(
    'other_name',
    `The name is ${JSON.stringify(printable(current))}, not ${JSON.stringify(printable(name))}. Nothing was changed.`,
    'To set another name, run "kitseal admin workspace change WORKSPACE --name NAME".',
  )

const PUBLIC_KITS: readonly PublicKits[] = ['receipts', 'all', 'none']

function pinsIn(input: Input) {
  const path = input.value('trust')
  if (path === undefined || path === 'none') return path === undefined ? undefined : []
  try {
    if (!existsSync(path)) throw new Error(`${path} does not exist`)
    return readTrustStore(path).pins.map(({ issuer, kid, key, createdAt }) => ({
      issuer,
      kid,
      key,
      created_at: createdAt,
    }))
  } catch (error) {
    input.reject(`--trust: ${describeError(error)}`)
    return undefined
  }
}

const noSuchPlan = (plan: string) =>
  refused(
    'no_such_plan',
    `No plan ${JSON.stringify(plan)}. Nothing was changed.`,
    'Pass a limit with it to create it.',
  )

type WorkspaceRow = Awaited<ReturnType<Administration['workspaces']['list']>>[number]

/** Runs `act` on the workspace with this ID or unique name, or refuses. */
export function withWorkspace(
  idOrName = '',
  act: (admin: Administration, row: WorkspaceRow) => Promise<Shown>,
): Operation {
  return onAdministration(async (admin) => {
    const all = await admin.workspaces.list()
    const byId = all.filter((row) => row.workspace_id === idOrName)
    const [row, ...others] = byId.length > 0 ? byId : all.filter(({ name }) => name === idOrName)
    if (row !== undefined && others.length === 0) return act(admin, row)
    const quoted = JSON.stringify(idOrName)
    return refused(
      'no_such_workspace',
      row === undefined
        ? `No workspace with the ID or name ${quoted}.`
        : `${1 + others.length} workspaces are named ${quoted}. Use an ID.`,
      'Run "kitseal admin workspace list" to list workspaces.',
    )
  })
}

/** A workspace with the limits of its plan. */
export async function describeWorkspace(admin: Administration, row: WorkspaceRow): Promise<Shown> {
  const plan = await admin.plans.find(row.plan)
  const limits = plan === undefined ? {} : await limitsOf(plan)
  const json = { ...workspaceJson(row), limits }
  const credits_available = json.credits_available ?? 'unlimited'
  return done(rowsOf({ ...json, credits_available, limits: '', ...limits }), json)
}

function pinnedIssuers({ pins }: Pick<WorkspaceRow, 'pins'>): readonly string[] {
  const stored = pins === null ? [] : (JSON.parse(pins) as readonly { readonly issuer: string }[])
  return [...new Set(stored.map(({ issuer }) => issuer))]
}

function workspaceJson(row: WorkspaceRow) {
  return {
    workspace_id: row.workspace_id,
    name: row.name,
    named_by: row.named_by,
    plan: row.plan,
    public_kits: row.visibility,
    pinned_issuers: pinnedIssuers(row),
    credits_available: row.credits_unlimited === 1 ? null : row.credits_available,
    credits_held: row.credits_held,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** The limits that were given, as changes of a plan. */
function readLimits(input: Input): PlanChange {
  const apiAccess = oneOf(input, 'api-access', ['on', 'off'])
  const numbers = NUMBERS.filter(([option]) => input.has(option)).map(([option, about, most]) => {
    const isOff = about.startsWith('N|off') && input.value(option) === 'off'
    const member = option.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
    return [member, isOff ? undefined : wholeNumber(input, option, 1, most)]
  })
  return {
    ...readPolicy(input),
    ...(apiAccess && { apiAccess: apiAccess === 'on' }),
    ...Object.fromEntries(numbers),
  }
}

function readPolicy(input: Input): Pick<PlanChange, 'policy'> {
  const evidence = oneOf(input, 'evidence-policy', ['open', 'examined_only'])
  const given = input.values('finding-class')
  const classes: Record<string, FindingClasses[string]> = {}
  for (const each of given.filter((text) => text !== 'off')) {
    const [code = '', stricter = ''] = each.split('=')
    const problem = classProblem(code, stricter)
    if (problem !== undefined) input.reject(`--finding-class ${each}: ${problem}`)
    classes[code] = stricter as FindingClasses[string]
  }
  if (evidence === undefined && given.length === 0) return {}
  return { policy: { ...(evidence && { evidence }), ...(given.length > 0 && { classes }) } }
}

/** The limits by their names in the API. */
async function limitsOf(plan: Plan) {
  const { planLimits } = await import('@kitseal/server')
  return { api_access: plan.apiAccess, ...planLimits(plan) } as const
}

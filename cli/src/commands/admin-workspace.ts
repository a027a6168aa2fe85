import { existsSync } from 'node:fs'
import type { Administration, PublicKits } from '@kitseal/server'
import { wholeList } from '../command-line.ts'
import { describeError } from '../input-error.ts'
import { pluralize, printable } from '../terminal.ts'
import { readTrustStore } from '../trust-store.ts'
import { done, refused } from './admin-result.ts'
import { type Input, label, group, table, type Subcommand, wholeNumber } from './admin-group.ts'
import { withWorkspace, type WorkspaceRow } from './with-workspace.ts'

const USAGE = `usage: kitseal admin workspace create --name NAME [--plan PLAN] [--credits N]   with an API key, shown once
       kitseal admin workspace list
       kitseal admin workspace show WORKSPACE                               WORKSPACE is an ID or a unique name
       kitseal admin workspace update WORKSPACE [--name NAME] [--plan PLAN] [--public-kits VALUE] [--trust FILE|none]
       kitseal admin workspace confirm-name WORKSPACE NAME                  NAME is the name that it has now

The name of a workspace is sealed in its kits as the supplier. Owners name their workspace; reviewers read "as the workspace
calls itself", or that you confirmed the name. A name that you set is confirmed.

  --credits N         how many kits it can get. Without it, the workspace is unlimited
  --data DIR          the service's data (default: KITSEAL_DATA, or ./data)
  --json              print the result as JSON
  --public-kits VALUE what anyone who knows an ID can get without an API key or a session:
                        receipts  the job and the receipt (default)
                        all       the manifest and the kit too: anyone with the link can download all evidence files
                        none      nothing: 404
  --trust FILE|none   keys of other issuers, to verify kits among the evidence: a trust store that "kitseal trust" wrote.
                        Replaces the keys that are pinned`

const MAX_CREDITS = 1_000_000_000

const create: Subcommand = {
  options: { name: 'one', plan: 'one', credits: 'one' },
  read: (input) => {
    const name = label(input, 'name')
    if (name === undefined) input.reject('--name is required')
    const credits = wholeNumber(input, 'credits', 0, MAX_CREDITS) ?? null
    const plan = input.value('plan') ?? 'default'
    return async (admin) => {
      if ((await admin.plans.find(plan)) === undefined) return noSuchPlan(plan)
      const asked = { name: name ?? '', plan, credits, keyLabel: 'first' }
      const { workspaceId, key } = await admin.workspaces.create(asked, { is: 'operator' })
      return done(
        [
          `Workspace: ${workspaceId}`,
          `  ${JSON.stringify(name)}, plan ${plan}${credits === null ? '' : `, ${pluralize(credits, 'credit')}`}.`,
          `API key:   ${key.text}`,
          '  The API key is shown only now and is not stored. Keep it secret.',
        ],
        { workspace_id: workspaceId, name, plan, credits, key_id: key.keyId, api_key: key.text },
      )
    }
  },
}

const list: Subcommand = {
  read: () => async (admin) => {
    const all = await admin.workspaces.list()
    const rows = all.map((row) => [
      row.workspace_id,
      printable(row.name),
      row.plan,
      row.credits_unlimited === 1 ? 'unlimited' : `${row.credits_available}`,
      row.visibility,
      row.created_at,
      confirmation(row),
    ])
    const head = ['WORKSPACE', 'NAME', 'PLAN', 'CREDITS', 'PUBLIC KITS', 'CREATED', 'CONFIRMED']
    return done(table(head, rows), wholeList(all.map(toJson)))
  },
}

const show: Subcommand = {
  positionals: ['WORKSPACE'],
  read: ({ positionals: [wanted = ''] }) =>
    withWorkspace(wanted, async (_admin, row) => done(describe(row), toJson(row))),
}

const update: Subcommand = {
  options: { name: 'one', plan: 'one', 'public-kits': 'one', trust: 'one' },
  positionals: ['WORKSPACE'],
  read: (input) => {
    const [wanted = ''] = input.positionals
    const [name, plan, publicKits] = [label(input, 'name'), input.value('plan'), publicKitsOf(input)]
    const pins = pinsIn(input)
    if (name === undefined && plan === undefined && publicKits === undefined && pins === undefined)
      input.reject('pass --name, --plan, --public-kits or --trust to update')
    return withWorkspace(wanted, async (admin, row) => {
      if (plan !== undefined && (await admin.plans.find(plan)) === undefined) return noSuchPlan(plan)
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(plan === undefined ? {} : { plan }),
        ...(publicKits === undefined ? {} : { publicKits }),
        ...(pins === undefined ? {} : { pins }),
      }
      await admin.workspaces.update(row.workspace_id, change, { is: 'operator' })
      const now = await admin.workspaces.find(row.workspace_id)
      return done(describe(now ?? row), toJson(now ?? row))
    })
  },
}

const confirmName: Subcommand = {
  positionals: ['WORKSPACE', 'NAME'],
  read: ({ positionals: [wanted = '', name = ''] }) =>
    withWorkspace(wanted, async (admin, row) => {
      if (!(await admin.workspaces.confirmName(row.workspace_id, name))) return otherName(row, name)
      const now = await admin.workspaces.find(row.workspace_id)
      return done(describe(now ?? row), toJson(now ?? row))
    }),
}

export const run = group('workspace', USAGE, {
  create,
  list,
  show,
  update,
  'confirm-name': confirmName,
})

const otherName = ({ name: current }: WorkspaceRow, name: string) =>
  refused(
    'other_name',
    `The name is ${JSON.stringify(printable(current))}, not ${JSON.stringify(printable(name))}. Nothing was changed.`,
    'To set another name, run "kitseal admin workspace update WORKSPACE --name NAME".',
  )

/** Whether the operator vouches for the name. */
const confirmation = ({ named_by }: Pick<WorkspaceRow, 'named_by'>): string =>
  ({ operator: 'yes', workspace: 'no', service: 'not named yet' })[named_by]

const PUBLIC_KITS: readonly PublicKits[] = ['receipts', 'all', 'none']

function publicKitsOf(input: Input): PublicKits | undefined {
  const text = input.value('public-kits')
  const value = PUBLIC_KITS.find((each) => each === text)
  if (text !== undefined && value === undefined)
    input.reject(`--public-kits must be receipts, all or none, not ${JSON.stringify(text)}`)
  return value
}

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
    'Run "kitseal admin plan list" to list plans.',
  )

function describe(row: WorkspaceRow): readonly string[] {
  return [
    `Workspace:   ${row.workspace_id}`,
    `Name:        ${printable(row.name)}`,
    `Confirmed:   ${confirmation(row)}`,
    `Plan:        ${row.plan}`,
    `Credits:     ${row.credits_unlimited === 1 ? 'unlimited' : `${row.credits_available} available, ${row.credits_held} held`}`,
    `Public kits: ${row.visibility}`,
    ...pinnedIssuers(row).map((issuer) => `Pinned:      ${printable(issuer)}`),
    `Created:     ${row.created_at}`,
  ]
}

function pinnedIssuers({ pins }: Pick<WorkspaceRow, 'pins'>): readonly string[] {
  const stored = pins === null ? [] : (JSON.parse(pins) as readonly { readonly issuer: string }[])
  return [...new Set(stored.map(({ issuer }) => issuer))]
}

function toJson(row: Awaited<ReturnType<Administration['workspaces']['list']>>[number]) {
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

import { existsSync } from 'node:fs'
import type { PublicKits } from '@kitseal/server'
import { wholeList } from '../command-line.ts'
import { describeError } from '../input-error.ts'
import { pluralize, printable } from '../terminal.ts'
import { readTrustStore } from '../trust-store.ts'
import { done, refused } from './admin-result.ts'
import { type Input, label, group, table, type Subcommand, wholeNumber } from './admin-group.ts'
import { LIMIT_OPTIONS, LIMITS_USAGE, readLimits } from './plan-limits.ts'
import {
  confirmation,
  describeWorkspace,
  withWorkspace,
  workspaceJson,
  type WorkspaceRow,
} from './with-workspace.ts'

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

  --credits N         create: how many kits it can get; without it, the workspace is unlimited. change: adds N
  --note TEXT         a note in the credit history
  --data DIR          the service's data (default: KITSEAL_DATA, or ./data)
  --json              print the result as JSON
  --public-kits VALUE what anyone who knows an ID can get without an API key or a session:
                        receipts  the job and the receipt (default)
                        all       the manifest and the kit too: anyone with the link can download all evidence files
                        none      nothing: 404
  --trust FILE|none   keys of other issuers, to verify kits among the evidence: a trust store that "kitseal trust" wrote.
                        Replaces the keys that are pinned

limits:
${LIMITS_USAGE}`

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
    return done(table(head, rows), wholeList(all.map(workspaceJson)))
  },
}

const change: Subcommand = {
  options: {
    name: 'one',
    plan: 'one',
    'public-kits': 'one',
    trust: 'one',
    credits: 'one',
    note: 'one',
    ...LIMIT_OPTIONS,
  },
  positionals: ['WORKSPACE'],
  read: (input) => {
    const [wanted = ''] = input.positionals
    const [name, plan, publicKits] = [label(input, 'name'), input.value('plan'), publicKitsOf(input)]
    const [pins, credits, note] = [
      pinsIn(input),
      wholeNumber(input, 'credits', 1, MAX_CREDITS),
      label(input, 'note'),
    ]
    const limits = readLimits(input)
    const hasLimits = Object.keys(limits).length > 0
    if (plan !== undefined && !PLAN_NAME.test(plan))
      input.reject('a plan name consists of lowercase letters, digits and dashes')
    if (note !== undefined && credits === undefined) input.reject('--note needs --credits')
    if (!hasLimits && [name, plan, publicKits, pins, credits].every((given) => given === undefined))
      input.reject('pass at least one option to change')
    return withWorkspace(wanted, async (admin, row) => {
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
  read: ({ positionals: [wanted = '', name = ''] }) =>
    withWorkspace(wanted, async (admin, row) => {
      if (!(await admin.workspaces.confirmName(row.workspace_id, name))) return otherName(row, name)
      return describeWorkspace(admin, (await admin.workspaces.find(row.workspace_id)) ?? row)
    }),
}

export const run = group('workspace', USAGE, {
  create,
  list,
  change,
  'confirm-name': confirmName,
})

const otherName = ({ name: current }: WorkspaceRow, name: string) =>
  refused(
    'other_name',
    `The name is ${JSON.stringify(printable(current))}, not ${JSON.stringify(printable(name))}. Nothing was changed.`,
    'To set another name, run "kitseal admin workspace change WORKSPACE --name NAME".',
  )

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
    'Pass a limit with it to create it.',
  )

import type { Administration } from '@kitseal/server'
import { counted, type Terminal } from '../terminal.ts'
import { done, refused } from './admin-answer.ts'
import { label, onOff, runArea, table, type Verb, wholeNumber } from './admin-area.ts'
import { inWorkspace, type WorkspaceRow } from './in-workspace.ts'

const USAGE = `usage: kitseal admin workspace create --name NAME [--plan PLAN] [--credits N]   with its first key, shown once
       kitseal admin workspace list
       kitseal admin workspace show WORKSPACE                               by id, or by a name that only one has
       kitseal admin workspace update WORKSPACE [--name NAME] [--plan PLAN] [--public-kits on|off]

  --data DIR          the service's data (default: KITSEAL_DATA, or ./data)
  --json              the answer as JSON
  --public-kits off   jobs and kits answer 404 on the public endpoints unless a key of the workspace is sent
`

const MOST_CREDITS = 1_000_000_000

const create: Verb = {
  options: { name: 'one', plan: 'one', credits: 'one' },
  words: [],
  read: (given) => {
    const name = label(given, 'name')
    if (name === undefined) given.problem('create needs --name')
    const credits = wholeNumber(given, 'credits', 0, MOST_CREDITS) ?? 0
    const plan = given.value('plan') ?? 'default'
    return async (admin) => {
      if ((await admin.plans.find(plan)) === undefined) return noSuchPlan(plan)
      const asked = { name: name ?? '', plan, credits, keyLabel: 'first' }
      const { workspaceId, key } = await admin.workspaces.create(asked, { is: 'operator' })
      return done(
        [
          `Workspace: ${workspaceId}`,
          `  ${JSON.stringify(name)}, plan ${plan}, ${counted(credits, 'credit')}.`,
          `API key:   ${key.text}`,
          '  Shown this once, and kept nowhere: give it to whoever needs it, and to nobody else.',
        ],
        { workspace_id: workspaceId, name, plan, credits, key_id: key.keyId, api_key: key.text },
      )
    }
  },
}

const list: Verb = {
  options: {},
  words: [],
  read: () => async (admin) => {
    const all = await admin.workspaces.list()
    const rows = all.map((row) => [
      row.workspace_id,
      row.name,
      row.plan,
      `${row.credits_available}`,
      row.public_kits === 1 ? 'on' : 'off',
      row.created_at,
    ])
    const head = ['WORKSPACE', 'NAME', 'PLAN', 'CREDITS', 'PUBLIC KITS', 'SINCE']
    return done(table(head, rows), { workspaces: all.map(shown) })
  },
}

const show: Verb = {
  options: {},
  words: ['a WORKSPACE'],
  read: ({ words: [wanted = ''] }) =>
    inWorkspace(wanted, async (_admin, row) => done(described(row), shown(row))),
}

const update: Verb = {
  options: { name: 'one', plan: 'one', 'public-kits': 'one' },
  words: ['a WORKSPACE'],
  read: (given) => {
    const [wanted = ''] = given.words
    const [name, plan, publicKits] = [label(given, 'name'), given.value('plan'), onOff(given, 'public-kits')]
    if (name === undefined && plan === undefined && publicKits === undefined)
      given.problem('update needs --name, --plan or --public-kits')
    return inWorkspace(wanted, async (admin, row) => {
      if (plan !== undefined && (await admin.plans.find(plan)) === undefined) return noSuchPlan(plan)
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(plan === undefined ? {} : { plan }),
        ...(publicKits === undefined ? {} : { publicKits }),
      }
      await admin.workspaces.update(row.workspace_id, change, { is: 'operator' })
      const now = await admin.workspaces.find(row.workspace_id)
      return done(described(now ?? row), shown(now ?? row))
    })
  },
}

export const run = (args: readonly string[], terminal: Terminal): Promise<number> =>
  runArea({ name: 'workspace', usage: USAGE, verbs: { create, list, show, update } }, args, terminal)

const noSuchPlan = (plan: string) =>
  refused(
    'no_such_plan',
    `There is no plan ${JSON.stringify(plan)}. Nothing was changed.`,
    'See "kitseal admin plan list" for those that there are.',
  )

function described(row: WorkspaceRow): readonly string[] {
  return [
    `Workspace:   ${row.workspace_id}`,
    `Name:        ${row.name}`,
    `Plan:        ${row.plan}`,
    `Credits:     ${row.credits_available} available, ${row.credits_held} held`,
    `Public kits: ${row.public_kits === 1 ? 'on' : 'off'}`,
    `Since:       ${row.created_at}`,
  ]
}

function shown(row: Awaited<ReturnType<Administration['workspaces']['list']>>[number]) {
  return {
    workspace_id: row.workspace_id,
    name: row.name,
    plan: row.plan,
    public_kits: row.public_kits === 1,
    credits_available: row.credits_available,
    credits_held: row.credits_held,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

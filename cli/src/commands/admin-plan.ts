import type { Plan } from '@kitseal/server'
import type { Terminal } from '../terminal.ts'
import { type Answer, done, refused } from './admin-answer.ts'
import { type Given, onOff, runArea, table, type Verb, wholeNumber } from './admin-area.ts'

const USAGE = `usage: kitseal admin plan list
       kitseal admin plan show PLAN
       kitseal admin plan create PLAN [LIMIT]…      what is not given is as in the plan "default"
       kitseal admin plan update PLAN [LIMIT]…      holds from the next request on

  --api-access on|off        whether keys of the workspace open anything
  --upload-limit-bytes N     of all uploads of one submission together
  --unpacked-limit-bytes N   of everything that is unpacked from them
  --unpacked-files N         how many files that may be
  --unpacked-ratio N         unpacked bytes for each packed one
  --retention-days N|off     how long evidence is kept after a kit is issued
  --rate-per-minute N        requests with keys of one workspace
  --data DIR                 the service's data (default: KITSEAL_DATA, or ./data)
  --json                     the answer as JSON
`

const OPTIONS = {
  'api-access': 'one',
  'upload-limit-bytes': 'one',
  'unpacked-limit-bytes': 'one',
  'unpacked-files': 'one',
  'unpacked-ratio': 'one',
  'retention-days': 'one',
  'rate-per-minute': 'one',
} as const

const TERABYTE = 1_099_511_627_776
const PLAN_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/

function readLimits(given: Given): Partial<Plan> {
  const limits = {
    apiAccess: onOff(given, 'api-access'),
    uploadLimitBytes: wholeNumber(given, 'upload-limit-bytes', 1, TERABYTE),
    unpackedLimitBytes: wholeNumber(given, 'unpacked-limit-bytes', 1, TERABYTE),
    unpackedFiles: wholeNumber(given, 'unpacked-files', 1, 1_000_000),
    unpackedRatio: wholeNumber(given, 'unpacked-ratio', 1, 1_000_000),
    ratePerMinute: wholeNumber(given, 'rate-per-minute', 1, 10_000_000),
  }
  const known = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
  if (given.value('retention-days') === 'off') return { ...known, retentionDays: undefined }
  const retentionDays = wholeNumber(given, 'retention-days', 1, 36_500)
  return retentionDays === undefined ? known : { ...known, retentionDays }
}

const list: Verb = {
  options: {},
  words: [],
  read: () => async (admin) => {
    const all = await admin.plans.list()
    const rows = all.map((plan) => [
      plan.name,
      plan.apiAccess ? 'on' : 'off',
      `${plan.uploadLimitBytes}`,
      `${plan.retentionDays ?? 'off'}`,
      `${plan.ratePerMinute}`,
    ])
    const head = ['PLAN', 'API ACCESS', 'UPLOAD BYTES', 'RETENTION DAYS', 'RATE PER MINUTE']
    return done(table(head, rows), { plans: all.map(shown) })
  },
}

const show: Verb = {
  options: {},
  words: ['a PLAN'],
  read:
    ({ words: [name = ''] }) =>
    async (admin) => {
      const plan = await admin.plans.find(name)
      return plan === undefined ? noSuchPlan(name) : described(plan)
    },
}

const create: Verb = {
  options: OPTIONS,
  words: ['a PLAN'],
  read: (given) => {
    const [name = ''] = given.words
    if (name !== '' && !PLAN_NAME.test(name))
      given.problem('a plan has a name of lower-case letters, digits and dashes')
    const limits = readLimits(given)
    return async (admin) => {
      if (await admin.plans.create(name, limits)) return described(await admin.plans.find(name))
      return refused('plan_exists', `There is a plan ${name} already. Nothing was changed.`)
    }
  },
}

const update: Verb = {
  options: OPTIONS,
  words: ['a PLAN'],
  read: (given) => {
    const [name = ''] = given.words
    const limits = readLimits(given)
    if (Object.keys(limits).length === 0) given.problem('update needs at least one limit')
    return async (admin) =>
      (await admin.plans.update(name, limits)) ? described(await admin.plans.find(name)) : noSuchPlan(name)
  },
}

export const run = (args: readonly string[], terminal: Terminal): Promise<number> =>
  runArea({ name: 'plan', usage: USAGE, verbs: { list, show, create, update } }, args, terminal)

function described(plan: Plan | undefined): Answer {
  if (plan === undefined) return refused('no_such_plan', 'The plan is gone.')
  const json = shown(plan)
  return done(
    Object.entries(json).map(([name, value]) => `${name}: ${value ?? 'off'}`),
    json,
  )
}

const noSuchPlan = (name: string): Answer =>
  refused('no_such_plan', `There is no plan ${JSON.stringify(name)}.`, 'See "kitseal admin plan list".')

function shown(plan: Plan) {
  return {
    plan: plan.name,
    api_access: plan.apiAccess,
    upload_limit_bytes: plan.uploadLimitBytes,
    unpacked_limit_bytes: plan.unpackedLimitBytes,
    unpacked_files: plan.unpackedFiles,
    unpacked_ratio: plan.unpackedRatio,
    retention_days: plan.retentionDays ?? null,
    rate_per_minute: plan.ratePerMinute,
  }
}

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Client, Operations, Period, Program, ProgramList } from '@kitseal/client'
import { evidenceFile } from '@kitseal/client/node'
import type { RequestedItem } from '@kitseal/examiner'
import { oneOf, type Shown, subcommands, wholeList } from '../command-line.ts'
import { InputError, readOrFail } from '../input-error.ts'
import { readItemFile } from '../read-item-file.ts'
import { listCommand } from '../resource-commands.ts'
import { headLine, periodLines, rowOf } from '../program-text.ts'
import { SERVICE_HELP, type ServiceCall, serviceCommand } from '../service-call.ts'
import { EXIT, pluralize, printable } from '../terminal.ts'

const HELP = `usage: kitseal program create NAME --cadence CADENCE --starts-on DATE (--items FILE | --profile NAME) [--message TEXT] [--url URL] [--json]
       kitseal program list [--url URL] [--json]
       kitseal program show PROGRAM [--period PERIOD] [--url URL] [--json]
       kitseal program open | end PROGRAM [--url URL] [--json]
       kitseal program add PROGRAM ITEM FILE… [--period PERIOD] [--url URL] [--json]
       kitseal program accept PROGRAM [ITEM]… [--period PERIOD] [--url URL] [--json]
       kitseal program seal PROGRAM [--period PERIOD] [--accept CODE]… [--url URL] [--json]

A program is what you show again and again, such as the evidence of a quarterly review. Its periods open by themselves, and
each becomes a kit. PROGRAM is its name or its ID. Without --period, it is the period that is open.

create:
  --cadence CADENCE  monthly, quarterly, half_yearly, yearly or none
  --starts-on DATE   when the first period starts: 2026-10-01. If it has passed, the current period opens at once
  --items FILE       a list in XLSX or CSV with the columns id, title, description, owner, source, recipients, due_days,
                     or JSON as the API takes it. owner: the address of a member. source: internal, or request, which
                     asks the recipients. due_days: days after the start of the period (default: 30)
  --profile NAME     the items of a profile, instead of a list
  --message TEXT     a message to owners and suppliers

commands:
  list      list the programs with their newest period
  show      show the items of a period: late ones and the next due first
  open      open the next period now, before it starts
  add       add files to an item
  accept    accept items, or every item with files
  seal      make the kit of a period. Items without files do not prevent it; the kit says what is missing
  end       open no further periods. This cannot be undone

  --period PERIOD    a period by its name, such as 2026-Q4
  --accept CODE      accept damage or a possible secret by its code when sealing; can be repeated

${SERVICE_HELP}

examples:
  kitseal program create "Access review" --cadence quarterly --starts-on 2026-10-01 --items list.xlsx
  kitseal program add "Access review" CC6.1 users.csv
  kitseal program seal "Access review"

exit codes: 0 success; 1 the files failed their checks; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const CADENCES = ['monthly', 'quarterly', 'half_yearly', 'yearly', 'none'] as const
const PROGRAM = 'pass the name or the ID of a program'
const OF_PERIOD = { period: 'one' } as const

type NewItem = NonNullable<Operations['createProgram']['body']['items']>[number]

const create = serviceCommand('program create', HELP, {
  options: { cadence: 'one', 'starts-on': 'one', items: 'one', profile: 'one', message: 'one' },
  arguments: ['pass the name of the program'],
  input: async ({ value }) => {
    const file = value('items')
    return file === undefined ? undefined : itemsIn(file)
  },
  read: (given) => {
    const { value, has, reject } = given
    const cadence = oneOf(given, 'cadence', CADENCES)
    const [starts_on = '', profile, message] = [value('starts-on'), value('profile'), value('message')]
    reject(
      !has('cadence') && '--cadence is missing',
      !has('starts-on') && '--starts-on is missing',
      has('starts-on') &&
        !/^\d{4}-\d\d-\d\d$/.test(starts_on) &&
        '--starts-on must be a date such as 2026-10-01',
      has('items') === has('profile') && 'pass either --items or --profile',
    )
    const [name = ''] = given.positionals
    return async ({ client, signal }, items) => {
      const body = {
        name,
        cadence: cadence ?? 'none',
        starts_on,
        ...(items !== undefined && { items }),
        ...(profile !== undefined && { profile }),
        ...(message !== undefined && { message }),
      }
      const program = await client.createProgram(body, { signal })
      const { program_id: id, next_period_on: next } = program
      const opens = next === null ? '' : ` The next period opens on ${next}.`
      return {
        json: program,
        out: [id],
        err: [printable(`Created ${name} with ${pluralize(program.items.length, 'item')}.${opens}`)],
      }
    }
  },
})

async function itemsIn(file: string): Promise<NewItem[]> {
  if (!/\.json$/i.test(file)) return (await readItemFile(file, { isProgram: true })).map(itemOf)
  const text = await readOrFail(file, async () => readFileSync(file, 'utf8'))
  try {
    const items = JSON.parse(text) as unknown
    if (Array.isArray(items)) return items as NewItem[]
  } catch {
    // Said below.
  }
  throw new InputError(`${file} is not a JSON array of items`)
}

const itemOf = ({ id, title, description, owner, source, recipients, due_days }: RequestedItem): NewItem => ({
  item_id: id,
  title,
  description: description ?? null,
  ...(owner !== undefined && { owner }),
  ...(recipients !== undefined && { recipients: [...recipients] }),
  // Who has recipients is asked.
  source: source ?? (recipients === undefined ? 'internal' : 'request'),
  ...(due_days !== undefined && { due_days }),
})

const list = listCommand(
  'program list',
  HELP,
  async ({ client, signal }) => wholeList(await allPrograms(client, signal)),
  (program) => [rowOf(program)],
  'No programs.',
)

type Listed = ProgramList['data'][number]

async function allPrograms(client: Client, signal: AbortSignal): Promise<readonly Listed[]> {
  const all: Listed[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await client.listPrograms(
      { limit: 100, ...(cursor !== undefined && { cursor }) },
      { signal },
    )
    all.push(...page.data)
    cursor = page.next_cursor
  }
  return all
}

const show = serviceCommand('program show', HELP, {
  options: OF_PERIOD,
  arguments: [PROGRAM],
  read:
    ({ positionals: [name = ''], value }) =>
    async (call) => {
      const id = await programId(call, name)
      const board = await call.client.getProgramBoard(id, {}, { signal: call.signal })
      const period = value('period') ?? board.periods.find(isOpen)?.period ?? board.periods[0]?.period
      const head = headLine(board.program)
      if (period === undefined) return { json: board.program, out: [head, '  No period is open yet.'] }
      const shown = await call.client.getPeriod(id, period, { signal: call.signal })
      return { json: shown, out: [head, ...periodLines(shown)].map(printable) }
    },
})

const isOpen = ({ status }: Pick<Period, 'status'>): boolean => status === 'open' || status === 'failed'

const open = serviceCommand('program open', HELP, {
  arguments: [PROGRAM],
  read:
    ({ positionals: [name = ''] }) =>
    async (call) =>
      opened(await call.client.openPeriod(await programId(call, name), { signal: call.signal })),
})

const opened = (period: Period): Shown => ({
  json: period,
  out: [`${period.period} is open with ${pluralize(period.items.length, 'item')}.`],
})

const add = serviceCommand('program add', HELP, {
  options: OF_PERIOD,
  read: ({ positionals: [name = '', item = '', ...files], value, reject }) => {
    reject(
      name === '' && PROGRAM,
      item === '' && 'pass the ID of an item',
      files.length === 0 && 'pass a file',
    )
    return async (call) => {
      const { client, signal } = call
      const id = await programId(call, name)
      const { period, submission_id } = await openPeriodOf(call, id, value('period'))
      const evidence = await Promise.all(
        files.map((file) => readOrFail(file, async () => evidenceFile(file, `${item}/${basename(file)}`))),
      )
      await client.uploadEvidence(submission_id, evidence, { signal, final: false })
      const changed = await client.getPeriod(id, period, { signal })
      const out = [`Added ${pluralize(files.length, 'file')} to ${item} of ${period}.`]
      return { json: changed, out: out.map(printable) }
    }
  },
})

const accept = serviceCommand('program accept', HELP, {
  options: OF_PERIOD,
  read: ({ positionals: [name = '', ...named], value, reject }) => {
    reject(name === '' && PROGRAM)
    return async (call) => {
      const { client, signal } = call
      const id = await programId(call, name)
      const { period } = await openPeriodOf(call, id, value('period'))
      let shown = await client.getPeriod(id, period, { signal })
      const ready = shown.items.filter(({ status }) => status === 'collected' || status === 'to_review')
      const items =
        named.length > 0 ? named : ready.filter(({ files }) => files.length > 0).map((item) => item.item_id)
      for (const item of items)
        shown = await client.changePeriodItem(id, period, item, { status: 'accepted' }, { signal })
      const { progress } = shown
      const text = `${period}: ${progress.accepted} of ${pluralize(progress.items, 'item')} accepted, ${progress.missing} missing.`
      return { json: shown, out: [text] }
    }
  },
})

const seal = serviceCommand('program seal', HELP, {
  options: { ...OF_PERIOD, accept: 'many' },
  arguments: [PROGRAM],
  read:
    ({ positionals: [name = ''], value, values }) =>
    async (call) => {
      const { client, signal } = call
      const id = await programId(call, name)
      const { period } = await openPeriodOf(call, id, value('period'))
      const { submission_id } = await client.sealPeriod(
        id,
        period,
        { accept: [...values('accept')] },
        { signal },
      )
      const result = await client.waitForResult(submission_id, { signal, timeoutMs: Infinity })
      const shown = await client.getPeriod(id, period, { signal })
      if (result.status !== 'PASS')
        return {
          json: shown,
          err: [
            `${period} was not sealed: the files failed their checks. The period is open again.`,
            `To see why: kitseal status ${submission_id}`,
          ],
          exitCode: EXIT.fail,
        }
      const missing = shown.items.filter(({ status }) => status === 'missing')
      return {
        json: shown,
        out: [String(shown.kit_id)],
        err: [
          `${period} is sealed. To download its kit: kitseal get ${shown.kit_id}`,
          ...missing.map(({ item_id, title }) => `  missing  ${item_id}  ${title}`),
        ].map(printable),
      }
    },
})

const end = serviceCommand('program end', HELP, {
  arguments: [PROGRAM],
  read:
    ({ positionals: [name = ''] }) =>
    async (call) => {
      const id = await programId(call, name)
      const program: Program = await call.client.changeProgram(id, { ended: true }, { signal: call.signal })
      return { json: program, out: [printable(`${program.name} is ended. No further period opens.`)] }
    },
})

/** By its ID, or by its name if only one program has it. */
async function programId({ client, signal }: ServiceCall, given: string): Promise<string> {
  if (given.startsWith('prg_')) return given
  const found = (await allPrograms(client, signal)).filter(({ name }) => name === given)
  const [first, second] = found
  if (first === undefined) throw new InputError(`there is no program ${JSON.stringify(given)}`)
  if (second === undefined) return first.program_id
  const ids = found.map(({ program_id }) => program_id).join(', ')
  throw new InputError(`several programs have the name ${JSON.stringify(given)}: pass one of ${ids}`)
}

/** The period that is named, or the only one that is open. */
async function openPeriodOf(
  { client, signal }: ServiceCall,
  id: string,
  named: string | undefined,
): Promise<Pick<Period, 'period' | 'submission_id'>> {
  if (named !== undefined) return client.getPeriod(id, named, { signal })
  const { periods } = await client.getProgramBoard(id, {}, { signal })
  const [only, second] = periods.filter(isOpen)
  if (only === undefined) throw new InputError('no period is open. Open one with: kitseal program open')
  if (second === undefined) return only
  const names = periods.filter(isOpen).map(({ period }) => period)
  throw new InputError(`several periods are open (${names.join(', ')}): pass one with --period`)
}

/** `kitseal program`. */
export const run = subcommands('program', HELP, { create, list, show, open, add, accept, seal, end })

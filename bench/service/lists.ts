import { join } from 'node:path'
import { median, reportFact, reportFigure } from '../report.ts'
import { durablePostgres, type GrowingDatabase, lackingDisk } from './growth.ts'
import { type Grown, grown, timeOf } from './grown.ts'
import { measureUpkeep, submitSmall } from './upkeep-growth.ts'

const ROUNDS = 21
const BYTES_PER_KIT = 20_000

type Ask = (grown: Grown) => Promise<unknown>
const get =
  (path: string): Ask =>
  ({ client }) =>
    client.get(path)

/** What people and programs ask for. Each reads a page of an index. */
const LISTS: Readonly<Record<string, Ask>> = {
  'list of submissions': get('/v1/submissions'),
  'submissions that passed': get('/v1/submissions?status=PASS'),
  overview: get('/v1/overview'),
  'list of series': get('/v1/series'),
  'list of events': get('/v1/events'),
  'audit log': get('/v1/audit'),
  'credits and ledger': get('/v1/credits'),
  'list of shares': get('/v1/shares'),
  'list of rooms': get('/v1/rooms'),
  'list of programs': get('/v1/programs'),
  'list of requests': get('/v1/requests'),
  'board of a program': ({ client, program }) => client.get(`/v1/programs/${program}/board`),
  'room with the series': ({ client, room }) => client.get(`/v1/rooms/${room}`),
  'small submission, to the kit in a signed checkpoint': submitSmall,
}

/** What depends on how many submissions have a word: up to 20,001 of the index are read to tell whether it is rare. */
const SEARCHES: Readonly<Record<string, Ask>> = {
  'search for a word that a few submissions have': get('/v1/submissions?q=unique500'),
  'search for the start of a word that one in nine has': get('/v1/submissions?q=unique7'),
  'search for a word that all have': get('/v1/submissions?q=access'),
  'submissions with a tag that all have': get('/v1/submissions?tag=quarterly'),
}

export interface ListsOrder {
  readonly folder: string
  readonly few: number
  readonly many: number
  readonly database: GrowingDatabase
}

/** `npm run bench:service -- lists [KITS] [SQLite]`: each list and task with few and with many kits in one workspace. */
export async function measureLists({ folder, few, many, database }: ListsOrder): Promise<void> {
  const lacking = await lackingDisk(folder, BYTES_PER_KIT * many)
  if (lacking !== undefined) throw new Error(lacking)
  await using server = database === 'PostgreSQL' ? await durablePostgres() : undefined
  const started = performance.now()
  await using small = await grown(join(folder, 'lists-few'), few, server?.url)
  await using large = await grown(join(folder, 'lists-many'), many, server?.url)
  reportFact('seconds to fill both', ((performance.now() - started) / 1000).toFixed(0))
  const names = { many: many.toLocaleString('en'), few: few.toLocaleString('en') }
  for (const [what, ask] of Object.entries({ ...LISTS, ...SEARCHES })) {
    const took = await compare(
      () => ask(small),
      () => ask(large),
    )
    if (what in SEARCHES)
      reportFact(
        what,
        `${took.many.toFixed(1)} ms beside ${names.many} kits, ${took.few.toFixed(1)} ms beside ${names.few}`,
      )
    else
      reportFigure({
        what: `${what} with ${names.many} kits on ${database}`,
        against: `the same with ${names.few}`,
        ours: `${took.many.toFixed(1)} ms`,
        theirs: `${took.few.toFixed(1)} ms`,
        ratio: took.many / took.few,
        goal: { most: 1.2 },
      })
  }
  await measureUpkeep(small, large)
}

/** Alternately, after one round that does not count. */
async function compare(few: () => Promise<unknown>, many: () => Promise<unknown>) {
  const times = { few: Array.of<number>(), many: Array.of<number>() }
  for (let round = 0; round <= ROUNDS; round++) {
    times.few.push(await timeOf(few))
    times.many.push(await timeOf(many))
  }
  return { few: median(times.few.slice(1)), many: median(times.many.slice(1)) }
}

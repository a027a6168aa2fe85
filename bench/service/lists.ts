import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bulkPostgres, cloneKits } from '../../server/test/clone-kits.ts'
import { newDatabase } from '../../server/test/postgres-server.ts'
import { median, reportFact, reportFigure } from '../report.ts'
import { clientOf, type Workspace } from '../upload/workspace.ts'
import { durablePostgres, lackingDisk, QUIET } from './growth.ts'
import { startKitseal } from './processes.ts'
import { issueTwo } from './sizes.ts'

const ROUNDS = 21
const BYTES_PER_KIT = 12_000

/** What people and programs ask for, with one series that all kits are in. Each reads a page of an index. */
const LISTS: Readonly<Record<string, string>> = {
  'list of submissions': '/v1/submissions',
  'submissions that passed': '/v1/submissions?status=PASS',
  overview: '/v1/overview',
  'list of series': '/v1/series',
  'list of events': '/v1/events',
  'audit log': '/v1/audit',
  'credits and ledger': '/v1/credits',
  'list of shares': '/v1/shares',
  'list of rooms': '/v1/rooms',
  'list of programs': '/v1/programs',
  'list of requests': '/v1/requests',
}

/** What depends on how many submissions have a word: up to 20,001 of the index are read to tell whether it is rare. */
const SEARCHES: Readonly<Record<string, string>> = {
  'search for a word that a few submissions have': '/v1/submissions?q=unique500',
  'search for the start of a word that 11,111 have': '/v1/submissions?q=unique7',
  'search for a word that all have': '/v1/submissions?q=access',
  'submissions with a tag that all have': '/v1/submissions?tag=quarterly',
}

/** `npm run bench:service -- lists [KITS]`: each list with few and with many kits in one workspace on PostgreSQL. */
export async function measureLists(folder: string, few: number, many: number): Promise<void> {
  const lacking = await lackingDisk(folder, BYTES_PER_KIT * many)
  if (lacking !== undefined) throw new Error(lacking)
  await using server = await durablePostgres()
  await using small = await seeded(join(folder, 'lists-few'), few, server.url)
  await using large = await seeded(join(folder, 'lists-many'), many, server.url)
  const compare = async (path: string) => {
    const times = { few: Array.of<number>(), many: Array.of<number>() }
    for (let round = 0; round < ROUNDS; round++) {
      times.few.push(await timeOf(small.client, path))
      times.many.push(await timeOf(large.client, path))
    }
    return { few: median(times.few), many: median(times.many) }
  }
  for (const [what, path] of Object.entries(LISTS)) {
    const took = await compare(path)
    reportFigure({
      what: `${what} with ${many.toLocaleString('en')} kits on PostgreSQL`,
      against: `the same with ${few.toLocaleString('en')}`,
      ours: `${took.many.toFixed(1)} ms`,
      theirs: `${took.few.toFixed(1)} ms`,
      ratio: took.many / took.few,
      goal: { most: 1.2 },
    })
  }
  for (const [what, path] of Object.entries(SEARCHES)) {
    const took = await compare(path)
    reportFact(
      what,
      `${took.many.toFixed(1)} ms beside ${many.toLocaleString('en')} kits, ${took.few.toFixed(1)} ms beside ${few.toLocaleString('en')}`,
    )
  }
}

async function timeOf(client: Workspace, path: string): Promise<number> {
  const started = performance.now()
  await client.get(path)
  return performance.now() - started
}

async function seeded(data: string, count: number, serverUrl: string) {
  await mkdir(data, { recursive: true })
  const url = await newDatabase(serverUrl)
  const settings = { KITSEAL_DATABASE_URL: url }
  const { key, ...template } = await issueTwo(data, settings)
  {
    await using sql = await bulkPostgres(url)
    await cloneKits(sql, template, { count, isLean: true })
  }
  const service = await startKitseal(data, { ...settings, ...QUIET })
  return {
    client: clientOf(service.base, key),
    url,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

// `npm run bench:grow [-- PART…] [--quick]`: what grows with the kits that are stored: the same request with many and with a thousand, on
// PostgreSQL. The copies are made by statements, so filling a million takes minutes.
import { join } from 'node:path'
import { mkdirSync } from 'node:fs'
import { launchBrowser } from '../kit/embed/test/browser.ts'
import { bulkPostgres, cloneKits, UNIQUE_WORD } from '../server/test/clone-kits.ts'
import { newDatabase, postgresServer } from '../test/kit/postgres.ts'
import {
  admin,
  type Client,
  clientOf,
  goal,
  measureParts,
  ms,
  newClient,
  quantile,
  type Row,
  smallForm,
  sized,
  startService,
  timeOf,
} from './measure.ts'

const FEW = 1000
const MANY = sized(1_000_000)
const CONSOLE_KITS = sized(200_000)
const ROUNDS = sized(21)
const SERIES = 'Access review'
const DAY_MS = 86_400_000
const PAGES = ['Submissions', 'Programs', 'Requests', 'Shares', 'Audit log'] as const

type Grown = Awaited<ReturnType<typeof grown>>

const durablePostgres = () =>
  postgresServer({ fsync: 'on', full_page_writes: 'on', shared_buffers: '1GB', max_wal_size: '16GB' })

/** A service with one workspace and many kits, all in one series. */
async function grown(folder: string, count: number, serverUrl: string) {
  const data = join(folder, `data-${count}`)
  mkdirSync(data)
  const url = await newDatabase(serverUrl)
  const settings = { KITSEAL_DATA: data, KITSEAL_LOG_MARK: `${data}-mark`, KITSEAL_DATABASE_URL: url }
  const { client: first, template } = await templateIn(settings)
  const sizes: number[] = []
  for (const copies of [0, count]) {
    await using sql = await bulkPostgres(url)
    if (copies > 0) await cloneKits(sql, template, { count, isLean: true })
    sizes.push(Number((await sql.all('select pg_database_size(current_database()) as bytes'))[0]?.['bytes']))
  }
  const service = await startService(settings)
  const client = clientOf(service.base, first.key, first.workspaceId)
  const items = [{ item_id: 'users', title: 'List of users', due_days: 14 }]
  const starts_on = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)
  const program = await client.post('/v1/programs', {
    name: 'Review',
    cadence: 'quarterly',
    starts_on,
    items,
  })
  const expires_at = new Date(Date.now() + DAY_MS).toISOString()
  const room = await client.post('/v1/rooms', { title: 'Audit', series: SERIES, expires_at })
  return {
    settings,
    client,
    /** Without the long texts of a kit, which the copies lack, and before their indexes are made. */
    bytesPerKit: ((sizes[1] ?? 0) - (sizes[0] ?? 0)) / count,
    base: service.base,
    program: String(program['program_id']),
    room: String(room['room_id']),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

/** Two kits, of which the second is copied: what both have in common is stored once. */
async function templateIn(settings: Readonly<Record<string, string>>) {
  await using service = await startService(settings)
  const client = newClient(service.base, settings)
  const attributes = { series: SERIES, external_id: UNIQUE_WORD, tags: ['quarterly'] }
  let last: Readonly<Record<string, unknown>> = {}
  for (const number of [1, 2]) {
    const body = { label: `Q3 access review ${UNIQUE_WORD}`, ...attributes }
    const route = `/v1/submissions/${String((await client.post('/v1/submissions', body))['submission_id'])}`
    const form = smallForm(number)
    const headers = { 'x-api-key': client.key, 'content-type': form.type }
    await fetch(`${service.base}${route}/evidence`, {
      method: 'POST',
      headers,
      body: new Uint8Array(form.body),
    })
    while (last['status'] !== 'PASS' || last['submission_id'] !== route.split('/')[3])
      last = await client.get(route)
  }
  const of = (name: string): string => String(last[name])
  const template = { job: of('job_id'), kit: of('kit_id'), submission: of('submission_id') }
  return { client, template: { ...template, workspace: client.workspaceId } }
}

type Ask = (at: {
  readonly client: Client
  readonly program: string
  readonly room: string
}) => Promise<unknown>
const get =
  (path: string): Ask =>
  ({ client }) =>
    client.get(path)

let submitted = 0
const submitSmall: Ask = ({ client }) => client.submit((submitted += 1), 4)

/** Each reads a page of an index. A word's start may be looked for in many. */
const LISTS: Readonly<Record<string, readonly [most: number, ask: Ask]>> = {
  'list of submissions': [1.2, get('/v1/submissions')],
  'submissions that passed': [1.2, get('/v1/submissions?status=PASS')],
  overview: [1.2, get('/v1/overview')],
  'list of series': [1.2, get('/v1/series')],
  'list of events': [1.2, get('/v1/events')],
  'audit log': [1.2, get('/v1/audit')],
  'credits and ledger': [1.2, get('/v1/credits')],
  'list of shares': [1.2, get('/v1/shares')],
  'list of rooms': [1.2, get('/v1/rooms')],
  'list of programs': [1.2, get('/v1/programs')],
  'list of requests': [1.2, get('/v1/requests')],
  'board of a program': [1.2, ({ client, program }) => client.get(`/v1/programs/${program}/board`)],
  'room with the series': [1.2, ({ client, room }) => client.get(`/v1/rooms/${room}`)],
  'search for a word that a few have': [1.2, get('/v1/submissions?q=unique500')],
  'search for the start of a word': [3, get('/v1/submissions?q=unique7')],
  'search for a word that all have': [1.2, get('/v1/submissions?q=access')],
  'submissions with a tag that all have': [1.2, get('/v1/submissions?tag=quarterly')],
  'small submission, to its kit': [1.2, submitSmall],
}

async function lists(folder: string): Promise<readonly Row[]> {
  await using server = await durablePostgres()
  await using few = await grown(folder, FEW, server.url)
  await using many = await grown(folder, MANY, server.url)
  const rows: Row[] = [{ what: 'bytes of rows in PostgreSQL, per kit', ours: many.bytesPerKit.toFixed(0) }]
  for (const [what, [most, ask]] of Object.entries(LISTS)) rows.push(await listed(what, most, ask, few, many))
  return rows
}

async function listed(what: string, most: number, ask: Ask, few: Grown, many: Grown): Promise<Row> {
  const times: [few: number[], many: number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++)
    for (const [side, at] of [few, many].entries()) times[side]?.push(await timeOf(() => ask(at)))
  // The first round does not count.
  const [small, large] = times.map((each) => quantile(each.slice(1), 0.5)) as [number, number]
  const names = [FEW, MANY].map((count) => `${count.toLocaleString('en')} kits`) as [string, string]
  return {
    what: `${what}, ${names[1]}`,
    ours: ms(large),
    peer: names[0],
    theirs: ms(small),
    ratio: large / small,
    ...goal(undefined, most),
  }
}

/** From a click to the content of the page. */
async function consolePages(folder: string): Promise<readonly Row[]> {
  await using server = await durablePostgres()
  await using at = await grown(folder, CONSOLE_KITS, server.url)
  const to = ['--workspace', at.client.workspaceId, '--email', 'bench@acme.example', '--role', 'owner']
  const url = at.base.replace('127.0.0.1', 'localhost')
  const invited = admin(at.settings, ['invite', ...to, '--url', url])
  await using browser = await launchBrowser()
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const link = Object.values(invited).find((value) => String(value).includes('/console/invite#'))
  await page.goto(String(link))
  await page.getByRole('button', { name: 'Sign in once without a passkey' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const shows = (title: string) =>
    page.waitForFunction(
      (name) =>
        document.title.startsWith(name) &&
        document.querySelector('main h1') !== null &&
        document.querySelector('main .loading') === null,
      title,
      { polling: 'raf' },
    )
  const times: number[] = []
  for (let round = 0; round <= sized(8); round++) {
    // What the console remembers of the last round would be shown at once.
    await page.reload()
    await shows('')
    for (const title of PAGES) {
      const took = await timeOf(async () => {
        await page.locator('#places').getByRole('link', { name: title, exact: true }).click()
        await shows(title)
      })
      // The first round also downloads the code of each page.
      if (round > 0) times.push(took)
    }
  }
  const p95 = quantile(times, 0.95)
  const what = `console, ${CONSOLE_KITS.toLocaleString('en')} kits, click to content, p95`
  return [
    { what, ours: ms(p95), ratio: p95 / 250, most: 1 },
    { what: 'the same, median', ours: ms(quantile(times, 0.5)) },
  ]
}

await measureParts({ lists, console: consolePages })

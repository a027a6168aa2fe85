import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Clock,
  type Config,
  type Environment,
  type Service,
  readConfig,
  startService,
} from '@kitseal/server'
import { testConstants } from './constants.ts'
import { onPostgres, ownDatabase, writeEmptySqlite } from './databases.ts'
import { type Checked, type CheckedFetch, checkedClient } from './http.ts'
import { pauseAfter } from './until.ts'

export interface TestService extends AsyncDisposable {
  readonly service: Service
  readonly base: string
  readonly dataFolder: string
  readonly config: Config
  /** The settings that it was started with. */
  readonly environment: Readonly<Record<string, string>>
  readonly log: () => string
  /** Validates every response against the OpenAPI document. */
  readonly call: CheckedFetch
  metrics(): Promise<string>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Checked>
  /** Creates a job and waits until its kit is issued. */
  issue(body?: object): Promise<{ readonly jobId: string; readonly kitId: string }>
}

type Options = Parameters<typeof startService>[1]

interface More {
  /** A folder of built pages. */
  readonly pages?: string
  /** Called with every SQL statement. */
  readonly onStatement?: (text: string) => void
  /** The clocks of the machine, instead of `clock`: the service follows the database's. */
  readonly nodeClock?: NonNullable<Options['nodeClock']>
}

/** Starts the whole service in this process, with a free port and a temp folder. Jobs run in the main thread, which starts faster. */
export async function testService(
  settings: Environment = {},
  clock: Clock | 'work in a thread' = { now: () => Date.now() },
  more: More | More['onStatement'] = {},
): Promise<TestService> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'kitseal-service-'))
  // Outside the data folder, as in production.
  const markFolder = mkdtempSync(join(tmpdir(), 'kitseal-mark-'))
  const database = await ownDatabase()
  const env = {
    KITSEAL_PORT: '0',
    KITSEAL_METRICS_LISTEN: '127.0.0.1:0',
    KITSEAL_DATA: dataFolder,
    KITSEAL_RATE_LIMIT: 'off',
    KITSEAL_OPEN_INTAKE: 'on',
    KITSEAL_LOG_MARK: markFolder,
    ...database.settings,
    ...ownPlaces(),
    ...settings,
  }
  if (!onPostgres && env.KITSEAL_DATA === dataFolder)
    await writeEmptySqlite(join(dataFolder, 'kitseal.sqlite'))
  const config = testConfig(env)
  const lines: string[] = []
  const log = { write: (text: string) => lines.push(text) }
  const isOnNodeClock = typeof more === 'object' && more.nodeClock !== undefined
  const service = await startService(config, {
    log,
    ...(typeof more === 'function' ? { onStatement: more } : more),
    ...(clock === 'work in a thread' || isOnNodeClock ? {} : { clock }),
  })
  const call =
    config.role === 'worker'
      ? async () => assert.fail('a worker has no HTTP server')
      : checkedClient(service.address)
  const post: TestService['post'] = (path, body, headers = {}) =>
    call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return {
    service,
    base: service.address,
    dataFolder: config.dataFolder,
    config,
    environment: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    log: () => lines.join(''),
    call,
    metrics: async () => (await fetch(service.metricsUrl ?? '')).text(),
    post,
    issue: async (body = { tenant_id: 'acme', scope_label: 'first kit' }) => {
      const jobId = String((await post('/v1/intake/jobs', body)).json['job_id'])
      return { jobId, kitId: await issuedKit(call, jobId) }
    },
    [Symbol.asyncDispose]: async () => {
      await service.stop()
      rmSync(dataFolder, { recursive: true })
      rmSync(markFolder, { recursive: true })
      await database[Symbol.asyncDispose]()
    },
  }
}

export function testConfig(settings: Environment): Config {
  const config = readConfig(settings, {}, testConstants(settings))
  assert.ok(config.ok, JSON.stringify(config))
  return config.value
}

/** Polls until the job is issued. */
export async function issuedKit(call: CheckedFetch, jobId: string): Promise<string> {
  for (let looks = 0; ; looks++) {
    const { json } = await call(`/v1/intake/jobs/${jobId}`)
    if (json['status'] === 'ISSUED') return String(json['kit_id'])
    assert.match(String(json['status']), /^(SUBMITTED|PASS)$/, JSON.stringify(json))
    await pauseAfter(looks)
  }
}

/** Settings for the object store: its own prefix in the S3 store of `KITSEAL_TEST_OBJECTS`, if set. */
export function ownPlaces(): Environment & Readonly<Record<string, string>> {
  const objects = process.env['KITSEAL_TEST_OBJECTS'] ?? ''
  if (objects === '') return {}
  const [place = '', query = ''] = objects.split('?', 2)
  return { KITSEAL_OBJECTS: `${place}/${randomUUID()}?${query}` }
}

/** The settings of a second node on the store of a service. */
export function sameStore(service: { readonly dataFolder: string; readonly config: Config }): Environment {
  const { dataFolder, config } = service
  const location = config.objects as unknown as Record<string, string>
  const objects =
    config.objects.is === 'folder'
      ? location['path']
      : `s3://${location['bucket']}/${location['prefix']}?endpoint=${location['endpoint']}&region=${location['region']}&path_style=true`
  return {
    KITSEAL_DATA: dataFolder,
    KITSEAL_OBJECTS: objects,
    KITSEAL_DATABASE_URL: config.databaseUrl,
  }
}

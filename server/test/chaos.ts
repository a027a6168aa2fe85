import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseJwks, parseStrictJson, trustKeys, verifyKit } from '@kitseal/kit'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { openStore } from '../src/index.ts'
import { checkedClient } from '../../test/kit/http.ts'
import { chaosClient } from './chaos-client.ts'
import { type CutProxy, cutProxy } from '../../test/kit/proxy.ts'
import { newDatabase, type PostgresServer, postgresServer } from '../../test/kit/postgres.ts'
import { type ServiceProcess, serviceProcess } from '../../test/kit/service-process.ts'
import { testConfig } from '../../test/kit/service.ts'
import { ownPlaces } from '../../test/kit/service.ts'
import { administer, clientOf, type WorkspaceClient } from '../../test/kit/workspace.ts'

/** A clock moves two hours ahead, back to the right time, two hours behind, and so on. */
export type Fault = 'kill' | 'stop' | 'move the clock' | 'restart the database' | 'block the object store'

export interface Chaos {
  readonly submissions: number
  readonly clients: number
  readonly nodes: number
  /** Faults to inject while clients submit, in this order, repeatedly. */
  readonly faults: readonly Fault[]
  readonly betweenMs: number
  /** Maximum pause of a client between two submissions. */
  readonly paceMs: number
}

const LEASE_SECONDS = 3
const HOUR_MS = 3_600_000
const CLOCK_MOVES_MS = [2 * HOUR_MS, 0, -2 * HOUR_MS, 0]

/** Injects faults while clients submit, then checks that every acknowledged submission ended in one kit. */
export async function survive(chaos: Chaos, say: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-chaos-'))
  await using server = await postgresServer()
  const settings: Record<string, string> = {
    KITSEAL_DATABASE_URL: await newDatabase(server.url),
    KITSEAL_DATA: folder,
    KITSEAL_ISSUER: 'https://kits.example',
    KITSEAL_OPEN_INTAKE: 'on',
    TEST_LEASE_SECONDS: String(LEASE_SECONDS),
    TEST_MAX_ATTEMPTS: '100',
    KITSEAL_LOG_LEVEL: 'error',
    ...ownPlaces(),
  }
  await using objects = await throughProxy(settings)
  const nodes = await Promise.all(
    Array.from({ length: chaos.nodes }, (_, which) => startNode(settings, which)),
  )
  try {
    const config = testConfig(settings)
    const created = await administer({ dataFolder: folder, config }, (admin) =>
      admin.workspaces.create(
        { name: 'Chaos', plan: 'default', credits: chaos.submissions, keyLabel: 'chaos' },
        { is: 'operator' },
      ),
    )
    const client = chaosClient(() => nodes.map(({ base }) => base), created.key.text)
    const state = { submitting: true }
    const faults = injectFaults(chaos, nodes, settings, { server, objects }, state, say)
    const acknowledged = await submitAll(chaos, client)
    state.submitting = false
    await faults
    say(`${acknowledged.length} acknowledged; clients saw ${JSON.stringify(Object.fromEntries(client.seen))}`)
    for (const status of client.seen.keys()) assert.match(status, /^(200|201|202|409|503|cut)$/)

    const last = nodes[0] ?? assert.fail('no node is left')
    const again = clientOf({ call: checkedClient(last.base) }, created.workspaceId, created.key.text)
    await assertAllIssued(again, acknowledged, folder)
    await assertLedgerBalances(config, again, acknowledged)
    await assertTimesArePossible(config)
  } finally {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    rmSync(folder, { recursive: true, force: true })
  }
}

const clockFile = (settings: Readonly<Record<string, string>>, which: number): string =>
  join(settings['KITSEAL_DATA'] ?? '', `clock-${which}`)

/** A node whose clock can be moved. It stays moved when the node is restarted. */
function startNode(settings: Readonly<Record<string, string>>, which: number): Promise<ServiceProcess> {
  const preload = new URL('./moved-clock.ts', import.meta.url).href
  return serviceProcess({
    ...settings,
    CLOCK_FILE: clockFile(settings, which),
    NODE_OPTIONS: `--import=${preload}`,
  })
}

/** A proxy to a remote object store; undefined if objects are files. */
async function throughProxy(settings: Record<string, string>): Promise<CutProxy | undefined> {
  const [place = '', query = ''] = (settings['KITSEAL_OBJECTS'] ?? '').split('?', 2)
  const parameters = new URLSearchParams(query)
  const endpoint = parameters.get('endpoint')
  if (endpoint === null) return undefined
  const proxy = await cutProxy(endpoint)
  parameters.set('endpoint', proxy.url)
  settings['KITSEAL_OBJECTS'] = `${place}?${parameters.toString()}`
  return proxy
}

async function submitAll(
  { submissions, clients, paceMs }: Chaos,
  client: ReturnType<typeof chaosClient>,
): Promise<readonly string[]> {
  const acknowledged: string[] = []
  let next = 0
  const one = async (): Promise<void> => {
    for (let mine = next++; mine < submissions; mine = next++) {
      acknowledged.push(await client.submit(`evidence ${mine}`))
      await pause(Math.random() * paceMs)
    }
  }
  await Promise.all(Array.from({ length: clients }, one))
  return acknowledged
}

async function injectFaults(
  chaos: Chaos,
  nodes: ServiceProcess[],
  settings: Readonly<Record<string, string>>,
  { server, objects }: { readonly server: PostgresServer; readonly objects: CutProxy | undefined },
  state: { readonly submitting: boolean },
  say: (line: string) => void,
): Promise<void> {
  let moves = 0
  for (let round = 0; round < chaos.faults.length || state.submitting; round += 1) {
    await pause(chaos.betweenMs)
    const fault = chaos.faults[round % chaos.faults.length]
    const which = round % nodes.length
    const node = nodes[which] ?? assert.fail('no node is left')
    say(`${fault} (node ${which})`)
    if (fault === 'kill') {
      await node.end('SIGKILL')
      nodes[which] = await startNode(settings, which)
    } else if (fault === 'move the clock') {
      writeFileSync(clockFile(settings, which), String(CLOCK_MOVES_MS[moves % CLOCK_MOVES_MS.length]))
      moves += 1
    } else if (fault === 'stop') {
      process.kill(node.pid, 'SIGSTOP')
      await pause((LEASE_SECONDS + 2) * 1000)
      process.kill(node.pid, 'SIGCONT')
    } else if (fault === 'block the object store') {
      objects?.cut()
      await pause(2500)
      objects?.mend()
    } else {
      await server.stop()
      await pause(500)
      await server.start()
    }
  }
}

async function assertAllIssued(
  client: WorkspaceClient,
  acknowledged: readonly string[],
  folder: string,
): Promise<void> {
  const keys = parseJwks(parseStrictJson((await client.get('/.well-known/jwks.json')).bytes))
  assert.ok(keys.ok)
  assert.equal(keys.value.keys.length, 1, 'nodes that start at the same time create one key')
  const kits = new Set<unknown>()
  for (const id of acknowledged) {
    const record = await client.ended(id)
    assert.equal(record['status'], 'PASS', JSON.stringify(record))
    kits.add(record['kit_id'])
    const file = join(folder, 'kit.zip')
    writeFileSync(file, (await client.get(`/v1/submissions/${id}/deliverables/kit.zip`)).bytes)
    await using opened = await openKit(file)
    const verified = await verifyKit(opened, trustKeys(keys.value), nodeHost)
    assert.equal(verified.status, 'PASS', JSON.stringify(verified))
  }
  assert.equal(kits.size, acknowledged.length, 'each submission has its own kit')
}

async function assertLedgerBalances(
  config: ReturnType<typeof testConfig>,
  client: WorkspaceClient,
  acknowledged: readonly string[],
): Promise<void> {
  assert.deepEqual(await client.credits(), { available: 0, held: 0 })
  await using store = await openStore(config)
  const ledger = await store.db.selectFrom('credit_ledger').selectAll().orderBy('sequence').execute()
  const own = ledger.filter(({ workspace_id }) => workspace_id === client.workspaceId)
  const moves = own.flatMap(({ kind, submission_id }) =>
    submission_id === null ? [] : [`${kind} ${submission_id}`],
  )
  const expected = acknowledged.flatMap((id) => [`hold ${id}`, `capture ${id}`])
  assert.deepEqual(moves.toSorted(), expected.toSorted())
  assert.deepEqual(
    own.map(({ sequence }) => sequence),
    own.map((_, index) => index + 1),
    'the ledger has no gap',
  )
  const kits = await store.db.selectFrom('kits').select('job_id').execute()
  const jobs = await store.db.selectFrom('submissions').select(['status']).execute()
  assert.equal(jobs.filter(({ status }) => status === 'ISSUED').length, kits.length)
  assert.deepEqual(
    jobs.filter(({ status }) => status === 'SUBMITTED'),
    [],
  )
  assert.deepEqual(await store.db.selectFrom('tasks').selectAll().where('kind', '=', 'seal').execute(), [])
}

/** Clocks were hours off, so an hour tells a wrong time from a right one. */
async function assertTimesArePossible(config: ReturnType<typeof testConfig>): Promise<void> {
  await using store = await openStore(config)
  const times = await store.db
    .selectFrom('submissions')
    .innerJoin('kits', 'kits.job_id', 'submissions.job_id')
    .select(['job_created_at as created_at', 'issued_at', 'job_updated_at as updated_at'])
    .execute()
  for (const { created_at, issued_at, updated_at } of times) {
    assert.ok(created_at <= issued_at && issued_at <= updated_at, `${created_at} ${issued_at} ${updated_at}`)
    for (const time of [created_at, updated_at])
      assert.ok(Math.abs(Date.parse(time) - Date.now()) < HOUR_MS, `${time} is not now`)
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeApiKey } from '../../server/src/access/api-key.ts'
import type { WorkspaceId } from '../../server/src/runtime/identifiers.ts'
import { wrongSecret } from '../kit/access-fixture.ts'
import { checkedClient } from '../kit/http.ts'
import { serviceProcess } from '../kit/service-process.ts'
import { administer, workspaceClient } from '../kit/workspace.ts'
import { issued } from './load-service.ts'
import { median, compareTimes } from './compare-times.ts'

/** Two requests with the same response; only for one of them something exists. */
interface Pair {
  readonly name: string
  readonly nothing: readonly Request[]
  readonly something: readonly Request[]
}

interface Request {
  readonly path: string
  readonly key?: string
}

/** Several of each kind, so that no single one dominates. */
const SAMPLES = 8
/** Two samples of the same request may differ by this much; see the first line of each run. */
const MAX_BIAS = 0.03
const OPERATOR = { is: 'operator' } as const

/** Requests what exists and what does not, and reports whether the response time reveals the difference. */
export async function timing(seconds: number): Promise<number> {
  const data = mkdtempSync(path.join(tmpdir(), 'kitseal-timing-'))
  const service = await serviceProcess({ KITSEAL_DATA: data, KITSEAL_LOG_LEVEL: 'error' })
  const ask = asker(service.base)
  let worst = 0
  try {
    const pairs = await pairsOf(data, service.base)
    for (const pair of pairs) await measure(ask, pair, 1)
    for (const pair of pairs) {
      const { nothing, something } = await measure(ask, pair, seconds / pairs.length)
      const { slower, medianMicros } = compareTimes(nothing, something)
      worst = Math.max(worst, Math.abs(slower - 0.5))
      console.log(
        `timing: ${pair.name}: ${nothing.length} of each, median ${(median(nothing) * 1000).toFixed(0)} µs, ` +
          `${medianMicros >= 0 ? '+' : ''}${medianMicros.toFixed(1)} µs; slower in ${(slower * 100).toFixed(1)} % of comparisons`,
      )
    }
  } finally {
    ask.close()
    await service.end('SIGTERM')
    rmSync(data, { recursive: true, force: true })
  }
  const holds = worst <= MAX_BIAS
  console.log(
    `timing: the best guess is right in ${(50 + worst * 100).toFixed(1)} % of comparisons, where 50 % is chance: ${holds ? 'PASS' : 'FAIL'}`,
  )
  return holds ? 0 : 1
}

async function pairsOf(data: string, base: string): Promise<readonly Pair[]> {
  const place = { dataFolder: data, call: checkedClient(base) }
  const [owner, stranger] = [await workspaceClient(place, { credits: 100 }), await workspaceClient(place)]
  const owned: { readonly id: string; readonly kitId: string; readonly jobId: string }[] = []
  for (let turn = 0; turn < SAMPLES; turn += 1) {
    const { id, kitId } = await issued(owner, `evidence ${turn}`)
    owned.push({ id, kitId, jobId: String((await owner.get(`/v1/submissions/${id}`)).json['job_id']) })
  }
  const keys = await administer(place, async (admin) => {
    const workspaceId = owner.workspaceId as WorkspaceId
    await admin.workspaces.update(workspaceId, { publicKits: 'none' }, OPERATOR)
    const made = await Promise.all(
      Array.from({ length: SAMPLES }, () => admin.keys.create(workspaceId, { label: 'a' }, OPERATOR)),
    )
    for (const { keyId } of made) await admin.keys.revoke(keyId, OPERATOR)
    return made.map(({ text }) => text)
  })
  const unknown = withKeys(Array.from({ length: SAMPLES }, () => makeApiKey().text))
  return [
    { name: 'the same request twice, for comparison', nothing: unknown, something: unknown },
    {
      name: 'a key id that exists, with a wrong secret',
      nothing: unknown,
      something: withKeys(keys.map(wrongSecret)),
    },
    { name: 'a key that was revoked, with its secret', nothing: unknown, something: withKeys(keys) },
    lookUp(
      'a job of another tenant',
      owned.map(({ jobId }) => `/v1/intake/jobs/${jobId}`),
    ),
    lookUp(
      'a kit of another tenant',
      owned.map(({ kitId }) => `/v1/kits/${kitId}/receipt`),
    ),
    lookUp(
      'a submission of another tenant',
      owned.map(({ id }) => `/v1/submissions/${id}`),
      stranger.key,
    ),
  ]
}

function withKeys(keys: readonly string[]): readonly Request[] {
  return keys.map((key) => ({ path: '/v1/credits', key }))
}

function lookUp(name: string, paths: readonly string[], key?: string): Pair {
  const ask = (one: string): Request => ({ path: one, ...(key === undefined ? {} : { key }) })
  return { name, something: paths.map(ask), nothing: paths.map(withUnknownId).map(ask) }
}

/** The same path with an unused id. */
function withUnknownId(one: string): string {
  return one.replace(/(?<=(?:sub|kit|job)_)[\w-]+/, (id) =>
    randomBytes(id.length).toString('base64url').slice(0, id.length),
  )
}

interface Asker {
  (sent: Request): Promise<number>
  close(): void
}

/** Sends one request at a time over one connection; resolves to milliseconds until the response is complete. */
function asker(base: string): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = ({ path: where, key }: Request): Promise<number> =>
    new Promise((resolve, reject) => {
      const started = performance.now()
      const headers = key === undefined ? {} : { 'x-api-key': key }
      const sent = request(base + where, { agent, headers }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve(performance.now() - started))
        if (answer.statusCode !== 401 && answer.statusCode !== 404)
          reject(new Error(`${where} returned ${answer.statusCode}`))
      })
      sent.on('error', reject)
      sent.end()
    })
  return Object.assign(ask, { close: () => agent.destroy() })
}

/** Measures in pairs, in random order, so that other load on the machine affects both alike. */
async function measure(
  ask: Asker,
  pair: Pair,
  seconds: number,
): Promise<{ readonly nothing: readonly number[]; readonly something: readonly number[] }> {
  const times = { nothing: [] as number[], something: [] as number[] }
  const end = performance.now() + seconds * 1000
  for (let turn = 0; performance.now() < end; turn += 1) {
    const order =
      Math.random() < 0.5 ? (['nothing', 'something'] as const) : (['something', 'nothing'] as const)
    for (const kind of order) {
      const sent = pair[kind][turn % pair[kind].length]
      if (sent !== undefined) times[kind].push(await ask(sent))
    }
  }
  return times
}

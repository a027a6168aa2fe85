import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { checkedClient } from '../kit/http.ts'
import { serviceProcess } from '../kit/service-process.ts'
import { workspaceClient } from '../kit/workspace.ts'
import { residentMegabytes } from './probe.ts'

export interface SustainedLoad {
  readonly seconds: number
  readonly perSecond: number
  readonly kills: number
}

const CLI = fileURLToPath(new URL('../../cli/bin/kitseal.cjs', import.meta.url))
const POLL_MS = 1000
/** As `Retry-After` of an overloaded service asks for. */
const RETRY_MS = 2000
const VERIFIED_AT_ONCE = 250

/**
 * Small submissions at a fixed rate, while the service is killed with SIGKILL and started again. Clients retry with the same
 * idempotency key. Afterwards each submission has one kit, each kit passes `kitseal verify`, and each cost one credit.
 */
export async function sustained({ seconds, perSecond, kills }: SustainedLoad): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-sustained-'))
  const settings = { KITSEAL_DATA: path.join(folder, 'data'), KITSEAL_LOG_LEVEL: 'error' }
  const start = (port: string) => serviceProcess({ ...settings, KITSEAL_PORT: port }, CLI, ['serve'])
  let service = await start('0')
  let isRunning = true
  const { port } = new URL(service.base)
  const restart = async (): Promise<void> => {
    isRunning = false
    await service.end('SIGKILL')
    service = await start(port)
    isRunning = true
  }
  try {
    const total = seconds * perSecond
    const place = { dataFolder: settings.KITSEAL_DATA, call: checkedClient(service.base) }
    const workspace = await workspaceClient(place, { credits: total })
    const ask = clientOf(service.base, workspace.key)
    const begin = performance.now()
    const due = (number: number): number => begin + (number * 1000) / perSecond
    const killing = killEvery((seconds * 1000) / (kills + 1), kills, restart)
    let peak = 0
    const sampling = setInterval(() => {
      if (isRunning) peak = Math.max(peak, residentMegabytes(service.pid))
    }, 1000)
    const running: Promise<Issued>[] = []
    for (let number = 0; number < total; number++) {
      await pause(Math.max(0, due(number) - performance.now()))
      const issuing = submit(ask, number).then((kitId) => ({ kitId, ms: performance.now() - due(number) }))
      // Awaited below. An unhandled rejection would end this process and not the service.
      issuing.catch(() => {})
      running.push(issuing)
    }
    const behind = performance.now() - due(total)
    const issued = await Promise.all(running)
    clearInterval(sampling)
    await killing
    const times = issued.map(({ ms }) => ms).toSorted((a, b) => a - b)
    const kitIds = new Set(issued.map(({ kitId }) => kitId))
    const passed = await verifyAll(ask, [...kitIds], folder)
    const credits = await workspace.credits()
    const holds = kitIds.size === total && passed === total && credits.available === 0 && credits.held === 0
    console.log(
      `sustained: ${total} submissions at ${perSecond} a second with ${kills} kills; p50 ${at(times, 0.5).toFixed(0)} ms, p99 ${at(times, 0.99).toFixed(0)} ms to ISSUED, the last request was sent ${Math.max(0, behind).toFixed(0)} ms late; memory at most ${Math.round(peak)} MiB; ${kitIds.size} kits, ${passed} pass, credits left ${credits.available}, held ${credits.held}: ${holds ? 'PASS' : 'FAIL'}`,
    )
    return holds ? 0 : 1
  } finally {
    await service.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
}

const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

interface Issued {
  readonly kitId: string
  readonly ms: number
}

async function killEvery(ms: number, times: number, restart: () => Promise<void>): Promise<void> {
  for (let count = 0; count < times; count++) {
    await pause(ms)
    await restart()
  }
}

type Ask = (method: 'GET' | 'POST', path: string, headers?: object, body?: string) => Promise<Buffer>

/** In progress, not read in time, or overloaded. */
const RETRIED = new Set([408, 409, 429, 503])

const agent = new Agent({ keepAlive: true })

/** Sends a request until it is answered, as a client with retries does. */
function clientOf(base: string, key: string): Ask {
  const once: Ask = (method, route, headers = {}, body = '') =>
    new Promise((resolve, reject) => {
      const asked = request(base + route, { agent, method, headers: { 'x-api-key': key, ...headers } })
      asked.on('error', reject)
      asked.on('response', (response) => {
        buffer(response).then((bytes) => {
          const { statusCode = 0 } = response
          if (statusCode < 300) resolve(bytes)
          else reject(new Error(`${statusCode} ${bytes}`, { cause: statusCode }))
        }, reject)
      })
      asked.end(body)
    })
  return async (...args) => {
    for (;;) {
      try {
        return await once(...args)
      } catch (error) {
        const status = error instanceof Error ? error.cause : undefined
        if (typeof status === 'number' && !RETRIED.has(status)) throw error
        await pause(RETRY_MS)
      }
    }
  }
}

const json = async (answer: Promise<Buffer>) => JSON.parse(String(await answer)) as Record<string, unknown>

async function submit(ask: Ask, number: number): Promise<string> {
  const created = await json(
    ask(
      'POST',
      '/v1/submissions',
      { 'content-type': 'application/json', 'idempotency-key': `create-${number}` },
      JSON.stringify({ label: `load ${number}` }),
    ),
  )
  const route = `/v1/submissions/${String(created['submission_id'])}`
  await ask(
    'POST',
    `${route}/evidence`,
    { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'idempotency-key': `upload-${number}` },
    twoFiles(number),
  )
  for (;;) {
    await pause(POLL_MS)
    const { status, kit_id } = await json(ask('GET', route))
    if (status === 'PASS') return String(kit_id)
    if (status === 'FAIL') throw new Error(`submission ${number} failed`)
  }
}

const BOUNDARY = 'boundary-of-the-load'

function twoFiles(number: number): string {
  const part = (name: string, text: string): string =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/plain\r\n\r\n${text}\r\n`
  const line = `${number}: a line of the log of a build\n`
  return `${part('build.log', line.repeat(150))}${part('report.txt', line.repeat(100))}--${BOUNDARY}--\r\n`
}

/** How many of the kits the command line accepts. */
async function verifyAll(ask: Ask, kitIds: readonly string[], folder: string): Promise<number> {
  const keys = path.join(folder, 'jwks.json')
  writeFileSync(keys, await ask('GET', '/.well-known/jwks.json'))
  const kits = path.join(folder, 'kits')
  let passed = 0
  for (let from = 0; from < kitIds.length; from += VERIFIED_AT_ONCE) {
    mkdirSync(kits)
    for (const kitId of kitIds.slice(from, from + VERIFIED_AT_ONCE))
      writeFileSync(path.join(kits, `${kitId}.zip`), await ask('GET', `/v1/kits/${kitId}/download`))
    const files = readdirSync(kits).map((name) => path.join(kits, name))
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [CLI, 'verify', '--json', '--jwks', keys, ...files],
      { maxBuffer: 2 ** 28 },
    ).catch((error: { readonly stdout: string }) => error)
    passed += stdout.match(/^\{"path":"[^"]+","status":"PASS"/gm)?.length ?? 0
    rmSync(kits, { recursive: true })
  }
  return passed
}

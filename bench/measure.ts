// What the three programs share: processes, rounds that alternate with a peer, and the table.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, release as kernel, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'

export const ROOT = import.meta.dirname.slice(0, -'/bench'.length)
export const KITSEAL = [process.execPath, join(ROOT, 'cli/bin/kitseal.cjs')] as const

/** `--quick` shows in a minute that a program works; its figures mean nothing. */
const isQuick = process.argv.includes('--quick')
export const sized = (value: number): number => (isQuick ? Math.max(1, Math.ceil(value / 100)) : value)
const asked = process.argv.slice(2).filter((word) => !word.startsWith('-'))

/** A line of the table. The goal is for the ratio. */
export interface Row {
  readonly what: string
  readonly ours: string
  readonly peer?: string
  readonly theirs?: string
  readonly ratio?: number
  readonly least?: number
  readonly most?: number
}

/** Runs the parts that were asked for, each in a folder of its own, and prints their rows as one table. */
export async function measureParts(
  parts: Readonly<Record<string, (folder: string) => Promise<readonly Row[]>>>,
): Promise<void> {
  const names = Object.keys(parts)
  const unknown = asked.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}. Parts: ${names.join(', ')}`)
  const processor = `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'})`
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  console.log(
    `${new Date().toISOString()}, ${processor}, ${memory}, Linux ${kernel()}, Node ${process.version}`,
  )
  const rows: Row[] = []
  for (const [name, part] of Object.entries(parts)) {
    if (asked.length > 0 && !asked.includes(name)) continue
    console.error(`measuring: ${name}`)
    const folder = await mkdtemp(join(tmpdir(), 'kitseal-bench-'))
    try {
      rows.push(...(await part(folder)))
    } catch (error) {
      // What the other parts measured is shown.
      console.error(error)
      rows.push({ what: name, ours: 'failed' })
      process.exitCode = 1
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  printTable(rows)
  if (rows.some((row) => !holds(row))) process.exitCode = 1
}

const holds = ({ ratio = 1, least = 0, most = Infinity }: Row): boolean => ratio >= least && ratio <= most

function printTable(rows: readonly Row[]): void {
  const head = ['what', 'ours', 'peer', 'theirs', 'ratio', 'goal', '']
  const cells = rows.map((row) => [
    row.what,
    row.ours,
    row.peer ?? '',
    row.theirs ?? '',
    row.ratio === undefined ? '' : row.ratio.toFixed(2),
    row.least !== undefined ? `≥ ${row.least}` : row.most !== undefined ? `≤ ${row.most}` : '',
    holds(row) ? '' : 'MISSED',
  ])
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  console.log([line(head), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n'))
}

/** Ours against a peer, in seconds: the fastest of rounds that alternate, because other load can only add time. */
export async function compared(order: {
  readonly what: string
  readonly peer: string
  readonly ours: () => Promise<number>
  readonly theirs: () => Promise<number>
  readonly rounds: number
  /** Theirs divided by ours, where more is better. */
  readonly least?: number
  /** Ours divided by theirs, where less is better. */
  readonly most?: number
}): Promise<Row> {
  const [ours, theirs] = [[] as number[], [] as number[]]
  for (let round = 0; round < order.rounds; round++) {
    theirs.push(await order.theirs())
    ours.push(await order.ours())
  }
  const [us, them] = [Math.min(...ours), Math.min(...theirs)]
  const { what, peer, least, most } = order
  const ratio = least === undefined ? us / them : them / us
  return { what, peer, ours: seconds(us), theirs: seconds(them), ratio, ...goal(least, most) }
}

export const goal = (least?: number, most?: number): Pick<Row, 'least' | 'most'> => ({
  ...(least === undefined ? {} : { least }),
  ...(most === undefined ? {} : { most }),
})

export const seconds = (value: number): string => (value < 1 ? ms(value * 1000) : `${value.toFixed(2)} s`)
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Runs a program; returns the seconds from start to exit. */
export async function run(command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const started = performance.now()
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${command.join(' ')} exited with ${code}`)
  return (performance.now() - started) / 1000
}

export const shell = (script: string, ...args: readonly string[]): Promise<number> =>
  run(['sh', '-ec', script, 'sh', ...args])

export interface Started extends AsyncDisposable {
  readonly base: string
  readonly pid: number
  /** Processor time of the process and its threads. */
  processorMs(): number
  /** Of it and its child processes. */
  residentMb(): number
  /** What it wrote to disks, in whole blocks. */
  writtenBytes(): number
}

/** Starts a program that prints its address. */
export async function start(command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Started> {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = child.pid ?? 0
  return {
    base: await addressOf(child),
    pid,
    processorMs: () => processorMs(pid),
    residentMb: () => residentMb(pid),
    writtenBytes: () => Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      said += String(chunk)
      const address = /address +(http:\S+)/.exec(said)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.on('exit', () => reject(new Error(`did not start: ${said}`)))
  })
}

function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ', 2)[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function residentMb(pid: number): number {
  try {
    const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return children.reduce((sum, child) => sum + residentMb(Number(child)), own)
  } catch {
    return 0
  }
}

export type Settings = Readonly<Record<string, string>>

/** The service as in production, on a free port and without rate limits; of another checkout, if one is given. */
export function startService(settings: Settings, release = ROOT): Promise<Started> {
  return start([process.execPath, join(release, 'cli/bin/kitseal.cjs'), 'serve'], {
    KITSEAL_PORT: '0',
    KITSEAL_RATE_LIMIT: 'off',
    // An older release may have no setting for it.
    ...(release === ROOT ? { KITSEAL_METRICS_LISTEN: '127.0.0.1:0' } : {}),
    KITSEAL_LOG_LEVEL: 'error',
    ...settings,
  })
}

/** `kitseal admin … --json` on the data of a service. */
export function admin(settings: Settings, args: readonly string[], release = ROOT): Record<string, unknown> {
  const command = [join(release, 'cli/bin/kitseal.cjs'), 'admin', ...args, '--json']
  const env = { ...process.env, ...settings }
  return JSON.parse(execFileSync(process.execPath, command, { env, encoding: 'utf8' })) as Record<
    string,
    unknown
  >
}

export interface Client {
  readonly key: string
  readonly workspaceId: string
  get(path: string): Promise<Record<string, unknown>>
  post(path: string, body: object): Promise<Record<string, unknown>>
  /** A small submission; resolves to what it is in the end. */
  submit(number: number, pollMs: number): Promise<Record<string, unknown>>
}

/** A client of a new workspace. */
export function newClient(base: string, settings: Settings, release = ROOT): Client {
  const made = admin(settings, ['workspace', 'create', '--name', 'bench', '--credits', '10000000'], release)
  return clientOf(base, String(made['api_key']), String(made['workspace_id']))
}

export function clientOf(base: string, key: string, workspaceId = ''): Client {
  const headers = { 'x-api-key': key }
  const get = (path: string) => ask(base + path, 'GET', headers)
  const post = (path: string, body: object) =>
    ask(base + path, 'POST', { ...headers, 'content-type': 'application/json' }, JSON.stringify(body))
  return {
    key,
    workspaceId,
    get,
    post,
    submit: async (number, pollMs) => {
      const route = `/v1/submissions/${String((await post('/v1/submissions', { label: 'bench' }))['submission_id'])}`
      const { type, body } = smallForm(number)
      await ask(`${base}${route}/evidence`, 'POST', { ...headers, 'content-type': type }, body)
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, pollMs))
        const record = await get(route)
        if (record['status'] === 'PASS') return record
        if (record['status'] === 'FAIL') throw new Error(JSON.stringify(record))
      }
    },
  }
}

const FILE_BYTES = 5000
const BOUNDARY = 'kitseal-bench'

/** Two files, 10 kB, that no other submission has. */
export function smallForm(number: number): { readonly type: string; readonly body: Buffer } {
  const parts = ['access.csv', 'review.txt'].map(
    (name) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${`${name} ${number}\n`.padEnd(FILE_BYTES, 'ann,admin,2026-03-04\n')}\r\n`,
  )
  const body = Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`)
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, body }
}

const agent = new Agent({ keepAlive: true })

/** node:http, because fetch() takes longer than the service. */
function ask(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array = '',
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    const sent = request(url, { agent, method, headers: { ...headers, 'content-length': length } })
    sent.on('error', reject)
    sent.on('response', (response) => {
      json(response).then((answer) => {
        if ((response.statusCode ?? 0) < 300) resolve(answer as Record<string, unknown>)
        else reject(new Error(`${url}: ${response.statusCode} ${JSON.stringify(answer)}`))
      }, reject)
    })
    sent.end(body)
  })
}

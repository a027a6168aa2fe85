import { Agent, request } from 'node:http'
import { readFileSync } from 'node:fs'

/** Response times of the other customer, in milliseconds. */
export interface Latency {
  readonly requests: number
  readonly median: number
  readonly p95: number
  readonly refused: number
}

const EVERY_MS = 15

/** Sends one request after the other until told to stop. */
export async function probe(
  base: string,
  paths: readonly string[],
  headers: Readonly<Record<string, string>>,
  isOver: () => boolean,
): Promise<Latency> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  let refused = 0
  for (let turn = 0; !isOver(); turn++) {
    const started = performance.now()
    const status = await ask(`${base}${paths[turn % paths.length]}`, headers, agent)
    times.push(performance.now() - started)
    if (status !== 200) refused++
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
  agent.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
  return { requests: times.length, median: at(0.5), p95: at(0.95), refused }
}

function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request(url, { agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode))
      answer.on('error', () => resolve(undefined))
    })
    sent.on('error', () => resolve(undefined))
    sent.end()
  })
}

/** Resident memory of a process, in MiB. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

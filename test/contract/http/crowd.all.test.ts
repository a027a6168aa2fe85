import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { serviceProcess } from '../../kit/service-process.ts'

const SLOW_BODIES = 1100
const SLOW_KITS = 40
const ROUNDS = 400
/** Below this, differences are those of the machine. */
const FLOOR_MS = 25

test('an address that opens 1,100 slow requests does not slow down the others', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-crowd-'))
  const service = await serviceProcess({ KITSEAL_DATA: folder })
  const crowd = new Set<Socket>()
  try {
    await measure(service.base)
    const alone = await measure(service.base)
    attack(service.base, crowd)
    await pause(500)
    const beside = await measure(service.base)
    console.log(
      `p99 alone ${alone.toFixed(1)} ms, beside ${crowd.size} slow connections ${beside.toFixed(1)} ms`,
    )
    assert.ok(crowd.size > 0)
    assert.ok(beside <= 2 * Math.max(alone, FLOOR_MS), `${beside} ms instead of ${alone} ms`)
  } finally {
    const open = [...crowd]
    // Nothing is opened again.
    crowd.clear()
    for (const socket of open) socket.removeAllListeners('close').destroy()
    await service.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
})

/** p99 of requests of another address, each of which must succeed. */
async function measure(base: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now()
    const [url, method] = round % 2 === 0 ? ['/.well-known/jwks.json', 'GET'] : ['/v1/verify/receipt', 'POST']
    const status = await send(base + url, method, agent)
    assert.equal(status, 200)
    times.push(performance.now() - start)
  }
  agent.destroy()
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS * 0.99)] ?? 0
}

function send(url: string, method: string, agent: Agent): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers, localAddress: '127.0.0.1' }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    sent.once('error', reject).end(method === 'POST' ? '{}' : undefined)
  })
}

/** From another address: requests that send one byte of their body. One that is closed is opened again. */
function attack(base: string, crowd: Set<Socket>): void {
  const { hostname: host, port } = new URL(base)
  const open = (head: string): void => {
    const socket = connect({ host, port: Number(port), localAddress: '127.0.0.2' })
    crowd.add(socket)
    socket
      .on('error', () => {})
      .on('close', () => {
        crowd.delete(socket)
        setTimeout(() => crowd.size > 0 && open(head), 1000)
      })
      .write(head)
  }
  for (let at = 0; at < SLOW_BODIES; at += 1) open(headOf('/v1/intake/jobs', 'application/json', 90))
  for (let at = 0; at < SLOW_KITS; at += 1) open(headOf('/v1/verify/kit', 'application/zip', 1_000_000))
}

const headOf = (url: string, type: string, length: number): string =>
  `POST ${url} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n{`

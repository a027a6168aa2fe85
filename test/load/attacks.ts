import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { makeApiKey } from '../../server/src/access/api-key.ts'

/** What an attacker knows. */
export interface Target {
  readonly base: string
  readonly key: string
  /** Drafts, open for upload. */
  readonly submissionIds: readonly string[]
  readonly kitPath: string
}

/** Runs until told to stop, and counts responses by status. */
export type Attack = (target: Target, isOver: () => boolean, count: (what: string) => void) => Promise<void>

/** Each attack exhausts one resource. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  'a thousand idle connections': async (target, isOver, count) => {
    const sockets = await openSockets(target, 1000, () => '')
    for (const _ of sockets) count('connections')
    await until(isOver)
    for (const socket of sockets) socket.destroy()
  },
  'a hundred uploads byte by byte': async (target, isOver, count) => {
    const head = (index: number): string =>
      [
        `POST /v1/submissions/${target.submissionIds[index]}/evidence HTTP/1.1`,
        'host: localhost',
        `x-api-key: ${target.key}`,
        'content-type: multipart/form-data; boundary=x',
        'content-length: 100000',
        '',
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n',
      ].join('\r\n')
    await drip(await openSockets(target, target.submissionIds.length, head), isOver, count)
  },
  'two hundred headers byte by byte': async (target, isOver, count) => {
    await drip(
      await openSockets(target, 200, () => 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-a: '),
      isOver,
      count,
    )
  },
  'a hundred downloads read byte by byte': async (target, isOver, count) => {
    const ask = `GET ${target.kitPath} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${target.key}\r\n\r\n`
    const sockets = await openSockets(target, 100, () => ask)
    for (const socket of sockets) {
      socket.pause()
      count('downloads started')
    }
    while (!isOver()) {
      for (const socket of sockets) socket.read(1)
      await wait(100)
    }
    for (const socket of sockets) socket.destroy()
  },
  'a flood of jobs from one address': (target, isOver, count) =>
    flood(target, isOver, count, 32, () => ({
      path: '/v1/intake/jobs',
      headers: { 'content-type': 'application/json' },
      body: '{"tenant_id":"flood","scope_label":"flood"}',
    })),
  'a flood of requests with one key': (target, isOver, count) =>
    flood(target, isOver, count, 32, () => ({
      path: '/v1/submissions',
      headers: { 'x-api-key': target.key },
    })),
  'a flood of keys that do not exist': (target, isOver, count) =>
    flood(target, isOver, count, 32, () => ({
      path: '/v1/submissions',
      // Well-formed with valid check characters: only the database knows that the key does not exist.
      headers: { 'x-api-key': makeApiKey().text },
    })),
  'headers of a megabyte': (target, isOver, count) =>
    flood(target, isOver, count, 8, () => ({
      path: '/healthz',
      headers: { 'x-large': 'a'.repeat(1024 * 1024) },
    })),
  'forms of ten thousand parts': (target, isOver, count) => {
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\na\r\n'
    const body = `${part.repeat(10_000)}--x--`
    return flood(target, isOver, count, 4, (client) => ({
      path: `/v1/submissions/${target.submissionIds[client]}/evidence`,
      headers: { 'x-api-key': target.key, 'content-type': 'multipart/form-data; boundary=x' },
      body,
    }))
  },
}

interface Sent {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

async function flood(
  { base }: Target,
  isOver: () => boolean,
  count: (what: string) => void,
  lanes: number,
  make: (client: number) => Sent,
): Promise<void> {
  const run = async (client: number): Promise<void> => {
    while (!isOver()) count(await send(base, make(client)))
  }
  await Promise.all(Array.from({ length: lanes }, (_, client) => run(client)))
}

function send(base: string, { path, headers, body }: Sent): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(base + path, { method: body === undefined ? 'GET' : 'POST', headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(String(answer.statusCode)))
      answer.on('error', () => resolve('cut'))
    })
    sent.on('error', () => resolve('cut'))
    sent.end(body)
  })
}

async function openSockets(
  { base }: Target,
  number: number,
  first: (index: number) => string,
): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(base)
  const sockets: Socket[] = []
  for (let index = 0; index < number; index++) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write(first(index))
    sockets.push(socket)
    if (index % 100 === 99) await wait(20)
  }
  return sockets
}

async function drip(
  sockets: readonly Socket[],
  isOver: () => boolean,
  count: (what: string) => void,
): Promise<void> {
  for (const socket of sockets) {
    socket.on('data', (data: Buffer) => count(data.toString('latin1', 9, 12)))
    count('connections')
  }
  while (!isOver()) {
    for (const socket of sockets) if (!socket.destroyed) socket.write('a')
    await wait(100)
  }
  for (const socket of sockets) socket.destroy()
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await wait(50)
}

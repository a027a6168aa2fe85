import assert from 'node:assert/strict'
import type { lookup } from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { allowedAddresses } from './outgoing.ts'
import { postWebhooks } from './post-webhook.ts'

let answer: RequestListener
let port: number
let asked = 0
const server = createServer((request, response) => {
  asked += 1
  request.resume()
  answer(request, response)
})
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
})
after(() => {
  server.closeAllConnections()
  server.close()
})

const local = allowedAddresses(['127.0.0.1'])
const post = postWebhooks({ allowed: local, timeoutMs: 10_000 })
/** For receivers that do not answer. */
const postSoon = postWebhooks({ allowed: local, timeoutMs: 200 })
const url = (host = '127.0.0.1') => `http://${host}:${port}/hook`
const send = (to = url(), by = post) => by(to, { 'content-type': 'application/json' }, '{}')

test('any 2xx is delivered, everything else is not', async () => {
  for (const status of [200, 202, 204, 299]) {
    answer = (_request, response) => response.writeHead(status).end()
    assert.deepEqual(await send(), { status, problem: null })
  }
  for (const status of [400, 401, 404, 410, 429, 500, 503]) {
    answer = (_request, response) => response.writeHead(status).end('no')
    assert.deepEqual(await send(), { status, problem: `the receiver returned ${status}` })
  }
})

test('redirects are not followed', async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    asked = 0
    answer = (_request, response) => response.writeHead(status, { location: url() }).end()
    assert.match((await send()).problem ?? '', /a redirect/)
    assert.equal(asked, 1)
  }
})

test('a receiver that hangs, drips or closes does not hold the service', async () => {
  answer = () => {}
  assert.deepEqual(await send(url(), postSoon), {
    status: null,
    problem: 'the receiver did not answer in time',
  })
  answer = (_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 20)
    response.once('close', () => clearInterval(timer))
  }
  assert.equal((await send(url(), postSoon)).status, 200)
  answer = (request) => request.socket.destroy()
  assert.match((await send(url(), postSoon)).problem ?? '', /cannot be reached/)
})

test('a large answer is not read', async () => {
  let written = 0
  answer = (_request, response) => {
    response.writeHead(500)
    const fill = (): void => {
      while (!response.destroyed && written < 1e9 && response.write(Buffer.alloc(65_536))) written += 65_536
    }
    response.on('drain', fill)
    fill()
  }
  assert.equal((await send()).status, 500)
  assert.ok(written < 1e8)
})

test('private addresses are refused before a byte is sent', async () => {
  asked = 0
  const strict = postWebhooks({ allowed: allowedAddresses([]), timeoutMs: 2000 })
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
  ])
    assert.match((await send(url(host), strict)).problem ?? '', /a public address|https/, host)
  assert.equal(asked, 0)
})

test('a name that resolves to a private address the second time is refused', async () => {
  asked = 0
  const answers = [['203.0.113.9'], ['127.0.0.1'], ['::ffff:127.0.0.1'], ['127.0.0.1', '10.0.0.1']]
  let lookups = 0
  const resolve = ((_name: string, _options: object, done: (...args: unknown[]) => void) => {
    const addresses = answers[lookups % answers.length] ?? []
    lookups += 1
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }) as unknown as typeof lookup
  const strict = postWebhooks({ allowed: allowedAddresses([]), timeoutMs: 2000, resolve })
  for (const _ of answers)
    assert.equal(
      (await send(`https://rebind.example:${port}/`, strict)).problem,
      'the receiver cannot be reached: its name does not lead to a public address',
    )
  assert.deepEqual([lookups, asked], [answers.length, 0])
  const loose = postWebhooks({ allowed: local, timeoutMs: 2000, resolve })
  answer = (_request, response) => response.writeHead(200).end()
  lookups = 3
  assert.equal((await send(url('rebind.example'), loose)).status, 200)
})

test('the address that a name has inside the network is not repeated, also if nothing listens there', async () => {
  const resolve = ((_name: string, _options: object, done: (...args: unknown[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }])) as unknown as typeof lookup
  const loose = postWebhooks({ allowed: local, timeoutMs: 2000, resolve })
  const { problem } = await send('http://internal.example:1/', loose)
  assert.equal(problem, 'the receiver cannot be reached: ECONNREFUSED')
})

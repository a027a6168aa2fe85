import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ApiError, createClient, NetworkError } from './index.ts'

/** What a client makes of a server that is no kitseal, and how often it asked. */
async function asked(answer: (response: ServerResponse) => unknown) {
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'ks_secret' })
    const error = await client.listSubmissions().catch((thrown: unknown) => thrown)
    assert.ok(error instanceof ApiError || error instanceof NetworkError, String(error))
    return { message: error.message, requests }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const json = (text: string) => (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)

test('JSON of another service is not taken for an answer', async () => {
  for (const text of ['{"status":"UP"}', '[]', 'null', '7', '{"boundary":1}'])
    assert.deepEqual(await asked(json(text)), {
      message: 'The answer was 200, and is none of a kitseal service: is this its address?',
      requests: 1,
    })
})

test('a redirect is followed by nobody, not asked for again, and said where it leads', async () => {
  const place = { location: 'https://kitseal.example/v1/submissions' }
  for (const [headers, where] of [
    [place, 'to https://kitseal.example'],
    [{ location: '/login' }, 'elsewhere'],
    [{}, 'elsewhere'],
  ] as const) {
    const { message, requests } = await asked((response) => response.writeHead(301, headers).end())
    const said = `this address redirects ${where}: use the one that it leads to`
    assert.deepEqual([message.replace(/^GET http:\S+: /, ''), requests], [said, 1])
  }
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ApiError, createClient, NetworkError } from './index.ts'

/** The error of a client that calls a server other than kitseal, and the number of requests it sent. */
async function callOtherServer(respond: (response: ServerResponse) => unknown) {
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    respond(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'ks_secret' })
    const error = await client.listSubmissions().catch((thrown: unknown) => thrown)
    assert.ok(error instanceof ApiError || error instanceof NetworkError, String(error))
    return { message: error.message.replaceAll(`http://127.0.0.1:${port}`, 'http://host'), requests }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const json = (text: string) => (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)

test('a response that is not from kitseal is an error that asks to check the URL', async () => {
  for (const text of ['{"status":"UP"}', '[]', 'null', '7', '{"boundary":1}'])
    assert.deepEqual(await callOtherServer(json(text)), {
      message:
        'http://host/v1/submissions returned an unexpected response. Is this a kitseal service? Check the URL.',
      requests: 1,
    })
  assert.deepEqual(await callOtherServer((response) => response.writeHead(404).end('<h1>Not found</h1>')), {
    message: 'http://host/v1/submissions returned 404. Is this a kitseal service? Check the URL.',
    requests: 1,
  })
})

test('a redirect is neither followed nor retried, and the error names its target', async () => {
  for (const [headers, reason] of [
    [
      { location: 'https://kitseal.example/v1/submissions' },
      'redirects to https://kitseal.example. Use that URL instead.',
    ],
    [{ location: '/login' }, 'redirects. Check the URL.'],
    [{}, 'redirects. Check the URL.'],
  ] as const) {
    const { message, requests } = await callOtherServer((response) => response.writeHead(301, headers).end())
    assert.deepEqual([message, requests], [`GET http://host/v1/submissions: ${reason}`, 1])
  }
})

test('a valid traceparent is sent with every request, and an invalid one is not', async () => {
  const sent: (string | null)[] = []
  const fetch = async (_url: string, init?: RequestInit): Promise<Response> => {
    sent.push(new Headers(init?.headers).get('traceparent'))
    return Response.json({ keys: [] })
  }
  const valid = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  for (const traceparent of [
    valid,
    undefined,
    '',
    valid.toUpperCase(),
    `${valid}\r\nx: y`,
    `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
  ])
    await createClient({ baseUrl: 'http://host', fetch, traceparent }).getKeys()
  assert.deepEqual(sent, [valid, null, null, null, null, null])
})

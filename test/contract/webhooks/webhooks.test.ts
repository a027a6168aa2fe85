import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { member } from '../../kit/console.ts'
import { smtpReceiver, type SmtpReceiver } from '../../kit/mail.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { until } from '../../kit/until.ts'
import { type ReceivedWebhook, webhookReceiver } from '../../kit/webhook-receiver.ts'
import { administer, clientOf, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

let now = Date.now()
let service: TestService
let mails: SmtpReceiver
before(async () => {
  mails = await smtpReceiver()
  const settings = {
    KITSEAL_WEBHOOK_ALLOW: '127.0.0.1',
    KITSEAL_SMTP_URL: mails.url,
    KITSEAL_MAIL_FROM: 'kits@issuer.example',
  }
  service = await testService(settings, { now: () => now })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await mails[Symbol.asyncDispose]()
})

/** A workspace with a key that may do everything. */
async function admin(): Promise<WorkspaceClient> {
  const { workspaceId } = await workspaceClient(service)
  const key = await administer(service, ({ keys }) =>
    keys.create(
      workspaceId as never,
      { label: 'all', scopes: ['submit', 'read', 'requests', 'shares', 'admin'] },
      { is: 'operator' },
    ),
  )
  return clientOf(service, workspaceId, key.text)
}

const send = (client: WorkspaceClient, method: string, path: string, body?: object) =>
  service.call(path, {
    method,
    headers: {
      'x-api-key': client.key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

async function create(client: WorkspaceClient, url: string, more: object = {}) {
  const { status, json } = await client.post('/v1/webhooks', { url, ...more })
  assert.equal(status, 201, JSON.stringify(json))
  return { id: String(json['webhook_id']), secret: String(json['secret']) }
}

const verifies = (secret: string, { headers, body }: ReceivedWebhook): boolean => {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

const traceIdOf = ({ headers }: ReceivedWebhook): string => {
  const [, traceId] = /^00-([\da-f]{32})-[\da-f]{16}-01$/.exec(headers['traceparent'] ?? '') ?? []
  assert.ok(traceId !== undefined, headers['traceparent'])
  return traceId
}

test('events arrive in order, once, with both signatures of Standard Webhooks', async () => {
  const acme = await admin()
  await using receiver = await webhookReceiver()
  const { id, secret } = await create(acme, receiver.url)
  for (let count = 0; count < 5; count += 1) await acme.submission()
  await until(() => receiver.received.length === 5)
  const seqs = receiver.received.map(({ seq }) => seq)
  assert.deepEqual(
    seqs,
    seqs.map((_, index) => (seqs[0] ?? 0) + index),
  )
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 5)
  assert.equal(new Set(receiver.received.map(traceIdOf)).size, 5)
  const [first] = receiver.received
  assert.ok(first !== undefined)
  assert.equal(first.type, 'submission.created')
  assert.ok(verifies(secret, first))
  assert.ok(!verifies(secret, { ...first, body: `${first.body} ` }))
  assert.ok(!verifies(`whsec_${Buffer.alloc(32).toString('base64')}`, first))
  const { keys } = (await service.call('/.well-known/webhook-keys.json')).json as { keys: object[] }
  const publicKey = createPublicKey({ key: keys[0] as never, format: 'jwk' })
  const [, signature = ''] = /(?:^| )v1a,(\S+)/.exec(first.headers['webhook-signature'] ?? '') ?? []
  const signed = `${first.headers['webhook-id']}.${first.headers['webhook-timestamp']}.${first.body}`
  assert.ok(verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64')))
  assert.ok(!verify(null, Buffer.from(`${signed} `), publicKey, Buffer.from(signature, 'base64')))

  const { data: attempts } = (await acme.get(`/v1/webhooks/${id}/attempts?limit=3`)).json as {
    data: object[]
  }
  assert.equal(attempts.length, 3)
  assert.ok(!('secret' in (await acme.get(`/v1/webhooks/${id}`)).json))

  const count = receiver.received.length
  assert.equal((await send(acme, 'POST', `/v1/webhooks/${id}/replay`, { after: seqs[1] })).status, 200)
  await until(() => receiver.received.length >= count + 4)
  const again = receiver.received.slice(count)
  assert.deepEqual(
    again.map(({ seq }) => seq),
    again.map((_, index) => (seqs[2] ?? 0) + index),
  )
  const [repeated, original] = [again[0], receiver.received[2]]
  assert.ok(repeated !== undefined && original !== undefined)
  assert.equal(repeated.headers['webhook-id'], original.headers['webhook-id'])
  assert.equal(traceIdOf(repeated), traceIdOf(original))
  assert.notEqual(repeated.headers['traceparent'], original.headers['traceparent'])
  assert.equal((await send(acme, 'POST', `/v1/webhooks/${id}/replay`, { after: 1e6 })).status, 400)
})

test('one receiver that hangs delays no other', async () => {
  const acme = await admin()
  await using hanging = await webhookReceiver()
  await using good = await webhookReceiver()
  hanging.answer = () => 'hang'
  await create(acme, hanging.url)
  const { id } = await create(acme, good.url)
  await acme.submission()
  await until(() => good.received.length >= 1)
  assert.equal(hanging.received.length, 0)
  assert.equal((await send(acme, 'DELETE', `/v1/webhooks/${id}`)).status, 204)
  assert.equal((await acme.get(`/v1/webhooks/${id}`)).status, 404)
})

test('after a rotation both secrets verify, until the grace period ends', async () => {
  const acme = await admin()
  await using receiver = await webhookReceiver()
  const { id, secret } = await create(acme, receiver.url, { types: ['key.revoked'] })
  const rotated = await send(acme, 'POST', `/v1/webhooks/${id}/rotate`, { grace_hours: 1 })
  const next = String(rotated.json['secret'])
  assert.notEqual(next, secret)
  const ping = async () => {
    const { json } = await send(acme, 'POST', `/v1/webhooks/${id}/ping`)
    assert.deepEqual([json['type'], json['status'], json['problem']], ['webhook.ping', 204, null])
    const last = receiver.received.at(-1)
    assert.ok(last !== undefined)
    return last
  }
  const both = await ping()
  assert.deepEqual([verifies(secret, both), verifies(next, both)], [true, true])
  const start = now
  now += 3_600_000
  const signature = (await ping()).headers['webhook-signature']?.split(' ') ?? []
  assert.deepEqual(
    signature.map((each) => each.split(',')[0]),
    ['v1', 'v1a'],
  )
  now = start
})

test('a webhook belongs to its workspace, its URL is checked, and private addresses are refused', async () => {
  const acme = await admin()
  const other = await admin()
  const refused = await acme.post('/v1/webhooks', { url: 'http://10.0.0.1/hook' })
  assert.equal(refused.status, 400)
  assert.match(
    String(refused.json['message']),
    /^url can never be reached: 10\.0\.0\.1 is not a public address\. .*KITSEAL_WEBHOOK_ALLOW/,
  )
  const { id } = await create(acme, 'https://hooks.example/hook')
  const moved = await send(acme, 'PATCH', `/v1/webhooks/${id}`, { url: 'https://[::1]/' })
  assert.deepEqual([moved.status, moved.json['code']], [400, 'body_invalid'])
  for (const description of ['a\u001b[2J', 'a\u202eb', 'a\nb', 'a\u0000']) {
    const wrong = await acme.post('/v1/webhooks', { url: 'https://a.example', description })
    assert.deepEqual([wrong.status, wrong.json['code']], [400, 'body_invalid'], JSON.stringify(description))
    assert.equal((await send(acme, 'PATCH', `/v1/webhooks/${id}`, { description })).status, 400)
  }
  for (const [method, path, body] of [
    ['GET', ''],
    ['PATCH', '', {}],
    ['DELETE', ''],
    ['POST', '/rotate', {}],
    ['POST', '/replay', { after: 0 }],
    ['POST', '/ping'],
    ['GET', '/attempts'],
  ] as const)
    assert.equal((await send(other, method, `/v1/webhooks/${id}${path}`, body)).status, 404, method + path)
  for (const body of [
    { url: 'ftp://example.com' },
    { url: 'https://user:secret@example.com' },
    { url: 'nothing' },
    { url: 'https://example.com', types: ['no.such'] },
    { url: 'https://example.com', types: [] },
    {},
  ])
    assert.equal((await acme.post('/v1/webhooks', body)).status, 400, JSON.stringify(body))
  for (let count = 1; count < 10; count += 1)
    await create(acme, 'https://example.com/hook', { types: ['key.revoked'] })
  const eleventh = await acme.post('/v1/webhooks', { url: 'https://example.com/hook' })
  assert.deepEqual([eleventh.status, eleventh.json['code']], [409, 'webhook_limit'])
})

test('a failed event is sent again before the next one, and after three days the webhook is disabled with a mail', async () => {
  const acme = await admin()
  await member(service, 'owner', acme.workspaceId, 'boss@acme.example')
  await using receiver = await webhookReceiver()
  receiver.answer = () => 500
  const { id } = await create(acme, receiver.url, { types: ['submission.created'] })
  const state = async () => (await acme.get(`/v1/webhooks/${id}`)).json
  await acme.submission()
  await acme.submission()
  await until(async () => (await state())['failing_since'] !== null)
  receiver.answer = () => 204
  now += 60_000
  await until(() => receiver.received.length === 2)
  const [first, second] = receiver.received
  assert.ok((first?.seq ?? 0) < (second?.seq ?? 0))

  receiver.answer = () => 500
  await acme.submission()
  await until(async () => (await state())['failing_since'] !== null)
  now += 71 * 3_600_000
  const failed = String((await state())['next_attempt_at'])
  await until(async () => (await state())['next_attempt_at'] !== failed)
  assert.equal((await state())['enabled'], true)
  now += 9 * 3_600_000
  await until(async () => (await state())['enabled'] === false)
  assert.match(String((await state())['disabled_reason']), /three days: the receiver returned 500/)
  await until(() => about().length === 1)
  assert.deepEqual(about()[0]?.to, ['boss@acme.example'])
  receiver.answer = () => 204
  assert.equal((await send(acme, 'PATCH', `/v1/webhooks/${id}`, { enabled: true })).status, 200)
  await until(() => receiver.received.length === 3)
})

const about = () =>
  mails.received.filter(({ headers }) => headers.get('subject')?.startsWith('Webhook disabled'))

test('an event that fails now and then is retried at once, in order, and nothing waits for the queue', async () => {
  const acme = await admin()
  await using receiver = await webhookReceiver()
  const { id } = await create(acme, receiver.url)
  let count = 0
  receiver.answer = () => (++count % 3 === 0 ? 500 : 204)
  for (let made = 0; made < 8; made += 1) await acme.submission()
  await until(() => receiver.received.length === 8)
  const numbers = receiver.received.map(({ seq }) => seq)
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].toSorted((a, b) => a - b),
  )
  const attempts = (await acme.get(`/v1/webhooks/${id}/attempts`)).json['data'] as readonly object[]
  assert.equal(attempts.length, count, 'each attempt is listed')
})

test('a receiver that fails most of the time is left alone after five attempts, until the queue retries', async () => {
  const acme = await admin()
  await using receiver = await webhookReceiver()
  const { id } = await create(acme, receiver.url)
  let count = 0
  receiver.answer = () => {
    count += 1
    return 500
  }
  await acme.submission()
  const waits = async (): Promise<number> => {
    const { json } = await acme.get(`/v1/webhooks/${id}`)
    return Date.parse(String(json['next_attempt_at'])) - now
  }
  await until(async () => (await waits()) > 0)
  assert.deepEqual([count, await waits()], [5, 5000])
  now += 5000
  await until(async () => (await waits()) > 5000)
  assert.deepEqual([count, await waits()], [6, 30_000])
  now += 20_000
  const oldest = /^kitseal_deliveries_oldest_seconds\{channel="webhook"\} (\S+)$/m.exec(
    await service.metrics(),
  )
  assert.ok(Number(oldest?.[1]) >= 25, 'by the time of the event, not of the next attempt')
})

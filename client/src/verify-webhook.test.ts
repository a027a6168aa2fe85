import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, WebhookError } from './index.ts'

const SECRET = `whsec_${Buffer.from('a secret of 32 bytes, for a test').toString('base64')}`
const OTHER = `whsec_${Buffer.from('another secret of a webhook here').toString('base64')}`
const EVENT = { seq: 1, type: 'submission.passed', subject: 'sub_1', data: { kit_id: 'kit_1' } }
const BODY = JSON.stringify(EVENT)
const SENT = Date.parse('2026-03-04T05:06:07Z')

/** As a foreign implementation of Standard Webhooks signs it. */
function headersOf(body: string, secret = SECRET): Record<string, string> {
  const signature = new Webhook(secret).sign('msg_1', new Date(SENT), body)
  const seconds = String(SENT / 1000)
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': seconds, 'webhook-signature': signature }
}
const verify = (body: string | Uint8Array, headers: Parameters<typeof verifyWebhook>[1], now = SENT) =>
  verifyWebhook(body, headers, SECRET, { now: () => now })

test('a signed message is returned as an event of its type', async () => {
  const event = await verify(BODY, headersOf(BODY))
  assert.ok(event.type === 'submission.passed')
  assert.equal(event.data.kit_id, 'kit_1')
  assert.deepEqual(await verify(Buffer.from(BODY), new Headers(headersOf(BODY))), EVENT)
})

test('during a rotation one of several signatures is enough', async () => {
  const headers = headersOf(BODY)
  const both = `${headersOf(BODY, OTHER)['webhook-signature']} v1a,AAAA ${headers['webhook-signature']}`
  await verify(BODY, { ...headers, 'webhook-signature': both })
})

test('a changed body, another secret, an old message and missing headers are refused', async () => {
  const headers = headersOf(BODY)
  await assert.rejects(verify(`${BODY} `, headers), /the signature is wrong/)
  await assert.rejects(verify(BODY, headersOf(BODY, OTHER)), WebhookError)
  await assert.rejects(verify(BODY, { ...headers, 'webhook-id': 'msg_2' }), /the signature is wrong/)
  await assert.rejects(verify(BODY, headers, SENT + 301_000), /not from now/)
  await assert.rejects(verify(BODY, headers, SENT - 301_000), /not from now/)
  for (const name of Object.keys(headers))
    await assert.rejects(verify(BODY, { ...headers, [name]: undefined }), {
      message: `the header ${name} is missing`,
    })
  const unsigned = headers['webhook-signature']?.replace('v1,', 'v2,')
  await assert.rejects(verify(BODY, { ...headers, 'webhook-signature': unsigned }), /the signature is wrong/)
})

test('a signed body that is not an event is refused, and a secret that is none is a mistake of the caller', async () => {
  for (const body of ['[]', 'null', '{"type":1}', '{'])
    await assert.rejects(verify(body, headersOf(body)), /the body is not an event/)
  for (const secret of ['', 'whsec_', 'whsec_AAAA', SECRET.slice(6)])
    await assert.rejects(verifyWebhook(BODY, headersOf(BODY), secret), TypeError)
})

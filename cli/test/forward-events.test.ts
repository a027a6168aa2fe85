import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { webhookHeaders } from '../../server/src/deliveries/post-webhook.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { webhookReceiver } from '../../test/kit/webhook-receiver.ts'
import { type WorkspaceClient, workspaceClient } from '../../test/kit/workspace.ts'
import { signedHeaders } from '../src/commands/events.ts'
import { main } from '../src/main.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

let service: TestService
let acme: WorkspaceClient
before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
})
after(() => service[Symbol.asyncDispose]())

/** Listens until `count` lines are printed. */
async function listen(
  count: number,
  args: readonly string[],
  more: Record<string, string> = {},
  onStart: () => Promise<unknown> = async () => undefined,
) {
  let started: Promise<unknown> | undefined
  const lines: string[] = []
  let err = ''
  const stdout = {
    write(text: string) {
      lines.push(...text.split('\n').filter(Boolean))
      if (lines.length >= count) throw new Error('enough')
    },
  }
  const env = { KITSEAL_URL: service.base, KITSEAL_API_KEY: acme.key, ...more }
  const code = await main(['events', ...args], {
    env,
    stdout,
    stderr: {
      write(text: string) {
        err += text
        started ??= onStart()
      },
    },
  }).catch((error: unknown) => {
    if ((error as Error).message !== 'enough') throw error
    return 'listening'
  })
  await started
  return { code, lines, err }
}

test('events --forward-to sends events in order, signed as a webhook with the printed secret, and goes on after a refusal', async () => {
  await using receiver = await webhookReceiver()
  let refusals = 1
  receiver.answer = () => (refusals-- > 0 ? 500 : 204)
  await acme.submission({ label: 'one' })
  await acme.submission({ label: 'two' })
  const { lines, err } = await listen(3, ['--forward-to', receiver.url, '--after', '0'])
  assert.match(lines[0] ?? '', /^ +1 {2}\S+ {2}status 500, the response is not 2xx$/)
  assert.match(lines[1] ?? '', /^ +2 {2}\S+ {2}status 204$/)
  const webhook = new Webhook(/whsec_\S+/.exec(err)?.[0] ?? '')
  for (const { body, headers, seq } of receiver.received) {
    assert.equal((webhook.verify(body, headers) as { seq: number }).seq, seq)
    assert.throws(() => webhook.verify(`${body} `, headers))
  }
  assert.deepEqual(
    receiver.received.map(({ seq }) => seq),
    [2, 3],
  )
})

test('forwarding starts with the next event, sends only the types of --type, and uses KITSEAL_WEBHOOK_SECRET', async () => {
  await using receiver = await webhookReceiver()
  const args = ['--forward-to', receiver.url, '--type', 'submission.created', '--json']
  const { lines } = await listen(1, args, { KITSEAL_WEBHOOK_SECRET: SECRET }, () =>
    acme.submission({ label: 'three' }),
  )
  const result = JSON.parse(lines[0] ?? '') as Record<string, unknown>
  assert.deepEqual([result['type'], result['status'], result['problem']], ['submission.created', 204, null])
  const [one, ...others] = receiver.received
  assert.ok(one !== undefined && others.length === 0)
  new Webhook(SECRET).verify(one.body, one.headers)
})

test('a receiver that is not there is reported; wrong usage is refused before anything is sent', async () => {
  const gone = await webhookReceiver()
  await gone[Symbol.asyncDispose]()
  const { lines } = await listen(1, ['--forward-to', gone.url, '--after', '0'])
  assert.match(lines[0] ?? '', /^ +1 {2}\S+ {2}.*(?:ECONNREFUSED|refused)/)
  for (const args of [
    ['--forward-to', 'ftp://x/'],
    ['--forward-to', 'http://x/', '--after', 'x'],
  ])
    assert.equal((await listen(1, args)).code, 2)
  const short = { KITSEAL_WEBHOOK_SECRET: 'whsec_short' }
  assert.equal((await listen(1, ['--forward-to', 'http://x/'], short)).code, 2)
})

test('forwarding signs exactly as the service does', async () => {
  const signed = { id: 'evt_1', timestampMs: 1_800_000_000_000, body: '{"seq":1}' }
  const signer = { sign: async () => new Uint8Array(64) } as never
  const theirs = await webhookHeaders(signed, [SECRET], signer)
  const ours = signedHeaders(signed.id, signed.body, SECRET, signed.timestampMs)
  const [v1 = ''] = (theirs['webhook-signature'] ?? '').split(' ')
  assert.deepEqual(ours, { ...theirs, 'webhook-signature': v1 })
})

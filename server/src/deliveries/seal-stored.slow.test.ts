import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { smtpReceiver } from '../../../test/kit/mail.ts'
import { testService } from '../../../test/kit/service.ts'
import { until } from '../../../test/kit/until.ts'
import { webhookReceiver } from '../../../test/kit/webhook-receiver.ts'
import { clientOf } from '../../../test/kit/workspace.ts'
import { startService } from '../index.ts'
import { startRunner } from '../tasks/run-tasks.ts'
import { randomIdentifiers } from '../runtime/identifiers.ts'
import { secretsAtRest } from '../keys/secrets-at-rest.ts'
import { openStore } from '../open-store.ts'
import { mail } from './mail.ts'
import { mailServer } from './mail-server.ts'
import { sendingMail } from './send-mail.ts'
import { sendEvent, webhooks } from './webhooks.ts'

const PASSPHRASE = 'correct horse battery staple'

test('secrets of webhooks and queued links are encrypted once there is a passphrase, and work as before', async () => {
  await using mails = await smtpReceiver()
  await using receiver = await webhookReceiver()
  // The API alone: nothing is sent, so what is queued stays.
  await using service = await testService({
    KITSEAL_ROLE: 'api',
    KITSEAL_WEBHOOK_ALLOW: '127.0.0.1',
    KITSEAL_SMTP_URL: mails.url,
    KITSEAL_MAIL_FROM: 'kits@issuer.example',
  })
  const key = service.service.firstApiKey ?? ''
  const { json: webhook } = await clientOf(service, '', key).post('/v1/webhooks', { url: receiver.url })
  const [secret, id] = [String(webhook['secret']), String(webhook['webhook_id'])]
  await using store = await openStore(service.config)
  const { workspace_id } = await store.db
    .selectFrom('workspaces')
    .select('workspace_id')
    .executeTakeFirstOrThrow()
  const invitation = {
    workspace: 'Acme',
    inviter: 'Ann',
    role: 'owner',
    link: '/console/invite#TOKEN',
    expires: 'soon',
  }
  await store.mail.send(store.db, {
    to: 'bob@acme.example',
    workspaceId: workspace_id,
    template: 'invitation',
    data: invitation as never,
    dedupe: 'invite bob',
  })
  const stored = async (): Promise<string> =>
    JSON.stringify([
      await store.db.selectFrom('webhooks').select(['secret', 'previous_secret']).execute(),
      await store.db.selectFrom('mails').select('payload').execute(),
    ])
  assert.match(await stored(), /whsec_.*TOKEN/, 'without a passphrase they are as they are')

  const config = { ...service.config, role: 'all', keyPassphrase: PASSPHRASE, port: 0 } as const
  const node = await startService(config, { log: { write: () => true } })
  try {
    assert.doesNotMatch(await stored(), /whsec_|TOKEN/)
    assert.match(await stored(), /"secret":"sealed1\./)
    await until(() => mails.received.some(({ source }) => source.includes('TOKEN')))
    const call = async (path: string, body: object) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const response = await fetch(node.address + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return (await response.json()) as Record<string, unknown>
    }
    const verified = (candidate: string): boolean => {
      const { headers, body } = receiver.received.at(-1) ?? assert.fail('nothing was received')
      try {
        new Webhook(candidate).verify(body, headers)
        return true
      } catch {
        return false
      }
    }
    assert.equal((await call(`/v1/webhooks/${id}/ping`, {}))['problem'], null)
    assert.ok(verified(secret))
    const rotated = String((await call(`/v1/webhooks/${id}/rotate`, {}))['secret'])
    assert.doesNotMatch(await stored(), /whsec_/)
    assert.equal((await call(`/v1/webhooks/${id}/ping`, {}))['problem'], null)
    assert.ok(verified(rotated) && verified(secret), 'both secrets sign')
    assert.equal(verified('whsec_AAAA'), false)

    const lost = secretsAtRest('another passphrase')
    const row = await store.db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow()
    const sender = { ...store, key: store.webhookKey, post: () => assert.fail('it was sent') }
    const about = {
      workspace_id: row.workspace_id,
      actor: 'service',
      subject: row.webhook_id,
      data: {},
    } as const
    const ping = { seq: 0, type: 'webhook.ping', timestamp: row.created_at, ...about }
    const attempt = await sendEvent(sender, webhooks.decode(row, lost), ping)
    assert.equal(attempt.problem, 'The secret of the webhook cannot be decrypted. Rotate it.')
  } finally {
    await node.stop()
  }
})

test('a queued mail waits if it was encrypted with another passphrase', async () => {
  await using mails = await smtpReceiver()
  await using service = await testService({ KITSEAL_ROLE: 'api' })
  await using store = await openStore(service.config)
  const { workspace_id } = await store.db
    .selectFrom('workspaces')
    .select('workspace_id')
    .executeTakeFirstOrThrow()
  const sealing = {
    ...store,
    identifiers: randomIdentifiers(),
    isOn: true,
    secrets: secretsAtRest(PASSPHRASE),
  }
  const data = { workspace: 'Acme', title: 'Q1', result: 'accepted', advice: '', link: '/r/x' }
  const message = {
    to: 'a@b.example',
    workspaceId: workspace_id,
    template: 'result',
    data,
    dedupe: 'x',
  } as const
  assert.ok(await mail(sealing).send(store.db, message))
  const kind = sendingMail({
    ...store,
    issuer: 'https://kits.example',
    config: { from: 'kits@issuer.example' },
    send: mailServer({ server: { is: 'smtp', url: mails.url }, from: 'kits@issuer.example' }),
    secrets: secretsAtRest('other'),
    log: { warn: () => {} },
  })
  const holder = { ...store, owner: 'node', leaseMs: 1000, log: { error: assert.fail } }
  const runner = startRunner({ ...holder, kinds: [kind] })
  await runner.run()
  await runner.stop()
  const { state, problem } = await store.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual(
    [state, problem],
    ['pending', 'The mail was encrypted with another KITSEAL_KEY_PASSPHRASE.'],
  )
})

test('after a change of the passphrase, one start with both encrypts keys and secrets anew, and then the former is not needed', async () => {
  await using receiver = await webhookReceiver()
  await using service = await testService({
    KITSEAL_KEY_PASSPHRASE: 'former',
    KITSEAL_WEBHOOK_ALLOW: '127.0.0.1',
    KITSEAL_ROLE: 'api',
  })
  const key = service.service.firstApiKey ?? ''
  const { json: webhook } = await clientOf(service, '', key).post('/v1/webhooks', { url: receiver.url })
  const ping = async (base: string): Promise<unknown> => {
    const url = `${base}/v1/webhooks/${String(webhook['webhook_id'])}/ping`
    const response = await fetch(url, { method: 'POST', headers: { 'x-api-key': key } })
    return ((await response.json()) as Record<string, unknown>)['problem']
  }
  assert.equal(await ping(service.base), null)
  const log = { write: () => true }
  const changed = { ...service.config, keyPassphrase: 'changed' }
  await assert.rejects(startService(changed, { log }), /KITSEAL_KEY_PASSPHRASE is wrong/)
  const both = await startService({ ...changed, previousKeyPassphrase: 'former' }, { log })
  assert.equal(await ping(both.address), null)
  await both.stop()
  const alone = await startService(changed, { log })
  assert.equal(await ping(alone.address), null)
  const { headers, body } = receiver.received.at(-1) ?? assert.fail('nothing was received')
  new Webhook(String(webhook['secret'])).verify(body, headers)
  await alone.stop()
})

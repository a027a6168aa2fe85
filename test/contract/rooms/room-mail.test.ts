import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smtpReceiver } from '../../kit/mail.ts'
import { testService } from '../../kit/service.ts'
import { until } from '../../kit/until.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'

const LINK = /http:\/\/\S+(\/s\/[\w-]{43})/
const BATCH_MS = 2 * 60_000

test('what is written is mailed to the other side, once for a batch, and without the text', async () => {
  await using server = await smtpReceiver()
  let ahead = 0
  const clock = { now: () => Date.now() + ahead }
  const settings = { KITSEAL_SMTP_URL: server.url, KITSEAL_MAIL_FROM: 'kits@issuer.example' }
  await using service = await testService(settings, clock)
  const owner = await workspaceClient(service)
  const id = await owner.submission()
  await owner.upload(id, form({ 'a.txt': 'one' }))
  const kit_id = String((await owner.ended(id))['kit_id'])
  const recipients = ['ann@auditor.example', 'bob@auditor.example']
  const expires_at = new Date(clock.now() + 86_400_000).toISOString()
  const room = await owner.post('/v1/rooms', { title: 'Audit 2026', kits: [kit_id], expires_at, recipients })
  const roomId = String(room.json['room_id'])
  await until(() => server.received.length === 2)
  const textOf = (index: number): string => server.received[index]?.source.replaceAll('=\r\n', '') ?? ''
  const annIs = server.received.findIndex(({ to }) => to[0] === 'ann@auditor.example')
  const ann = `${service.base}${LINK.exec(textOf(annIs))?.[1] ?? ''}`
  /** Ends the batch, and returns the recipients of its mails. */
  const endBatch = async (): Promise<readonly unknown[]> => {
    const before = server.received.length
    ahead += BATCH_MS
    await service.service.runDue()
    return server.received
      .slice(before)
      .flatMap(({ to }) => to)
      .toSorted()
  }

  const ask = async (text: string) => {
    const body = JSON.stringify({ kit_id, text, is_question: true })
    const headers = { 'content-type': 'application/json' }
    const asked = await fetch(`${ann}/comments`, { method: 'POST', headers, body })
    assert.equal(asked.status, 201)
    return ((await asked.json()) as { readonly comment_id: string }).comment_id
  }
  // A workspace without members in the console has no one to mail.
  const question = await ask('Is this secret-word the newest?')
  assert.deepEqual(await endBatch(), [])

  // Both in one batch.
  ahead += BATCH_MS - (clock.now() % BATCH_MS) + 1000
  for (const text of ['Yes, secret-word.', 'See page 2.'])
    assert.equal(
      (await owner.post(`/v1/rooms/${roomId}/comments`, { kit_id, text, reply_to: question })).status,
      201,
    )
  await owner.post(`/v1/rooms/${roomId}/comments`, { kit_id, text: 'For everyone.' })
  assert.deepEqual(await endBatch(), recipients)
  const mails = [textOf(2), textOf(3)]
  for (const mail of mails) {
    assert.match(mail, /Audit 2026: Acme wrote in this room/)
    assert.ok(!mail.includes('secret-word'))
    assert.match(mail, /List-Unsubscribe/i)
    const link = LINK.exec(mail)?.[1] ?? ''
    assert.equal((await fetch(`${service.base}${link}/share.json`)).status, 200)
  }
  assert.equal((await fetch(`${ann}/share.json`)).status, 200)
  const shown = (await owner.get(`/v1/rooms/${roomId}`)).json['recipients'] as readonly { mail: unknown }[]
  assert.deepEqual(
    shown.map(({ mail }) => mail),
    [
      { status: 'sent', reason: null },
      { status: 'sent', reason: null },
    ],
  )

  // A recipient who is revoked gets nothing more.
  await service.call(`/v1/rooms/${roomId}/links?recipient=bob@auditor.example`, {
    method: 'DELETE',
    headers: { 'x-api-key': owner.key },
  })
  await owner.post(`/v1/rooms/${roomId}/comments`, { kit_id, text: 'Once more.' })
  assert.deepEqual(await endBatch(), ['ann@auditor.example'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { member } from '../../kit/console.ts'
import { type ReceivedMail, smtpReceiver } from '../../kit/mail.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { until } from '../../kit/until.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

const DAY_MS = 24 * 60 * 60_000
const EXPIRES = new Date(Date.now() + 7 * DAY_MS).toISOString()
const LINK = /http:\/\/\S+\/s\/([\w-]{43})/
const textOf = ({ source }: ReceivedMail): string => source.replaceAll('=\r\n', '')

interface Shared {
  readonly share_id: string
  readonly url: string | null
  readonly recipients: readonly {
    readonly email: string
    readonly url: string | null
    readonly last_access_at: string | null
    readonly revoked_at: string | null
    readonly mail: { readonly status: string; readonly reason: string | null } | null
  }[]
}

async function withKit(service: TestService) {
  const owner = await workspaceClient(service)
  const id = await owner.submission()
  await owner.upload(id, form({ 'a.txt': 'one' }))
  const kitId = String((await owner.ended(id))['kit_id'])
  const share = (members: object, headers?: Record<string, string>) =>
    owner.post('/v1/shares', { kit_id: kitId, expires_at: EXPIRES, ...members }, headers)
  return { owner, share }
}

const accessesOf = async (owner: WorkspaceClient, { share_id }: Shared) =>
  (await owner.get(`/v1/shares/${share_id}/accesses`)).json['data'] as readonly Record<string, unknown>[]

const answer = async (url: string) => {
  const response = await fetch(`${url}/share.json`)
  return [response.status, ((await response.json()) as { code?: string }).code]
}

test('each recipient is mailed a link of their own, and the access log tells who used theirs', async () => {
  await using server = await smtpReceiver()
  const settings = { KITSEAL_SMTP_URL: server.url, KITSEAL_MAIL_FROM: 'kits@issuer.example' }
  await using service = await testService(settings)
  const { owner, share } = await withKit(service)
  const recipients = ['ann@auditor.example', 'Bob@auditor.example', 'ANN@auditor.example']
  const once = { 'idempotency-key': 'share-1' }
  const made = await share({ recipients, note: 'For Q3', password: 'correct horse' }, once)
  const shared = made.json as unknown as Shared
  assert.deepEqual(
    shared.recipients.map(({ email, url }) => [email.toLowerCase(), url]),
    [
      ['ann@auditor.example', null],
      ['bob@auditor.example', null],
    ],
  )
  const again = await share({ recipients, note: 'For Q3', password: 'correct horse' }, once)
  assert.deepEqual([again.json['share_id'], again.json['url']], [shared.share_id, null])
  await until(() => server.received.length === 2)
  const mailTo = (name: string): ReceivedMail => {
    const found = server.received.find(({ to }) => to[0]?.toLowerCase() === `${name}@auditor.example`)
    assert.ok(found !== undefined, name)
    return found
  }
  const tokens = ['ann', 'bob'].map((name) => LINK.exec(textOf(mailTo(name)))?.[1] ?? '')
  assert.equal(new Set(tokens).size, 2)
  assert.equal(shared.url, null)
  const mail = mailTo('ann')
  assert.match(mail.headers.get('subject') ?? '', /^Acme shared evidence with you: Q3 access review$/)
  assert.match(textOf(mail), /For Q3[\s\S]+You need a password, too\. Ask Acme for it\./)
  assert.match(mail.source, /multipart\/alternative[\s\S]+text\/plain[\s\S]+text\/html/)
  assert.ok(!mail.source.includes('correct horse'))
  assert.ok(mail.headers.has('list-unsubscribe'))

  const headers = { authorization: `Basic ${btoa(':correct horse')}` }
  const open = async (token = ''): Promise<number> =>
    (await fetch(`${service.base}/s/${token}/share.json`, { headers })).status
  for (const token of [tokens[1], tokens[1]]) assert.equal(await open(token), 200)
  assert.deepEqual(
    (await accessesOf(owner, shared)).map(({ kind, recipient }) => [kind, recipient]),
    [['opened', 'Bob@auditor.example']],
  )
  await fetch(`${service.base}/s/${tokens[0]}/kit.zip`, { headers })
  const audit = JSON.stringify((await owner.get('/v1/audit?action=share')).json)
  assert.match(audit, /"share.downloaded".*"recipient":"ann@auditor.example"/)
  const named = (await owner.get('/v1/audit?action=share&names=true')).json as {
    data: readonly { by: string }[]
  }
  assert.ok(named.data.some(({ by }) => by === 'ann@auditor.example'))
  const { recipients: now } = (await owner.get(`/v1/shares/${shared.share_id}`)).json as unknown as Shared
  assert.deepEqual(
    now.map(({ email, last_access_at }) => [email.toLowerCase(), last_access_at !== null]),
    [
      ['ann@auditor.example', true],
      ['bob@auditor.example', true],
    ],
  )
  await service.call(`/v1/shares/${shared.share_id}`, {
    method: 'DELETE',
    headers: { 'x-api-key': owner.key },
  })
  for (const token of tokens) assert.equal(await open(token), 410)

  const { json } = await owner.get('/v1/audit?limit=100')
  for (const token of tokens)
    assert.ok(![service.log(), JSON.stringify(json)].some((text) => text.includes(token)))
})

test('without a mail server the links of the recipients are returned once', async () => {
  await using service = await testService()
  const { owner, share } = await withKit(service)
  const shared = (await share({ recipients: ['ann@auditor.example'] })).json as unknown as Shared
  const url = shared.recipients[0]?.url ?? ''
  assert.match(url, LINK)
  assert.deepEqual([shared.url, shared.recipients[0]?.mail], [null, null])
  assert.equal((await fetch(`${url}/share.json`)).status, 200)
  const later = (await owner.get(`/v1/shares/${shared.share_id}`)).json as unknown as Shared
  assert.equal(later.recipients[0]?.url, null)
  const list = (await owner.get('/v1/shares')).json['data'] as readonly Shared[]
  assert.deepEqual(list[0]?.recipients, later.recipients)

  for (const recipients of [
    [],
    ['ann'],
    ['a@b.example\r\nBcc: c@d.example'],
    ['a@b,c@d'],
    ['a\u200b@b.example'],
    ['a\u202e@b.example'],
  ])
    assert.equal((await share({ recipients })).status, 400, JSON.stringify(recipients))
  const many = Array.from({ length: 21 }, (_, index) => `${index}@b.example`)
  assert.equal((await share({ recipients: many })).status, 400)
})

test('a mail is queued, sent or failed with the reason, for each recipient', async () => {
  await using server = await smtpReceiver((message) => (message === 2 ? 550 : undefined))
  const settings = { KITSEAL_SMTP_URL: server.url, KITSEAL_MAIL_FROM: 'kits@issuer.example' }
  await using service = await testService(settings)
  const { owner, share } = await withKit(service)
  const shared = (await share({ recipients: ['ann@auditor.example', 'bob@auditor.example'] }))
    .json as unknown as Shared
  assert.deepEqual(
    shared.recipients.map(({ mail }) => mail),
    [
      { status: 'queued', reason: null },
      { status: 'queued', reason: null },
    ],
  )
  const mails = async () =>
    ((await owner.get(`/v1/shares/${shared.share_id}`)).json as unknown as Shared).recipients.map(
      ({ mail }) => mail,
    )
  await until(async () => (await mails()).every((mail) => mail?.status !== 'queued'))
  const ended = await mails()
  assert.deepEqual(
    ended.find((mail) => mail?.status === 'sent'),
    { status: 'sent', reason: null },
  )
  assert.match(ended.find((mail) => mail?.status === 'failed')?.reason ?? '', /550 not now/)
})

test('a lost link is replaced for its recipient alone, and one recipient is revoked', async () => {
  await using service = await testService()
  const { owner, share } = await withKit(service)
  const shared = (await share({ recipients: ['ann@auditor.example', 'bob@auditor.example'] }))
    .json as unknown as Shared
  const urlOf = ({ recipients }: Shared, name: string): string =>
    recipients.find(({ email }) => email.startsWith(name))?.url ?? ''
  const [ann, bob] = ['ann', 'bob'].map((name) => urlOf(shared, name)) as [string, string]
  const links = `/v1/shares/${shared.share_id}/links`
  const replaced = await owner.post(links, { recipient: 'ANN@auditor.example' })
  assert.equal(replaced.status, 201, replaced.bytes.toString())
  const renewed = replaced.json as unknown as Shared
  const newer = urlOf(renewed, 'ANN')
  assert.match(newer, LINK)
  assert.deepEqual([renewed.url, urlOf(renewed, 'bob'), renewed.recipients.length], [null, '', 2])
  assert.deepEqual(await answer(ann), [410, 'share_replaced'])
  assert.deepEqual(await answer(newer), [200, undefined])
  assert.deepEqual(await answer(bob), [200, undefined])

  const revoke = (query: string) =>
    service.call(links + query, { method: 'DELETE', headers: { 'x-api-key': owner.key } })
  assert.equal((await revoke('?recipient=Bob%40auditor.example')).status, 204)
  assert.deepEqual(await answer(bob), [410, 'share_revoked'])
  assert.deepEqual(await answer(newer), [200, undefined])
  const { recipients } = (await owner.get(`/v1/shares/${shared.share_id}`)).json as unknown as Shared
  assert.deepEqual(
    recipients.map(({ revoked_at }) => revoked_at !== null),
    [false, true],
  )

  const anyone = String((await owner.post(links, {})).json['url'])
  assert.deepEqual(await answer(anyone), [200, undefined])
  assert.equal((await revoke('')).status, 204)
  assert.deepEqual(await answer(anyone), [410, 'share_revoked'])
  assert.equal((await owner.post(links, { recipient: 'nobody' })).status, 400)
  const other = await workspaceClient(service)
  assert.equal((await other.post(links, {})).status, 404)
  await service.call(`/v1/shares/${shared.share_id}`, {
    method: 'DELETE',
    headers: { 'x-api-key': owner.key },
  })
  assert.equal((await owner.post(links, {})).json['code'], 'share_revoked')
})

test('downloads are mailed to the one who shares if wished, once a day for each recipient, and never promised without mail', async () => {
  await using server = await smtpReceiver()
  const settings = { KITSEAL_SMTP_URL: server.url, KITSEAL_MAIL_FROM: 'kits@issuer.example' }
  let now = Date.now()
  await using service = await testService(settings, { now: () => now })
  const { owner, share } = await withKit(service)
  await member(service, 'owner', owner.workspaceId, 'ann@acme.example')
  const notices = (): readonly string[] =>
    server.received.flatMap((mail) => /(?<=: )[^:]*downloaded from this share/.exec(textOf(mail))?.[0] ?? [])
  const told = await share({ notify_downloads: true })
  const quiet = await share({})
  assert.deepEqual([told.json['notify_downloads'], quiet.json['notify_downloads']], [true, false])
  const read = async (shared: typeof told, path: string): Promise<void> => {
    const response = await fetch(`${String(shared.json['url'])}/${path}`)
    assert.equal(response.status, 200)
    await response.arrayBuffer()
  }
  await read(quiet, 'kit.zip')
  await read(told, 'view/kit.zip')
  await read(told, 'kit.zip')
  await read(told, 'files/data/a.txt')
  await until(() => notices().length > 0)
  const notify = (isWanted: boolean) =>
    service.call(`/v1/shares/${String(told.json['share_id'])}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ notify_downloads: isWanted }),
    })
  const changed = await notify(false)
  assert.equal(changed.json['notify_downloads'], false)
  now += DAY_MS
  await read(told, 'kit.zip')
  await notify(true)
  await read(told, 'kit.zip')
  await until(() => notices().length > 1)
  assert.deepEqual(
    notices(),
    Array.from({ length: 2 }, () => 'Someone with the link downloaded from this share'),
  )

  await using without = await testService()
  const other = await withKit(without)
  const refused = await other.share({ notify_downloads: true })
  assert.deepEqual(
    [refused.status, refused.json['code'], refused.json['param']],
    [409, 'mail_off', 'notify_downloads'],
  )
})

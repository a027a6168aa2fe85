import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStore } from '../open-store.ts'
import { forgetSenders } from './supplier-sender.ts'
import { type SmtpReceiver, smtpReceiver } from '../../test/smtp-receiver.ts'
import { type Answer, supplierClient } from '../../test/supplier-client.ts'
import { type TestService, testService } from '../../test/test-service.ts'
import { until } from '../../test/until.ts'
import { type WorkspaceClient, workspaceClient } from '../../test/workspace-client.ts'

let smtp: SmtpReceiver
let service: TestService
let acme: WorkspaceClient
let nowMs = Date.now()
let asked = 0

before(async () => {
  smtp = await smtpReceiver()
  const settings = { KITSEAL_SMTP_URL: smtp.url, KITSEAL_MAIL_FROM: 'kits@kitseal.example' }
  service = await testService(settings, { now: () => nowMs })
  acme = await workspaceClient(service, { credits: 100 })
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await smtp?.[Symbol.asyncDispose]()
})

interface Sender {
  readonly name: string | null
  readonly code: { readonly address: string; readonly mail: string } | null
  readonly confirmed: string | null
  readonly copy_to: string | null
  readonly recipient: string | null
  readonly mails: boolean
}

/** A browser keeps the cookie of the link. */
function browser(url: string) {
  const supplier = supplierClient(service, url)
  let cookie = ''
  const call = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { ...(init.headers as Record<string, string>), ...(cookie === '' ? {} : { cookie }) }
    const answer = await supplier.call(path, { ...init, headers })
    cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? cookie
    return answer
  }
  const send = (method: string, path: string, body: object): Promise<Answer> =>
    call(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return {
    ...supplier,
    call,
    cookie: () => cookie,
    setCookie: (value: string) => (cookie = value),
    say: (name: string | null, seal_address = false, mail_copy = false) =>
      send('PUT', '/sender', { name, seal_address, mail_copy }),
    ask: (address: string) => send('POST', '/sender/code', { address }),
    confirm: (code: string) => send('POST', '/sender/confirm', { code }),
    sender: async () => (await call('/request')).json['sender'] as Sender,
    /** Submits as this browser. */
    hand: async (draft: string): Promise<string> => {
      const form = new FormData()
      form.append('final', 'true')
      const sealed = await call(`/v1/submissions/${draft}/evidence`, { method: 'POST', body: form })
      assert.equal(sealed.status, 202, sealed.bytes.toString())
      let status = ''
      await until(async () => {
        status = String((await call(`/v1/submissions/${draft}`)).json['status'])
        return status === 'PASS' || status === 'FAIL'
      })
      return status
    },
  }
}

async function request(recipients: readonly string[] = []) {
  const { json } = await acme.post('/v1/requests', {
    title: 'Review',
    items: [{ id: 'A', title: 'A' }],
    recipients,
  })
  const path = `/v1/requests/${String(json['evidence_request_id'])}`
  const { url } = json['link'] as { readonly url: string }
  return { path, url }
}

/** Each test mails to another person, because of the limits. */
const person = (): string => `person-${(asked += 1)}@supplier.example`

const sentTo = (to: string) => smtp.received.filter((mail) => mail.to.includes(to))

async function codeFor(to: string, count = 1): Promise<string> {
  await until(async () => sentTo(to).length >= count)
  return /^(\d{6}) is your code/.exec(sentTo(to).at(-1)?.headers.get('subject') ?? '')?.[1] ?? ''
}

const wrongCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

interface Entry {
  readonly paths: unknown
  readonly source: string
  readonly statement: string
  readonly name?: string
  readonly address?: string
}

async function sealedEntries(submission: string): Promise<readonly Entry[]> {
  const { json } = await acme.get(`/v1/submissions/${submission}/deliverables/reports/provenance.json`)
  return (json['entries'] as readonly Entry[]).filter(
    ({ source }) => source === 'supplier' || source === 'confirmed_address',
  )
}

test('a name is sealed as stated; an address only if it was confirmed and its owner agreed', async () => {
  const to = person()
  const { url, path } = await request()
  const ann = browser(url)
  const draft = await ann.draft()
  await ann.upload(draft, { 'A/a.txt': 'a' })
  assert.equal((await ann.ask(to)).status, 202)
  assert.equal((await ann.sender()).confirmed, null)
  assert.equal((await ann.confirm(await codeFor(to))).status, 200)
  const confirmed = await ann.sender()
  assert.deepEqual([confirmed.confirmed, confirmed.code], [to, null])
  await ann.say('Ann Meier', true)
  assert.equal(await ann.hand(draft), 'PASS')
  const [address, name] = (await sealedEntries(draft)).toSorted((a, b) => (a.source < b.source ? -1 : 1))
  assert.deepEqual(
    [address?.source, address?.statement, address?.address, address?.paths],
    ['confirmed_address', 'verified', to, 'all files'],
  )
  assert.deepEqual([name?.source, name?.statement, name?.name], ['supplier', 'stated', 'Ann Meier'])
  const rounds = (await acme.get(path)).json['rounds'] as readonly {
    sender: { name: string; address: string }
  }[]
  assert.deepEqual([rounds[0]?.sender.name, rounds[0]?.sender.address], ['Ann Meier', to])

  // The next round is another one: what was confirmed before does not count.
  const second = await ann.draft()
  await ann.upload(second, { 'A/b.txt': 'b' })
  assert.equal((await ann.sender()).confirmed, null)
  await ann.say('Ann Meier', true)
  await ann.hand(second)
  assert.deepEqual(
    (await sealedEntries(second)).map(({ source }) => source),
    ['supplier'],
  )

  // Agreed before another address was confirmed.
  const third = await ann.draft()
  await ann.upload(third, { 'A/c.txt': 'c' })
  const another = person()
  await ann.say('Ann Meier', true)
  await ann.ask(another)
  await ann.confirm(await codeFor(another))
  await ann.hand(third)
  assert.deepEqual(
    (await sealedEntries(third)).map(({ source }) => source),
    ['supplier'],
  )

  // Confirmed, and not agreed.
  const other = await request()
  const bob = browser(other.url)
  const last = await bob.draft()
  await bob.upload(last, { 'A/a.txt': 'a' })
  const his = person()
  await bob.ask(his)
  await bob.confirm(await codeFor(his))
  await bob.say(null, false)
  await bob.hand(last)
  assert.deepEqual(await sealedEntries(last), [])
  assert.ok(!JSON.stringify((await acme.get(other.path)).json).includes(his))
})

test('a code is right in the browser that asked for it, and nowhere else', async () => {
  const to = person()
  const { url } = await request()
  const [ann, eve] = [browser(url), browser(url)]
  const draft = await ann.draft()
  await ann.upload(draft, { 'A/a.txt': 'a' })
  const answer = await ann.ask(to)
  const cookie = answer.headers.get('set-cookie') ?? ''
  assert.match(
    cookie,
    /^kitseal-sender=[\w-]{43}; Path=\/r\/[\w-]{43}; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
  )
  const code = await codeFor(to)
  assert.equal((await eve.confirm(code)).json['code'], 'code_wrong')
  await ann.confirm(code)
  assert.equal((await eve.sender()).confirmed, null)
  await eve.say('Eve', true)
  await eve.hand(draft)
  assert.deepEqual(
    (await sealedEntries(draft)).map(({ source, name }) => [source, name]),
    [['supplier', 'Eve']],
  )

  const elsewhere = browser((await request()).url)
  elsewhere.setCookie(ann.cookie())
  assert.equal((await elsewhere.sender()).confirmed, null, 'the cookie is of another link')
})

test('a code works for ten minutes and five tries', async () => {
  const to = person()
  const ann = browser((await request()).url)
  await ann.ask(to)
  const code = await codeFor(to)
  for (let tries = 0; tries < 5; tries++)
    assert.equal((await ann.confirm(wrongCode(code))).json['code'], 'code_wrong')
  assert.match(String((await ann.confirm(code)).json['message']), /tried too often/)
  nowMs += 1000
  assert.equal((await ann.ask(to)).status, 202)
  const next = await codeFor(to, 2)
  nowMs += 10 * 60_000
  assert.equal((await ann.confirm(next)).json['code'], 'code_wrong')
  await ann.ask(to)
  const last = await codeFor(to, 3)
  nowMs += 9 * 60_000
  assert.equal((await ann.confirm(last)).status, 200)
  assert.equal((await ann.confirm(last)).status, 400, 'it works once')
})

test('concurrent tries of a code count, each of them', async () => {
  const to = person()
  const ann = browser((await request()).url)
  await ann.ask(to)
  const code = await codeFor(to)
  const answers = await Promise.all(Array.from({ length: 12 }, () => ann.confirm(wrongCode(code))))
  const messages = answers.map(({ json }) => String(json['message']))
  assert.equal(messages.filter((text) => text.startsWith('The code is wrong.')).length, 5)
  assert.equal((await ann.confirm(code)).json['code'], 'code_wrong')
})

test('the database has neither a code nor what finds it', async () => {
  const to = person()
  const ann = browser((await request()).url)
  await ann.ask(to)
  const code = await codeFor(to)
  await using store = await openStore(service.config, { clock: { now: () => nowMs } })
  await until(async () => {
    const waiting = await store.db
      .selectFrom('deliveries')
      .select('payload')
      .where('state', '=', 'pending')
      .execute()
    return waiting.length === 0
  })
  const rows = [
    await store.db.selectFrom('request_senders').selectAll().execute(),
    await store.db.selectFrom('deliveries').selectAll().execute(),
    await store.db.selectFrom('audit_events').selectAll().execute(),
  ]
  const text = JSON.stringify(rows)
  assert.ok(!new RegExp(`(?<![0-9a-f])${code}(?![0-9a-f])`).test(text))
  assert.ok(!text.includes(ann.cookie().split('=')[1] ?? ''))
  nowMs += 31 * 24 * 60 * 60_000
  await forgetSenders(store.db, { now: () => nowMs })
  assert.deepEqual(await store.db.selectFrom('request_senders').selectAll().execute(), [])
})

async function statuses(count: number, ask: () => Promise<Answer>): Promise<readonly number[]> {
  const seen: number[] = []
  for (let index = 0; index < count; index++) seen.push((await ask()).status)
  return seen
}

test('codes are limited by mail address, by link and by network', async () => {
  nowMs += 24 * 60 * 60_000
  const [to, { url }] = [person(), await request()]
  const toOne = await statuses(6, async () => browser((await request()).url).ask(to))
  assert.deepEqual(toOne, [202, 202, 202, 202, 202, 429])
  const ofLink = await statuses(11, () => browser(url).ask(person()))
  assert.deepEqual([ofLink.filter((status) => status === 202).length, ofLink.at(-1)], [10, 429])
  const ofNetwork = await statuses(16, async () => browser((await request()).url).ask(person()))
  assert.deepEqual([ofNetwork.filter((status) => status === 202).length, ofNetwork.at(-1)], [15, 429])
  nowMs += 24 * 60 * 60_000
})

test('an address that wants no mail is not said to get one', async () => {
  const to = person()
  const ann = browser((await request()).url)
  await ann.ask(to)
  await codeFor(to)
  const source = sentTo(to)[0]?.source.replaceAll(/=\r?\n/g, '') ?? ''
  const link = /http:\/\/\S+\/u\/[\w-]{43}/.exec(source)?.[0] ?? ''
  assert.equal((await fetch(link, { method: 'POST' })).status, 200)
  const refused = await ann.ask(to)
  assert.deepEqual([refused.status, refused.json['code']], [429, 'rate_limited'])
  for (const bad of ['no address', 'a@b, c@d', 'a@b\r\nBcc: c@d'])
    assert.equal((await ann.ask(bad)).json['code'], 'body_invalid')
  assert.equal((await ann.confirm('12345a')).json['code'], 'body_invalid')
})

test('what was confirmed in a failed round counts for its correction, in the same browser', async () => {
  const to = person()
  const ann = browser((await request()).url)
  const draft = await ann.draft()
  await ann.upload(draft, { 'A/tool.exe': Buffer.from('MZ'.padEnd(200, '\0')) })
  await ann.ask(to)
  await ann.confirm(await codeFor(to))
  await ann.say('Ann', true)
  assert.equal(await ann.hand(draft), 'FAIL')
  const next = await ann.draft()
  assert.equal((await ann.sender()).confirmed, to)
  const [item] = await ann.items()
  await ann.call(`/files/${item?.files[0]?.position}`, { method: 'DELETE' })
  await ann.upload(next, { 'A/a.txt': 'a' })
  assert.equal(await ann.hand(next), 'PASS')
  assert.deepEqual((await sealedEntries(next)).map(({ source }) => source).toSorted(), [
    'confirmed_address',
    'supplier',
  ])
})

test('without mail nothing is offered, and nothing can be confirmed', async () => {
  await using silent = await testService()
  const client = await workspaceClient(silent)
  const { json } = await client.post('/v1/requests', {
    title: 'R',
    items: [{ id: 'A', title: 'A' }],
    recipients: ['a@b.example'],
  })
  const supplier = supplierClient(silent, (json['link'] as { url: string }).url)
  const sender = (await supplier.show()).json['sender'] as Sender
  assert.deepEqual([sender.mails, sender.copy_to], [false, null])
  const refused = await supplier.post('/sender/code', { address: 'a@b.example' })
  assert.deepEqual([refused.status, refused.json['code']], [409, 'mail_off'])
})

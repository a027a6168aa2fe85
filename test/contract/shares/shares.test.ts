import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { type JsonValue, parseStrictJson, trustKeys, verifyFileProof } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { startService } from '@kitseal/server'
import { samplePages } from '../../kit/pages.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { filesWith } from '../../kit/stored-files.ts'
import { until } from '../../kit/until.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

const DAY_MS = 24 * 60 * 60_000
let ahead = 0
const clock = { now: () => Date.now() + ahead }
const pages = samplePages()
let service: TestService
let owner: WorkspaceClient
let kitId: string
before(async () => {
  service = await testService({}, clock, { pages: pages.folder })
  owner = await workspaceClient(service)
  const id = await owner.submission()
  const files = { 'report.csv': 'name,role\nann,owner\n', 'logs/a.txt': 'first', 'logs/b.txt': 'second' }
  assert.equal((await owner.upload(id, form(files))).status, 202)
  kitId = String((await owner.ended(id))['kit_id'])
})
after(async () => {
  await service[Symbol.asyncDispose]()
  pages[Symbol.dispose]()
})

const inDays = (days: number): string => new Date(clock.now() + days * DAY_MS).toISOString()

interface Made {
  readonly id: string
  readonly url: string
  readonly token: string
}

async function share(members: object = {}): Promise<Made> {
  const made = await owner.post('/v1/shares', { kit_id: kitId, expires_at: inDays(14), ...members })
  assert.equal(made.status, 201, made.bytes.toString())
  const url = String(made.json['url'])
  return { id: String(made.json['share_id']), url, token: url.slice(url.lastIndexOf('/') + 1) }
}

const codeOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { readonly code?: unknown }).code
const shareOf = async ({ id }: Made) => (await owner.get(`/v1/shares/${id}`)).json
const revoke = ({ id }: Made) =>
  service.call(`/v1/shares/${id}`, { method: 'DELETE', headers: { 'x-api-key': owner.key } })
const accessesOf = async ({ id }: Made) =>
  (await owner.get(`/v1/shares/${id}/accesses`)).json['data'] as readonly Record<string, unknown>[]

test('a share opens the kit for anyone with the link, and records who used it', async () => {
  const made = await share({ note: 'For the Q3 review' })
  assert.match(made.url, new RegExp(`^${service.base}/s/[\\w-]{43}$`))
  const described = await fetch(`${made.url}/share.json`)
  assert.equal(described.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(described.headers.get('cache-control'), 'no-store')
  const json = (await described.json()) as Record<string, unknown>
  assert.equal(json['scope'], 'Q3 access review')
  assert.deepEqual(json['supplier'], { name: 'Acme', confirmed_by: 'operator' })
  assert.equal(json['note'], 'For the Q3 review')
  assert.equal(json['status'], 'available')
  assert.match(JSON.stringify(json['signing_key']), /"status":"active"/)
  assert.deepEqual(await (await fetch(made.url)).json(), json)
  const zip = Buffer.from(await (await fetch(`${made.url}/kit.zip`)).arrayBuffer())
  assert.deepEqual(zip, (await owner.get(`/v1/kits/${kitId}/download`)).bytes)
  const part = await fetch(`${made.url}/kit.zip`, { headers: { range: 'bytes=4-9' } })
  assert.equal(part.status, 206)
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), zip.subarray(4, 10))
  const file = await fetch(`${made.url}/files/data/logs/a.txt`)
  assert.equal(await file.text(), 'first')
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment/)
  assert.equal(file.headers.get('content-type'), 'application/octet-stream')
  const shown = await shareOf(made)
  assert.deepEqual([shown['status'], shown['url'], shown['downloads']], ['active', null, 3])
  const accesses = await accessesOf(made)
  assert.deepEqual(
    accesses.map(({ kind, name, address }) => [kind, name, address]),
    [
      ['downloaded', 'data/logs/a.txt', '127.0.0.0/24'],
      ['downloaded', 'kit.zip', '127.0.0.0/24'],
      ['downloaded', 'kit.zip', '127.0.0.0/24'],
      ['opened', null, '127.0.0.0/24'],
    ],
  )
  const audit = JSON.stringify((await owner.get('/v1/audit?action=share')).json)
  assert.match(audit, /"share.downloaded"/)
  assert.match(audit, /"actor":"link"/)
  assert.ok(!audit.includes(made.token) && !service.log().includes(made.token))
  const listed = (await owner.get(`/v1/shares?kit_id=${kitId}&limit=1`)).json
  assert.ok(!JSON.stringify(listed).includes(made.token))
})

test('a share of some files reveals no other file, and each file comes with its proof', async () => {
  const made = await share({ paths: ['report.csv', 'data/logs/'] })
  assert.deepEqual((await shareOf(made))['paths'], ['data/logs/a.txt', 'data/logs/b.txt', 'data/report.csv'])
  const text = await (await fetch(`${made.url}/share.json`)).text()
  assert.ok(!/intake_report|binder/.test(text))
  for (const path of ['data/report.csv', 'data/logs/b.txt']) {
    const content = Buffer.from(await (await fetch(`${made.url}/files/${path}`)).arrayBuffer())
    const answer = await fetch(`${made.url}/proofs/${path}`)
    const proof = parseStrictJson(Buffer.from(await answer.arrayBuffer()))
    const jwks = (await service.call('/.well-known/jwks.json')).json as never
    const sha256 = createHash('sha256').update(content).digest('hex')
    const trust = trustKeys(jwks)
    const measured = { sha256, sizeBytes: content.length }
    const report = await verifyFileProof(proof as JsonValue, measured, trust, nodeHost)
    assert.equal(report.status, 'PASS', report.errors.join())
  }
  for (const path of [
    'kit.zip',
    'view/kit.zip',
    'files/manifest.json',
    'files/data/none',
    'proofs/binder.pdf',
  ]) {
    const refused = await fetch(`${made.url}/${path}`)
    assert.equal(refused.status, 404, path)
    assert.equal(await codeOf(refused), 'shared_file_not_found')
  }
  const escaped = await fetch(`${made.url}/files/data%2f..%2fmanifest.json`)
  assert.equal(escaped.status, 404)
})

test('a link works until it expires or is revoked, on every node, and never again', async () => {
  const node = await startService({ ...service.config, role: 'api' }, { clock, log: { write: () => true } })
  try {
    const made = await share()
    const other = `${node.address}/s/${made.token}`
    assert.equal((await fetch(`${other}/kit.zip`)).status, 200)
    assert.equal((await revoke(made)).status, 204)
    const revoked = await shareOf(made)
    assert.equal(revoked['status'], 'revoked')
    for (const url of [made.url, other])
      for (const path of ['', '/share.json', '/kit.zip', '/view/kit.zip', '/files/data/report.csv']) {
        const refused = await fetch(url + path)
        assert.equal(refused.status, 410, path)
        assert.equal(await codeOf(refused), 'share_revoked')
      }
    assert.equal((await revoke(made)).status, 204)
    assert.equal((await shareOf(made))['revoked_at'], revoked['revoked_at'])
  } finally {
    await node.stop()
  }
  const made = await share({ expires_at: inDays(1) })
  ahead = DAY_MS + 1000
  try {
    for (const path of ['/share.json', '/kit.zip', '/proofs/data/report.csv']) {
      const refused = await fetch(made.url + path)
      assert.equal(refused.status, 410)
      assert.equal(await codeOf(refused), 'share_expired')
    }
    const page = await fetch(made.url, { headers: { accept: 'text/html' } })
    assert.equal(page.status, 200)
    assert.match(await page.text(), /<p>share<\/p>/)
    const quiet = await fetch(`${made.url}/share.json`, { headers: { 'x-errors': 'quiet' } })
    assert.deepEqual([quiet.status, quiet.headers.get('x-error-status')], [200, '410'])
    assert.equal(await codeOf(quiet), 'share_expired')
    assert.equal((await shareOf(made))['status'], 'expired')
  } finally {
    ahead = 0
  }
  const unknown = `${service.base}/s/${'A'.repeat(43)}`
  assert.equal((await fetch(`${unknown}/share.json`)).status, 404)
  assert.equal((await fetch(unknown, { headers: { accept: 'text/html' } })).status, 200)
  assert.equal((await fetch(`${service.base}/s/short/kit.zip`)).status, 404)
})

test('the page has a policy without foreign or inline code, and sends no referrer', async () => {
  const made = await share()
  const page = await fetch(made.url, { headers: { accept: 'text/html' } })
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/)
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(page.headers.get('cache-control'), 'no-store')
})

/** A browser on the page of a share: it keeps the cookie of its visit. */
async function visit({ url }: Made) {
  const opened = await fetch(`${url}/share.json`)
  const [line = ''] = opened.headers.getSetCookie()
  assert.match(line, /^kitseal-visit=[\w-]{43}; Path=\/s\/[\w-]{43}; HttpOnly; SameSite=Strict/)
  const cookie = line.split(';')[0] ?? ''
  const read = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`${url}/${path}`, { headers: { cookie, ...headers } })).status
  const described = async () =>
    (await (await fetch(`${url}/share.json`, { headers: { cookie } })).json()) as Record<string, unknown>
  return { read, described }
}

const EVERY_WAY = ['kit.zip', 'view/kit.zip', 'files/data/report.csv', 'view/files/data/logs/a.txt']

test('a visit counts once, whichever way it reads, and when the limit is reached no other visit reads anything', async () => {
  const made = await share({ max_downloads: 1 })
  const page = await visit(made)
  assert.equal((await fetch(`${made.url}/kit.zip`, { method: 'HEAD' })).status, 200)
  assert.equal((await fetch(`${made.url}/proofs/data/report.csv`)).status, 200)
  assert.equal((await shareOf(made))['downloads'], 0)
  const statuses = await Promise.all([...EVERY_WAY, ...EVERY_WAY].map((path) => page.read(path)))
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.equal(await page.read('kit.zip', { range: 'bytes=100-' }), 206)
  assert.deepEqual([(await shareOf(made))['status'], (await shareOf(made))['downloads']], ['exhausted', 1])
  assert.deepEqual(
    [(await page.described())['status'], (await page.described())['downloads_left']],
    ['available', 1],
  )

  const other = await visit(made)
  for (const path of EVERY_WAY)
    for (const headers of [{}, { range: 'bytes=0-0' }, { range: 'bytes=1-' }] as const) {
      const program = await fetch(`${made.url}/${path}`, { headers })
      assert.equal(program.status, 410, path)
      assert.equal(await codeOf(program), 'share_exhausted')
      assert.equal(await other.read(path, headers), 410, path)
    }
  assert.deepEqual(
    [(await other.described())['status'], (await other.described())['downloads_left']],
    ['exhausted', 0],
  )
  ahead = 61 * 60_000
  try {
    assert.equal(await page.read('kit.zip'), 410)
  } finally {
    ahead = 0
  }
})

test('a range is no way round the limit: without the cookie of a visit, each request counts', async () => {
  for (const path of EVERY_WAY) {
    const made = await share({ max_downloads: 2 })
    const ranges = ['bytes=0-0', 'bytes=1-', 'bytes=1-']
    const statuses: number[] = []
    for (const range of ranges)
      statuses.push((await fetch(`${made.url}/${path}`, { headers: { range } })).status)
    assert.deepEqual(statuses, [206, 206, 410], path)
  }
})

test('concurrent visits never exceed the limit', async () => {
  const made = await share({ max_downloads: 3 })
  const tries = Array.from({ length: 12 }, async () => (await fetch(`${made.url}/kit.zip`)).status)
  const statuses = await Promise.all(tries)
  assert.equal(statuses.filter((status) => status === 200).length, 3)
  assert.equal(statuses.filter((status) => status === 410).length, 9)
  assert.deepEqual([(await shareOf(made))['status'], (await shareOf(made))['downloads']], ['exhausted', 3])
})

const change = (made: Made, body: object) =>
  service.call(`/v1/shares/${made.id}`, {
    method: 'PATCH',
    headers: { 'x-api-key': owner.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** What happened to a share. */
async function eventsOf(id: string) {
  const { json } = await service.call('/v1/events?limit=1000', { headers: { 'x-api-key': owner.key } })
  const all = json['data'] as readonly {
    readonly type: string
    readonly subject: string
    readonly data: object
  }[]
  return all.filter(({ subject }) => subject === id)
}

test('expiry, password and download limit can be changed, and the link stays the same', async () => {
  const made = await share({ max_downloads: 1, expires_at: inDays(1) })
  await fetch(`${made.url}/kit.zip`)
  assert.equal((await fetch(`${made.url}/kit.zip`)).status, 410)
  const raised = await change(made, { max_downloads: 2 })
  assert.deepEqual([raised.status, raised.json['status'], raised.json['max_downloads']], [200, 'active', 2])
  assert.equal((await fetch(`${made.url}/kit.zip`)).status, 200)
  assert.equal((await change(made, { max_downloads: 1 })).json['status'], 'exhausted')
  assert.partialDeepStrictEqual((await eventsOf(made.id)).at(-1), {
    type: 'share.changed',
    data: { max_downloads: 1 },
  })
  assert.equal((await change(made, { max_downloads: null })).json['max_downloads'], null)

  assert.equal((await change(made, { password: 'correct horse' })).json['has_password'], true)
  assert.equal((await fetch(`${made.url}/kit.zip`)).status, 401)
  const basic = { authorization: `Basic ${btoa(':correct horse')}` }
  assert.equal((await fetch(`${made.url}/kit.zip`, { headers: basic })).status, 200)
  assert.equal((await change(made, { password: null })).json['has_password'], false)
  assert.equal((await fetch(`${made.url}/kit.zip`)).status, 200)

  ahead = 2 * DAY_MS
  try {
    assert.equal((await fetch(`${made.url}/kit.zip`)).status, 410)
    assert.equal((await change(made, { expires_at: inDays(7) })).json['status'], 'active')
    assert.equal((await fetch(`${made.url}/kit.zip`)).status, 200)
    for (const wrong of [
      { expires_at: inDays(-1) },
      { max_downloads: 0 },
      { password: 'short' },
      { note: 'x' },
    ])
      assert.equal((await change(made, wrong)).status, 400, JSON.stringify(wrong))
  } finally {
    ahead = 0
  }
  const { data } = (await owner.get('/v1/audit?action=share.changed')).json as { data: { details: object }[] }
  assert.deepEqual(data[1]?.details, { kit_id: kitId, has_password: false })
  await revoke(made)
  assert.deepEqual([(await change(made, { max_downloads: 9 })).json['code']], ['share_revoked'])
  const other = await workspaceClient(service)
  const theirs = {
    method: 'PATCH',
    headers: { 'x-api-key': other.key, 'content-type': 'application/json' },
    body: '{}',
  }
  assert.equal((await service.call(`/v1/shares/${made.id}`, theirs)).status, 404)
})

test('a password is needed for everything, is limited in tries, and is not stored', async () => {
  const made = await share({ password: 'correct horse' })
  const wrong = { authorization: `Basic ${btoa(':wrong horse')}` }
  const right = { authorization: `Basic ${btoa('anyone:correct horse')}` }
  for (const path of [
    '/share.json',
    '/kit.zip',
    '/view/kit.zip',
    '/files/data/report.csv',
    '/proofs/data/report.csv',
  ]) {
    const refused = await fetch(made.url + path)
    assert.equal(refused.status, 401, path)
    assert.equal(await codeOf(refused), 'share_password_required')
    assert.ok(!/basic/i.test(refused.headers.get('www-authenticate') ?? ''))
  }
  assert.equal((await fetch(`${made.url}/share.json`, { headers: right })).status, 200)
  const unlock = (password: string) =>
    fetch(`${made.url}/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password }),
    })
  const unlocked = await unlock('correct horse')
  assert.equal(unlocked.status, 204)
  const [line = ''] = unlocked.headers.getSetCookie()
  assert.match(
    line,
    new RegExp(`^kitseal-share=\\d+\\.[\\w-]{43}; Path=/s/${made.token}; .*HttpOnly; SameSite=Strict`),
  )
  const cookie = line.split(';')[0] ?? ''
  assert.equal((await fetch(`${made.url}/kit.zip`, { headers: { cookie } })).status, 200)
  const forged = cookie.replace(/=\d+/, `=${clock.now() + 10 * DAY_MS}`)
  assert.equal((await fetch(`${made.url}/kit.zip`, { headers: { cookie: forged } })).status, 401)
  const another = await share({ password: 'correct horse' })
  assert.equal((await fetch(`${another.url}/kit.zip`, { headers: { cookie } })).status, 401)
  const refused = await fetch(`${made.url}/share.json`, { headers: wrong })
  assert.equal(await codeOf(refused), 'share_password_wrong')
  const statuses: number[] = []
  for (let count = 0; count < 5; count += 1) statuses.push((await unlock(`guess ${count}`)).status)
  assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429])
  assert.equal((await fetch(`${made.url}/share.json`, { headers: right })).status, 200)
  assert.ok((await accessesOf(made)).some(({ kind }) => kind === 'password_refused'))
  const shown = JSON.stringify([await shareOf(made), (await owner.get('/v1/audit')).json])
  assert.ok(!shown.includes('horse') && !service.log().includes('horse'))
  await revoke(made)
  assert.equal((await fetch(`${made.url}/kit.zip`, { headers: { cookie } })).status, 410)
})

test('a share needs a kit of the workspace, files of the kit, and an end within a year', async () => {
  const ask = async (members: object) => {
    const answer = await owner.post('/v1/shares', { kit_id: kitId, expires_at: inDays(14), ...members })
    return [answer.status, answer.json['code']]
  }
  assert.deepEqual(await ask({ kit_id: 'kit_none' }), [404, 'kit_not_found'])
  assert.deepEqual(await ask({ paths: ['data/none.txt'] }), [400, 'body_invalid'])
  assert.deepEqual(await ask({ paths: ['manifest.json'] }), [400, 'body_invalid'])
  assert.deepEqual(await ask({ expires_at: inDays(-1) }), [400, 'body_invalid'])
  assert.deepEqual(await ask({ expires_at: inDays(400) }), [400, 'body_invalid'])
  assert.deepEqual(await ask({ expires_at: 'tomorrow' }), [400, 'body_invalid'])
  assert.deepEqual(await ask({ max_downloads: 0 }), [400, 'body_invalid'])
  assert.deepEqual(await ask({ password: 'short' }), [400, 'body_invalid'])
  assert.deepEqual(await ask({ unknown: 1 }), [400, 'body_invalid'])
  const other = await workspaceClient(service)
  const stolen = await other.post('/v1/shares', { kit_id: kitId, expires_at: inDays(14) })
  assert.deepEqual([stolen.status, stolen.json['code']], [404, 'kit_not_found'])
  const made = await share()
  assert.equal((await other.get(`/v1/shares/${made.id}`)).status, 404)
  assert.equal((await other.get(`/v1/shares/${made.id}/accesses`)).status, 404)
  assert.deepEqual((await other.get('/v1/shares')).json['data'], [])
})

test('a retry with the same Idempotency-Key creates no second share and does not show the link again', async () => {
  const body = { kit_id: kitId, expires_at: inDays(14) }
  const headers = { 'idempotency-key': 'share-1' }
  const first = await owner.post('/v1/shares', body, headers)
  const second = await owner.post('/v1/shares', body, headers)
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  assert.equal(second.json['share_id'], first.json['share_id'])
  assert.match(String(first.json['url']), /\/s\//)
  assert.equal(second.json['url'], null)
})

test('the share of a deleted kit says that the files are gone', async () => {
  const id = await owner.submission()
  await owner.upload(id, form({ 'short.txt': 'lived' }))
  const kit = String((await owner.ended(id))['kit_id'])
  const made = await share({ kit_id: kit })
  const deleted = await service.call(`/v1/submissions/${id}`, {
    method: 'DELETE',
    headers: { 'x-api-key': owner.key },
  })
  assert.equal(deleted.status, 204)
  // This node may have the kit in its cache for some seconds.
  const node = await startService({ ...service.config, role: 'api' }, { clock, log: { write: () => true } })
  try {
    const url = `${node.address}/s/${made.token}`
    const json = (await (await fetch(`${url}/share.json`)).json()) as Record<string, unknown>
    assert.deepEqual([json['status'], json['kit']], ['erased', null])
    for (const path of ['kit.zip', 'view/kit.zip', 'files/data/short.txt', 'proofs/data/short.txt'])
      assert.equal((await fetch(`${url}/${path}`)).status, 410, path)
    const late = await fetch(`${node.address}/v1/shares`, {
      method: 'POST',
      headers: { 'x-api-key': owner.key, 'content-type': 'application/json' },
      body: JSON.stringify({ kit_id: kit, expires_at: inDays(1) }),
    })
    assert.equal(await codeOf(late), 'kit_expired')
  } finally {
    await node.stop()
  }
})

/** What the service has logged since, above `info`. */
const complaintsSince = (offset: number): readonly Record<string, unknown>[] =>
  (service.log().slice(offset).match(/^.+$/gm) ?? [])
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ level }) => level !== 'info')

test('a download of a lost object gets 503 and a reference, and the log tells the operator what to do', async () => {
  const id = await owner.submission()
  await owner.upload(id, form({ 'lost.txt': 'will be lost' }))
  const made = await share({ kit_id: String((await owner.ended(id))['kit_id']) })
  for (const file of filesWith(service, 'will be lost')) rmSync(file)
  for (const path of ['kit.zip', 'view/kit.zip', 'files/data/lost.txt']) {
    const offset = service.log().length
    const response = await fetch(`${made.url}/${path}`)
    assert.deepEqual([response.status, await codeOf(response)], [503, 'object_unavailable'], path)
    await until(() => complaintsSince(offset).length > 0)
    const logged = complaintsSince(offset)
    assert.equal(logged.length, 1, JSON.stringify(logged))
    assert.match(String(logged[0]?.['msg']), /run "kitseal admin scrub" and restore what it names/)
    assert.match(JSON.stringify(logged), /object \S+ is missing/)
  }
})

test('a client that leaves during a download is nothing wrong in the log', async () => {
  const id = await owner.submission()
  await owner.upload(id, form({ 'large.csv': 'name,role\nann,owner\n'.repeat(500_000) }))
  const made = await share({ kit_id: String((await owner.ended(id))['kit_id']) })
  const offset = service.log().length
  for (const path of ['kit.zip', 'files/data/large.csv']) {
    const leaving = new AbortController()
    const { body } = await fetch(`${made.url}/${path}`, { signal: leaving.signal })
    await body?.getReader().read()
    leaving.abort()
  }
  await until(async () => (await service.metrics()).includes('\nkitseal_http_in_flight 0\n'))
  assert.deepEqual(complaintsSince(offset), [])
})

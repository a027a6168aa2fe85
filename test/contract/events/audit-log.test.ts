import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type AuditEvent,
  type AuditHead,
  auditTag,
  parseAuditHead,
  parsePolicy,
  type JsonValue,
  verifyAuditLog,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { member } from '../../kit/console.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { form, workspaceClient, type WorkspaceClient } from '../../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient
before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
})
after(() => service[Symbol.asyncDispose]())

const JSONL = { accept: 'application/jsonl' }

async function events(query = '', headers = {}): Promise<readonly AuditEvent[]> {
  const { json, bytes } = await acme.get(`/v1/audit${query}`, headers)
  if (Object.keys(json).length > 0) return json['data'] as readonly AuditEvent[]
  return bytes
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AuditEvent)
}

/** A page, and the one that its cursor leads to. */
async function pages(query: string): Promise<readonly (readonly AuditEvent[])[]> {
  const { data, next_cursor } = (await acme.get(`/v1/audit${query}`)).json
  return [data as readonly AuditEvent[], await events(`?limit=2&cursor=${String(next_cursor)}`)]
}

const policy = async () => parsePolicy((await service.call('/log/policy')).bytes, nodeHost.digest)

test('an export is verified offline, and ends with a head that covers the newest event', async () => {
  const id = await acme.submission()
  await acme.upload(id, form({ 'a.txt': 'a' }))
  await acme.ended(id)
  const { bytes, headers } = await acme.get('/v1/audit/export')
  assert.match(headers.get('content-disposition') ?? '', /filename="audit-log-\d+\.jsonl"/)
  const report = await verifyAuditLog([bytes], { policy: await policy() }, nodeHost)
  assert.deepEqual([report.status, report.errors], ['PASS', []])
  assert.equal(report.head?.count, (await events('?limit=1'))[0]?.seq)
  const others = parsePolicy(Buffer.from(`log ${OTHER_LOG}\nquorum none\n`), nodeHost.digest)
  assert.equal((await verifyAuditLog([bytes], { policy: others }, nodeHost)).status, 'FAIL')
})

test('the transparency log does not name the workspace to those who know its ID', async () => {
  const { audit_tag } = (await acme.get('/v1/audit/head')).json
  const { bytes } = await acme.get('/v1/audit/export')
  const { workspace_id, audit_secret } = JSON.parse(
    bytes.toString().trim().split('\n').at(-1) ?? '',
  ) as AuditHead
  assert.equal(audit_tag, auditTag(workspace_id ?? '', audit_secret ?? '', nodeHost.digest))
  assert.notEqual(audit_tag, auditTag(workspace_id ?? '', '', nodeHost.digest))
  assert.match(audit_secret ?? '', /^[\w-]{43}$/)
})

const OTHER_LOG = 'example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx'

test('a head covers the newest event, and asking again adds nothing to the log', async () => {
  const first = (await acme.get('/v1/audit/head')).json as unknown as JsonValue
  assert.ok(parseAuditHead(first).ok)
  const { bytes } = await service.call('/log/checkpoint')
  await acme.get('/v1/audit/head')
  await acme.get('/v1/audit/export')
  assert.deepEqual((await service.call('/log/checkpoint')).bytes, bytes)
  await acme.submission()
  const { count, head } = (await acme.get('/v1/audit/head')).json
  const [newest] = await events('?limit=1')
  assert.deepEqual([count, head], [newest?.seq, newest?.hash])
})

test('after returns events oldest first and without gaps, as JSON and as JSON Lines', async () => {
  const all = await events('?after=0&limit=1000')
  assert.deepEqual(
    all.map(({ seq }) => seq),
    all.map((_, index) => index + 1),
  )
  assert.deepEqual(
    (await events('?after=2&limit=2')).map(({ seq }) => seq),
    [3, 4],
  )
  assert.deepEqual(await events(`?after=${all.length}`), [])
  const lines = await events('?after=0&limit=1000', JSONL)
  assert.deepEqual(lines, all)
  const [first, second] = await pages('?after=2&limit=2')
  assert.deepEqual([first, second?.slice(0, 1)], [all.slice(2, 4), all.slice(4, 5)])
  assert.equal((await acme.get(`/v1/audit?after=${all.length}`, JSONL)).bytes.length, 0)
  const newestFirst = await events('?limit=1000')
  assert.deepEqual(newestFirst.toReversed(), all)
})

test('events can be filtered by kind, person, subject and time, but not with after', async () => {
  const all = await events('?limit=1000')
  const kinds = await events('?action=submission&limit=1000')
  assert.ok(kinds.length > 0 && kinds.length < all.length)
  assert.deepEqual(
    kinds,
    all.filter(({ action }) => action.startsWith('submission.')),
  )
  assert.deepEqual(
    await events('?action=key.created'),
    all.filter(({ action }) => action === 'key.created'),
  )
  const [{ key_id, subject, at }] = kinds.filter((event) => event.key_id !== null) as [AuditEvent]
  assert.deepEqual(
    await events(`?by=${key_id}`),
    all.filter((event) => event.key_id === key_id),
  )
  assert.deepEqual(
    await events('?by=operator'),
    all.filter(({ actor }) => actor === 'operator'),
  )
  assert.deepEqual(
    await events(`?subject=${subject}`),
    all.filter((event) => event.subject === subject),
  )
  assert.deepEqual(
    await events(`?since=${at}&limit=1000`),
    all.filter((event) => event.at >= at),
  )
  assert.deepEqual(
    await events(`?until=${at}&limit=1000`),
    all.filter((event) => event.at < at),
  )
  for (const query of [
    'after=0&by=operator',
    'after=0&since=2026-01-01T00:00:00Z',
    'after=-1',
    'since=today',
  ])
    assert.equal((await acme.get(`/v1/audit?${query}`)).status, 400, query)
})

test('files that are uploaded one by one are one event, and one more for each other sender', async () => {
  const ann = await member(service, 'member', acme.workspaceId)
  const id = await acme.submission()
  for (let file = 0; file < 4; file += 1)
    await acme.upload(id, form({ [`${file}.txt`]: 'text' }, { final: 'false' }))
  assert.equal((await ann.upload(id, form({ 'last.txt': 'text' }))).status, 202)
  await acme.ended(id)
  const found = (await events(`?subject=${id}`)).toReversed()
  assert.deepEqual(
    found.map(({ action, actor, details }) => [action, actor, details['files'], details['uploads']]),
    [
      ['submission.created', 'key', undefined, undefined],
      ['evidence.received', 'key', 4, undefined],
      ['submission.sealed', 'member', 5, 5],
      ['submission.passed', 'service', undefined, undefined],
    ],
  )
})

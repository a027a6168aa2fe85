import assert from 'node:assert/strict'
import { until } from '../../kit/until.ts'
import { revokeSigningKey } from '../../kit/command.ts'
import { after, before, test } from 'node:test'
import { zipOf } from '../../../examiner/test/evidence-samples.ts'
import { AUDIENCE, type Provider, startProvider } from '../../kit/ci-provider.ts'
import { ended, member } from '../../kit/console.ts'
import { supplierClient } from '../../kit/supplier.ts'
import { type TestService, testService } from '../../kit/service.ts'
import {
  administer,
  clientOf,
  form,
  type WorkspaceClient,
  workspaceClient,
  type WorkspaceId,
} from '../../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient
let provider: Provider
before(async () => {
  provider = await startProvider()
  service = await testService({ KITSEAL_FEDERATION_ALLOW: '127.0.0.1' })
  acme = await workspaceClient(service, { credits: 100 })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await provider.stop()
})

const FILES = { 'a.csv': 'name,role\nada,admin\n', 'b.txt': 'b' }
const PROWLER = { collector: { name: 'Prowler', version: '5.9' }, collected_at: '2026-01-31' }
type Entry = Readonly<Record<string, unknown>>

async function entriesOf(client: WorkspaceClient, id: string): Promise<readonly Entry[]> {
  const submission = await client.ended(id)
  assert.equal(submission['status'], 'PASS', JSON.stringify(submission['blockers']))
  const { json } = await client.get(`/v1/submissions/${id}/deliverables/reports/provenance.json`)
  assert.equal(json['provenance_version'], 'kitseal-provenance-1')
  const zip = (await client.get(`/v1/submissions/${id}/deliverables/kit.zip`)).bytes
  const checked = await client.post('/v1/verify/kit', zip, { 'content-type': 'application/zip' })
  assert.deepEqual(checked.json['provenance'], { confirmed: true, problem: null, entries: json['entries'] })
  return json['entries'] as readonly Entry[]
}

const of = (entries: readonly Entry[], source: string): readonly Entry[] =>
  entries.filter((entry) => entry['source'] === source)

async function submitted(members: object, fields: object = {}, headers = {}): Promise<readonly Entry[]> {
  const id = await acme.submission(members)
  const sent = await acme.upload(id, form(FILES, fields), headers)
  assert.equal(sent.status, 202, sent.bytes.toString())
  return entriesOf(acme, id)
}

test('a kit from CI names repository, commit, workflow and run of the token, and no person', async () => {
  const rules = [{ claim: 'repository', equals: 'acme/evidence' }]
  const federation = { label: 'GitHub', issuer: provider.issuer, audience: AUDIENCE, claims: rules }
  const { federation_id } = (await acme.post('/v1/federation', federation)).json
  const exchanged = await service.call('/v1/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: await provider.token(),
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      federation_id,
    }),
  })
  assert.equal(exchanged.status, 200, exchanged.bytes.toString())
  const job = clientOf(service, acme.workspaceId, String(exchanged.json['access_token']))
  const id = await job.submission()
  await job.upload(id, form(FILES), { 'user-agent': 'kitseal/1.0.0-rc.1' })
  const entries = await entriesOf(job, id)
  assert.deepEqual(of(entries, 'ci_token'), [
    {
      paths: 'all files',
      source: 'ci_token',
      statement: 'verified',
      issuer: provider.issuer,
      repository: 'acme/evidence',
      ref: 'refs/heads/main',
      commit: '5d41402abc4b2a76b9719d911017c592a1b2c3d4',
      workflow: 'acme/evidence/.github/workflows/evidence.yml@refs/heads/main',
      run: '4711',
      attempt: '1',
    },
  ])
  const [client] = of(entries, 'client')
  assert.deepEqual(
    [client?.['statement'], client?.['name'], client?.['version']],
    ['stated', 'kitseal', '1.0.0-rc.1'],
  )
  assert.ok(!JSON.stringify(entries).includes('octocat'), 'no person is named')
})

test('a claim of a token that has not the form of its kind is not sealed', async () => {
  const federation = { label: 'Own', issuer: provider.issuer, audience: AUDIENCE }
  const rules = [{ claim: 'repository', equals: 'acme/evidence' }]
  const { federation_id } = (await acme.post('/v1/federation', { ...federation, claims: rules })).json
  const run_id = '1 · token of https://token.actions.githubusercontent.com'
  const exchanged = await service.call('/v1/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: await provider.token(AUDIENCE, {
        run_id,
        ref: 'a b',
        sha: 'HEAD',
        workflow_ref: 'x\u00b7y',
      }),
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      federation_id,
    }),
  })
  const job = clientOf(service, acme.workspaceId, String(exchanged.json['access_token']))
  const id = await job.submission()
  await job.upload(id, form(FILES))
  const [{ issuer, repository, ...others } = {} as Entry] = of(await entriesOf(job, id), 'ci_token')
  assert.deepEqual([issuer, repository], [provider.issuer, 'acme/evidence'])
  assert.deepEqual(Object.keys(others).toSorted(), ['attempt', 'paths', 'source', 'statement'])
})

test('an upload with a key names time, route and key, and nothing else is verified', async () => {
  const entries = await submitted({}, {}, { 'user-agent': 'curl/8' })
  const [upload, ...more] = entries
  assert.deepEqual(more, [])
  const { at, key_id, ...rest } = upload ?? {}
  assert.match(String(at), /^\d{4}-.*Z$/)
  assert.match(String(key_id), /^key_/)
  assert.deepEqual(rest, {
    paths: 'all files',
    source: 'upload',
    statement: 'verified',
    route: 'api',
    protocol: 'form',
    workspace_id: acme.workspaceId,
  })
})

test('members, keys and suppliers with a link are named by ID, and neither addresses nor labels are sealed as verified', async () => {
  const owner = await member(service, 'owner', acme.workspaceId)
  const made = await owner.post('/v1/submissions', { label: 'Browser' })
  const id = String(made.json['submission_id'])
  await owner.upload(id, form(FILES))
  await ended(owner, id)
  const [browser] = await entriesOf(acme, id)
  assert.deepEqual([browser?.['route'], String(browser?.['member_id']).slice(0, 4)], ['browser', 'mem_'])
  assert.ok(!JSON.stringify(browser).includes('@'))

  const label = 'ann@acme.example · CI token of https://token.actions.githubusercontent.com'
  const key = await administer(service, ({ keys }) =>
    keys.create(acme.workspaceId as WorkspaceId, { label }, { is: 'operator' }),
  )
  const ann = clientOf(service, acme.workspaceId, key.text)
  const second = await ann.submission()
  await ann.upload(second, form(FILES))
  const [byKey] = await entriesOf(ann, second)
  assert.equal(byKey?.['key_id'], key.keyId)
  assert.ok(!JSON.stringify(byKey).includes('github'))
})

test('a request link is the route of what came through it', async () => {
  const asked = {
    title: 'Review',
    items: [{ id: 'CC6.1', title: 'Users' }],
    recipients: ['ann@acme.example'],
  }
  const created = await acme.post('/v1/requests', asked)
  assert.equal(created.status, 201, created.bytes.toString())
  const supplier = supplierClient(service, (created.json['link'] as { readonly url: string }).url)
  const id = await supplier.draft()
  assert.equal((await supplier.upload(id, { 'CC6.1/users.csv': FILES['a.csv'] })).status, 202)
  assert.equal(await supplier.submit(id), 'PASS')
  const entries = await entriesOf(acme, id)
  const [upload] = of(entries, 'upload')
  assert.equal(upload?.['route'], 'request_link')
  assert.ok(typeof upload['link_id'] === 'string' && !('workspace_id' in upload))
  assert.ok(!JSON.stringify(entries).includes('@'), 'addresses are not sealed')
})

test('files of different uploads have entries of their own, and those of an archive that of the archive', async () => {
  const id = await acme.submission()
  await acme.upload(id, form({ 'e.zip': zipOf({ 'x.txt': 'x', 'y.txt': 'y' }) }, { final: false }))
  await acme.upload(id, form({ 'b.txt': 'b' }))
  const uploads = of(await entriesOf(acme, id), 'upload')
  assert.deepEqual(
    uploads.map(({ paths }) => paths),
    [['data/b.txt'], ['data/e/x.txt', 'data/e/y.txt']],
  )
})

test('what the supplier states is sealed as stated, and that of a file replaces that of the submission', async () => {
  const own = { query: 'SELECT *\nFROM users', system: 'db1' }
  const entries = await submitted({ provenance: { ...PROWLER, files: { 'b.txt': own } } })
  const members = { source: 'supplier', statement: 'stated' }
  assert.deepEqual(of(entries, 'supplier'), [
    { ...members, ...PROWLER, paths: ['data/a.csv'] },
    { ...members, ...own, paths: ['data/b.txt'] },
  ])
})

test('the upload can state it too, and replaces what was stated before', async () => {
  const provenance = JSON.stringify({ system: 'later', files: { 'b.txt': { system: 'b' } } })
  const entries = await submitted({ provenance: { ...PROWLER } }, { provenance })
  assert.deepEqual(
    of(entries, 'supplier').map(({ paths, system, collector }) => [paths, system, collector]),
    [
      [['data/a.csv'], 'later', undefined],
      [['data/b.txt'], 'b', undefined],
    ],
  )
})

test('provenance that is malformed, too long or in the future is refused, and the message says what is wrong', async () => {
  const refused = async (provenance: unknown): Promise<string> => {
    const answer = await acme.post('/v1/submissions', { label: 'x', provenance })
    assert.deepEqual([answer.status, answer.json['code']], [400, 'body_invalid'], answer.bytes.toString())
    return String(answer.json['message'])
  }
  assert.match(await refused({}), /provenance must not be empty/)
  assert.match(await refused({ statement: 'verified' }), /statement/)
  assert.match(await refused({ collector: { version: '1' } }), /collector.name/)
  assert.match(
    await refused({ period: { from: '2026-02-01', to: '2026-01-31' } }),
    /must not end before it begins/,
  )
  assert.match(await refused({ collected_at: 'yesterday' }), /collected_at must be a date/)
  assert.match(await refused({ collected_at: '2098-01-01' }), /collected_at must not be in the future/)
  assert.match(await refused({ system: 'a\u202eb' }), /without control characters/)
  assert.match(await refused({ system: 'x'.repeat(501) }), /system/)
  assert.match(await refused({ files: { '../a': PROWLER } }), /files\["\.\.\/a"\]/)
  const id = await acme.submission()
  for (const provenance of ['{', '{}', '[]', '{"a":1}', `{"system":"${'x'.repeat(200_000)}"}`]) {
    const sent = await acme.upload(id, form(FILES, { provenance }))
    assert.deepEqual([sent.status, sent.json['param']], [400, 'provenance'], provenance.slice(0, 20))
  }
})

test('a statement about a file that is not there is a notice', async () => {
  const id = await acme.submission({ provenance: { files: { 'c.txt': PROWLER } } })
  await acme.upload(id, form(FILES))
  const { findings } = (await acme.ended(id)) as { findings: readonly Entry[] }
  assert.deepEqual(
    findings.filter(({ code }) => code === 'provenance_unmatched').map(({ path, class: is }) => [path, is]),
    [['c.txt', 'notice']],
  )
})

test('a resubmitted file keeps the time of its upload and its provenance, and so does a re-issued kit', async () => {
  const id = await acme.submission({ provenance: PROWLER })
  await acme.upload(id, form({ 'bad.pdf': '%PDF-1.7 cut', 'a.csv': FILES['a.csv'] }))
  assert.equal((await acme.ended(id))['status'], 'FAIL')
  const again = await acme.post(`/v1/submissions/${id}/resubmit`, { keep: [1] })
  assert.equal(again.status, 201, again.bytes.toString())
  assert.deepEqual(again.json['provenance'], PROWLER)
  const second = String(again.json['submission_id'])
  await acme.upload(second, form({}, { final: true }))
  const entries = await entriesOf(acme, second)
  const { updated_at } = (await acme.get(`/v1/submissions/${id}`)).json
  assert.ok(String(of(entries, 'upload')[0]?.['at']) <= String(updated_at), 'not the time of the new draft')
  assert.equal(of(entries, 'supplier').length, 1)

  await revokeSigningKey(service)
  const reissued = await acme.post(`/v1/submissions/${second}/reissue`, {})
  assert.deepEqual(await entriesOf(acme, String(reissued.json['submission_id'])), entries)
})

test('the kit is described with its provenance, and a share of some files says nothing about the others', async () => {
  const own = { files: { 'a.csv': { system: 'A' }, 'b.txt': { system: 'B' } } }
  const id = await acme.submission({ provenance: own })
  await acme.upload(id, form(FILES))
  const entries = await entriesOf(acme, id)
  const { kit_id } = (await acme.get(`/v1/submissions/${id}`)).json
  assert.deepEqual((await acme.get(`/v1/kits/${String(kit_id)}`)).json['provenance'], entries)
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const shared = async (members: object): Promise<readonly Entry[]> => {
    const { json } = await acme.post('/v1/shares', { kit_id, expires_at, ...members })
    const opened = (await (await fetch(`${String(json['url'])}/share.json`)).json()) as {
      provenance: Entry[]
    }
    return opened.provenance
  }
  assert.deepEqual(await shared({}), entries)
  const some = await shared({ paths: ['data/a.csv'] })
  assert.deepEqual(
    of(some, 'supplier').map(({ paths, system }) => [paths, system]),
    [[['data/a.csv'], 'A']],
  )
  assert.ok(!JSON.stringify(some).includes('b.txt'))
})

test('a job without files says that the service wrote its only file', async () => {
  const made = await acme.post('/v1/intake/jobs', { tenant_id: acme.workspaceId, scope_label: 'None' })
  const job = String(made.json['job_id'])
  let kit: unknown = null
  await until(async () => {
    kit = (await acme.get(`/v1/intake/jobs/${job}`)).json['kit_id']
    return kit !== null
  })
  const zip = (await acme.get(`/v1/kits/${String(kit)}/download`)).bytes
  const { json } = await acme.post('/v1/verify/kit', zip, { 'content-type': 'application/zip' })
  const { entries } = json['provenance'] as { entries: readonly Entry[] }
  assert.deepEqual(
    entries.map(({ paths, source }) => [paths, source]),
    [[['data/intake.json'], 'service']],
  )
})

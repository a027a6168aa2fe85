import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readClaims } from '@kitseal/kit/internal'
import { openKit } from '@kitseal/kit/node'
import { revokeSigningKey } from '../../kit/command.ts'
import { member } from '../../kit/console.ts'
import { supplierClient } from '../../kit/supplier.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient

before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
})
after(() => service[Symbol.asyncDispose]())

const FILES = { 'CC6.1/users.csv': 'name,role\nada,admin\n' }
const INTAKE_MEMBERS =
  'accept blockers boundary bytes_recorded checksums examined_at files_recorded findings left_out limits outcome profile report rules ' +
  'statement supplied supplier virus_scanner'

test('a kit of a request names the requester, and no supplier, wherever it is shown', async () => {
  const id = await answered()
  const requester = { workspace_id: acme.workspaceId, name: 'Acme', confirmed_by: 'operator' }
  const report = await intakeReport(id)
  assert.deepEqual([report['supplier'], report['requested_by']], [null, requester])
  assert.ok(!JSON.stringify(report).includes('ann@supplier.example'), 'addresses are not sealed')

  const shown = await shownOf(id)
  assert.deepEqual([shown.claims?.supplier, shown.claims?.requested_by], [null, requester])
  assert.deepEqual(
    [shown.share['supplier'], shown.share['requested_by']],
    [null, { name: 'Acme', confirmed_by: 'operator' }],
  )
  assert.deepEqual([shown.console['supplier'], shown.console['requested_by']], [null, requester])
})

test('a submission of the workspace names it as the supplier, and has no other member', async () => {
  const id = await submitted()
  const supplier = { workspace_id: acme.workspaceId, name: 'Acme', confirmed_by: 'operator' }
  const report = await intakeReport(id)
  assert.equal(Object.keys(report).toSorted().join(' '), INTAKE_MEMBERS)
  assert.deepEqual(report['supplier'], supplier)

  const shown = await shownOf(id)
  assert.deepEqual(shown.claims?.supplier, supplier)
  assert.deepEqual(shown.share['supplier'], { name: 'Acme', confirmed_by: 'operator' })
  assert.deepEqual(shown.console['supplier'], supplier)
  for (const each of [shown.claims, shown.share, shown.console]) assert.ok(!('requested_by' in each))
})

test('a re-issued kit of a request still names no supplier', async () => {
  const id = await answered()
  const report = await intakeReport(id)
  assert.equal(report['supplier'], null)
  await revokeSigningKey(service)
  const created = await acme.post(`/v1/submissions/${id}/reissue`, {})
  assert.equal(created.status, 201, created.bytes.toString())
  const again = String(created.json['submission_id'])
  assert.equal((await acme.ended(again))['status'], 'PASS')
  assert.deepEqual(await intakeReport(again), report)
})

test('a failed round cannot be resubmitted as evidence of the workspace, and the supplier can correct it', async () => {
  const items = [{ id: 'CC6.1', title: 'List of users' }]
  const created = await acme.post('/v1/requests', { title: 'Access review', items })
  const supplier = supplierClient(service, (created.json['link'] as { readonly url: string }).url)
  const id = await supplier.draft()
  await supplier.upload(id, { ...FILES, 'CC6.1/tool.txt': `MZ${'\0'.repeat(300)}` })
  assert.equal(await supplier.submit(id), 'FAIL')
  const one = await member(service, 'member', acme.workspaceId)
  const refused = await one.post(`/v1/submissions/${id}/resubmit`, { keep: [0] })
  assert.deepEqual([refused.status, refused.json['code']], [409, 'submission_of_request'])
  const next = await supplier.draft()
  const [item] = await supplier.items()
  const tool = item?.files.find(({ name }) => name.endsWith('tool.txt'))
  assert.equal((await supplier.call(`/files/${tool?.position}`, { method: 'DELETE' })).status, 204)
  assert.equal(await supplier.submit(next), 'PASS')
})

/** The submission of a request that someone answered through its link. */
async function answered(): Promise<string> {
  const items = [{ id: 'CC6.1', title: 'List of users' }]
  const recipients = ['ann@supplier.example']
  const created = await acme.post('/v1/requests', { title: 'Access review', items, recipients })
  assert.equal(created.status, 201, created.bytes.toString())
  const supplier = supplierClient(service, (created.json['link'] as { readonly url: string }).url)
  const id = await supplier.draft()
  assert.equal((await supplier.upload(id, FILES)).status, 202)
  assert.equal(await supplier.submit(id), 'PASS')
  return id
}

async function submitted(): Promise<string> {
  const id = await acme.submission()
  await acme.upload(id, form(FILES))
  assert.equal((await acme.ended(id))['status'], 'PASS')
  return id
}

const intakeReport = async (id: string) =>
  (await acme.get(`/v1/submissions/${id}/deliverables/reports/intake_report.json`)).json

/** What verifiers, the page of a share and the console are told about a kit. */
async function shownOf(id: string) {
  const kitId = String((await acme.get(`/v1/submissions/${id}`)).json['kit_id'])
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const made = await acme.post('/v1/shares', { kit_id: kitId, expires_at: expiresAt })
  const share = await fetch(`${String(made.json['url'])}/share.json`)
  const viewer = await member(service, 'viewer', acme.workspaceId)
  const console = await viewer.get(`/v1/kits/${kitId}`)
  assert.deepEqual([share.status, console.status], [200, 200])

  const file = join(service.dataFolder, `${kitId}.zip`)
  writeFileSync(file, (await acme.get(`/v1/kits/${kitId}/download`)).bytes)
  using kit = await openKit(file)
  const claims = await readClaims(kit)
  assert.ok(claims)
  return { claims, share: (await share.json()) as Readonly<Record<string, unknown>>, console: console.json }
}

test('the name that a supplier gives is sealed as stated, and the requester sees it', async () => {
  const items = [{ id: 'CC6.1', title: 'List of users' }]
  const created = await acme.post('/v1/requests', { title: 'Access review', items })
  const supplier = supplierClient(service, (created.json['link'] as { readonly url: string }).url)
  const id = await supplier.draft()
  await supplier.upload(id, FILES)
  const said = await supplier.call('/sender', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ann' }),
  })
  assert.equal(said.status, 200, said.bytes.toString())
  assert.equal(await supplier.submit(id), 'PASS')
  const { json } = await acme.get(`/v1/submissions/${id}/deliverables/reports/provenance.json`)
  const entries = json['entries'] as readonly { readonly source: string }[]
  assert.deepEqual(
    entries.filter(({ source }) => source === 'supplier'),
    [{ paths: 'all files', source: 'supplier', statement: 'stated', name: 'Ann' }],
  )
  const asked = await acme.get(`/v1/requests/${String(created.json['evidence_request_id'])}`)
  assert.deepEqual((asked.json['rounds'] as readonly { readonly sender: unknown }[])[0]?.sender, {
    name: 'Ann',
  })
})

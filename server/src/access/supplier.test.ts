import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { member } from '../../test/console-client.ts'
import { issuedKit, type TestService, testService } from '../../test/test-service.ts'
import { administer, form, type WorkspaceClient, workspaceClient } from '../../test/workspace-client.ts'

const OPERATOR = { is: 'operator' } as const

let service: TestService
let acme: WorkspaceClient

before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
})
after(() => service[Symbol.asyncDispose]())

test('a kit names its supplier with the name of the workspace when it was issued', async () => {
  const first = await passed()
  assert.deepEqual(await supplierOf(first), { workspace_id: acme.workspaceId, name: 'Acme' })
  await rename('Acme Zürich AG')
  assert.deepEqual(await supplierOf(await passed()), {
    workspace_id: acme.workspaceId,
    name: 'Acme Zürich AG',
  })
  assert.deepEqual(await supplierOf(first), { workspace_id: acme.workspaceId, name: 'Acme' })
  await rename('Acme')
})

test('a job of a workspace without files names the supplier too', async () => {
  const job = { tenant_id: acme.workspaceId, scope_label: 'no files' }
  const created = await acme.post('/v1/intake/jobs', job)
  const kitId = await issuedKit(service.call, String(created.json['job_id']))
  assert.deepEqual(await reportIn(kitId), { workspace_id: acme.workspaceId, name: 'Acme' })
})

test('a kit of open intake names no supplier, whatever tenant_id says', async () => {
  const { kitId } = await service.issue({ tenant_id: acme.workspaceId, scope_label: 'claimed' })
  assert.equal(await reportIn(kitId), null)
})

test('an owner proposes a name, and only the operator makes it the name', async () => {
  const owner = await member(service, 'owner', acme.workspaceId)
  const propose = async (proposed_name: string | null) => {
    const { status, json } = await owner.send('PATCH', '/workspace', { proposed_name })
    assert.equal(status, 200, JSON.stringify(json))
    return json['workspace'] as { readonly name: string; readonly proposed_name: string | null }
  }
  const proposed = await propose('  Acme Zu\u0308rich ')
  assert.deepEqual([proposed.name, proposed.proposed_name], ['Acme', 'Acme Zürich'])
  assert.deepEqual((await supplierOf(await passed()))?.name, 'Acme')

  const id = acme.workspaceId as WorkspaceId
  const changed = await administer(service, async ({ workspaces }) => {
    assert.equal(await workspaces.approveName(id, 'Acme Bank', OPERATOR), false)
    assert.equal((await workspaces.find(id))?.name, 'Acme')
    assert.equal(await workspaces.approveName(id, 'Acme Zürich', OPERATOR), true)
    assert.equal(await workspaces.approveName(id, 'Acme Zürich', OPERATOR), false)
    return workspaces.find(id)
  })
  assert.deepEqual([changed?.name, changed?.proposed_name], ['Acme Zürich', null])
  assert.deepEqual((await supplierOf(await passed()))?.name, 'Acme Zürich')

  await propose('Central Bank')
  await administer(service, async ({ workspaces }) => {
    assert.equal(await workspaces.declineName(id, OPERATOR), 'Central Bank')
    assert.equal(await workspaces.declineName(id, OPERATOR), undefined)
  })
  await propose('Acme Group')
  assert.equal((await propose(null)).proposed_name, null)
  assert.equal((await propose('Acme Zürich')).name, 'Acme Zürich')
  assert.deepEqual(await nameEvents(), [
    ['workspace.name_proposed', 'member', { name: 'Acme Zürich' }],
    ['workspace.name_approved', 'operator', { name: 'Acme Zürich', previous: 'Acme' }],
    ['workspace.name_proposed', 'member', { name: 'Central Bank' }],
    ['workspace.name_declined', 'operator', { name: 'Central Bank' }],
    ['workspace.name_proposed', 'member', { name: 'Acme Group' }],
    ['workspace.name_withdrawn', 'member', { name: 'Acme Group' }],
  ])
})

test('an owner cannot set the name, and a member cannot propose one', async () => {
  const owner = await member(service, 'owner', acme.workspaceId)
  const set = await owner.send('PATCH', '/workspace', { name: 'Central Bank' })
  assert.deepEqual([set.status, set.json['code']], [400, 'body_invalid'])
  const other = await member(service, 'member', acme.workspaceId)
  const proposed = await other.send('PATCH', '/workspace', { proposed_name: 'Central Bank' })
  assert.equal(proposed.status, 403)
})

test('names with control or bidirectional characters, empty names and long names are rejected', async () => {
  const owner = await member(service, 'owner', acme.workspaceId)
  const id = acme.workspaceId as WorkspaceId
  for (const name of ['', '   ', 'a\nb', 'Acme \u202eknaB', '\u2067x', 'x\u2028y', 'x'.repeat(201)]) {
    const proposed = await owner.send('PATCH', '/workspace', { proposed_name: name })
    assert.deepEqual([proposed.status, proposed.json['code']], [400, 'body_invalid'], JSON.stringify(name))
    await administer(service, async ({ workspaces }) => {
      await assert.rejects(workspaces.update(id, { name }, OPERATOR), /A workspace name must be/)
      const request = { name, plan: 'default', credits: 0, keyLabel: 'first' }
      await assert.rejects(workspaces.create(request, OPERATOR), /A workspace name must be/)
    })
  }
  assert.equal((await owner.send('PATCH', '/workspace', { proposed_name: '𝕏'.repeat(200) })).status, 200)
})

const rename = (name: string): Promise<boolean> =>
  administer(service, ({ workspaces }) =>
    workspaces.update(acme.workspaceId as WorkspaceId, { name }, OPERATOR),
  )

async function passed(): Promise<string> {
  const id = await acme.submission()
  await acme.upload(id, form({ 'users.csv': 'name,role\nada,admin\n' }))
  assert.equal((await acme.ended(id))['status'], 'PASS')
  return id
}

async function supplierOf(id: string): Promise<{ readonly name: string } | null> {
  const report = await acme.get(`/v1/submissions/${id}/deliverables/reports/intake_report.json`)
  return report.json['supplier'] as { readonly name: string } | null
}

/** The supplier in the intake report of a kit, from the archive. Entries are stored, so the JSON is readable in it. */
async function reportIn(kitId: string): Promise<unknown> {
  const zip = (await acme.get(`/v1/kits/${kitId}/download`)).bytes.toString('latin1')
  const [, supplier = ''] = /"supplier":(null|\{[^}]*\})/.exec(zip) ?? []
  return JSON.parse(supplier)
}

async function nameEvents(): Promise<readonly unknown[]> {
  const { data: events } = (await acme.get('/v1/audit')).json as {
    data: { action: string; actor: string; details: object }[]
  }
  return events
    .filter(({ action }) => action.startsWith('workspace.name_'))
    .map(({ action, actor, details }) => [action, actor, details])
    .toReversed()
}

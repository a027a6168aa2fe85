import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { member } from '../../kit/console.ts'
import { issuedKit, type TestService, testService } from '../../kit/service.ts'
import {
  administer,
  form,
  type WorkspaceClient,
  workspaceClient,
  type WorkspaceId,
} from '../../kit/workspace.ts'

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
  assert.deepEqual(await supplierOf(first), {
    workspace_id: acme.workspaceId,
    name: 'Acme',
    confirmed_by: 'operator',
  })
  await rename('Acme Zürich AG')
  assert.deepEqual(await supplierOf(await passed()), {
    workspace_id: acme.workspaceId,
    name: 'Acme Zürich AG',
    confirmed_by: 'operator',
  })
  assert.deepEqual(await supplierOf(first), {
    workspace_id: acme.workspaceId,
    name: 'Acme',
    confirmed_by: 'operator',
  })
  await rename('Acme')
})

test('a job of a workspace without files names the supplier too', async () => {
  const job = { tenant_id: acme.workspaceId, scope_label: 'no files' }
  const created = await acme.post('/v1/intake/jobs', job)
  const kitId = await issuedKit(service.call, String(created.json['job_id']))
  assert.deepEqual(await reportIn(kitId), {
    workspace_id: acme.workspaceId,
    name: 'Acme',
    confirmed_by: 'operator',
  })
})

test('a kit of open intake names no supplier, whatever tenant_id says', async () => {
  const { kitId } = await service.issue({ tenant_id: acme.workspaceId, scope_label: 'claimed' })
  assert.equal(await reportIn(kitId), null)
})

test('an owner names the workspace at once, and only the operator confirms the name', async () => {
  const owner = await member(service, 'owner', acme.workspaceId)
  const rename = async (name: string) => {
    const { status, json } = await owner.send('PATCH', '/workspace', { name })
    assert.equal(status, 200, JSON.stringify(json))
    const { name: now, named_by } = json['workspace'] as Record<string, unknown>
    return [now, named_by]
  }
  assert.deepEqual(await rename('Acme'), ['Acme', 'operator'])
  assert.deepEqual(await rename('  Acme Zu\u0308rich '), ['Acme Zürich', 'workspace'])
  assert.deepEqual(await namesIn(await passed()), ['Acme Zürich', null])

  const id = acme.workspaceId as WorkspaceId
  await administer(service, async ({ workspaces }) => {
    assert.equal(await workspaces.confirmName(id, 'Acme Bank'), false)
    assert.equal((await workspaces.find(id))?.named_by, 'workspace')
    assert.equal(await workspaces.confirmName(id, 'Acme Zürich'), true)
  })
  assert.deepEqual(await namesIn(await passed()), ['Acme Zürich', 'operator'])
  assert.deepEqual(await rename('Central Bank'), ['Central Bank', 'workspace'])
  assert.deepEqual(await namesIn(await passed()), ['Central Bank', null])
  assert.deepEqual(await nameEvents(), [
    ['workspace.changed', 'member', { name: 'Acme' }],
    ['workspace.changed', 'member', { name: 'Acme Zürich' }],
    ['workspace.name_confirmed', 'operator', { name: 'Acme Zürich' }],
    ['workspace.changed', 'member', { name: 'Central Bank' }],
  ])
})

test('a member cannot name the workspace, and an owner cannot say who confirms it', async () => {
  const owner = await member(service, 'owner', acme.workspaceId)
  const set = await owner.send('PATCH', '/workspace', { name: 'Central Bank', named_by: 'operator' })
  assert.deepEqual([set.status, set.json['code']], [400, 'body_invalid'])
  const other = await member(service, 'member', acme.workspaceId)
  assert.equal((await other.send('PATCH', '/workspace', { name: 'Central Bank' })).status, 403)
})

test('names with control or bidirectional characters, empty names and long names are rejected', async () => {
  const owner = await member(service, 'owner', acme.workspaceId)
  const id = acme.workspaceId as WorkspaceId
  for (const name of ['', '   ', 'a\nb', 'Acme \u202eknaB', '\u2067x', 'x\u2028y', 'x'.repeat(201)]) {
    const proposed = await owner.send('PATCH', '/workspace', { name })
    assert.deepEqual([proposed.status, proposed.json['code']], [400, 'body_invalid'], JSON.stringify(name))
    await administer(service, async ({ workspaces }) => {
      await assert.rejects(workspaces.update(id, { name }, OPERATOR), /A workspace name must be/)
      const request = { name, plan: 'default', credits: 0, keyLabel: 'first' }
      await assert.rejects(workspaces.create(request, OPERATOR), /A workspace name must be/)
    })
  }
  assert.equal((await owner.send('PATCH', '/workspace', { name: '𝕏'.repeat(200) })).status, 200)
})

test('a binder is in the language of the workspace when its kit is issued', async () => {
  const owner = await member(service, 'owner', acme.workspaceId)
  const setLanguage = async (language: string) =>
    (await owner.send('PATCH', '/workspace', { language })).status
  assert.equal(await languageOfBinder(await passed()), 'en')
  assert.equal(await setLanguage('ja'), 200)
  assert.equal(await setLanguage('tlh'), 400)
  const japanese = await passed()
  assert.equal(await setLanguage('en'), 200)
  assert.equal(await languageOfBinder(japanese), 'ja')
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

/** Objects of a PDF are compressed. */
async function languageOfBinder(id: string): Promise<string | undefined> {
  const { bytes } = await acme.get(`/v1/submissions/${id}/deliverables/binder.pdf`)
  for (const { index, 0: start } of bytes.toString('latin1').matchAll(/ObjStm[^]*?stream\r?\n/g)) {
    const objects = inflateSync(bytes.subarray(index + start.length)).toString('latin1')
    const [, language] = /\/Lang \((.*?)\)/.exec(objects) ?? []
    if (language !== undefined) return language
  }
  return undefined
}

async function namesIn(id: string): Promise<readonly unknown[]> {
  const supplier = (await supplierOf(id)) as Record<string, unknown>
  return [supplier['name'], supplier['confirmed_by']]
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
    .filter(
      ({ action, actor }) =>
        action.startsWith('workspace.') && (actor === 'member' || action.endsWith('confirmed')),
    )
    .map(({ action, actor, details }) => [action, actor, details])
    .toReversed()
}

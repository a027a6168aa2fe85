import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestService, testService } from '../../kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient
let path: string
let submissionId: string

before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
  const items = [{ item_id: 'CC6.1', title: 'Users' }]
  const body = { name: 'SOC 2', cadence: 'none', starts_on: '2026-01-01', items }
  path = `/v1/programs/${String((await acme.post('/v1/programs', body)).json['program_id'])}/periods/1`
  submissionId = String((await acme.get(path)).json['submission_id'])
  await acme.upload(submissionId, form({ 'CC6.1/a b.html': '<script>1</script>' }, { final: false }))
})
after(() => service[Symbol.asyncDispose]())

test('a file of a period is read before it is sealed and afterwards, in parts too, and no browser runs it', async () => {
  const url = `${path}/evidence/CC6.1%2Fa%20b.html`
  const downloaded = async () => {
    const whole = await acme.get(url)
    assert.deepEqual([whole.status, whole.bytes.toString()], [200, '<script>1</script>'])
    assert.equal(whole.headers.get('content-type'), 'application/octet-stream')
    assert.match(whole.headers.get('content-disposition') ?? '', /^attachment; filename="a b\.html"/)
    assert.match(whole.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    const part = await acme.get(url, { range: 'bytes=1-6' })
    assert.deepEqual([part.status, part.bytes.toString()], [206, 'script'])
    assert.equal((await acme.get(`${path}/evidence/CC6.1/other.txt`)).json['code'], 'deliverable_not_found')
  }
  await downloaded()
  assert.equal((await acme.post(`${path}/seal`, {})).status, 202)
  await acme.ended(submissionId)
  await downloaded()
  const events = (await acme.get('/v1/audit?limit=100')).json['data'] as { readonly action: string }[]
  assert.ok(events.some(({ action }) => action === 'deliverable.downloaded'))
})

test('a file of a period is not found from another workspace', async () => {
  const other = await workspaceClient(service)
  const { status, json } = await other.get(`${path}/evidence/CC6.1/a%20b.html`)
  assert.deepEqual([status, json['code']], [404, 'program_not_found'])
})

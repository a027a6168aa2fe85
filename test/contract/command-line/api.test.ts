import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { kitseal } from '../../kit/command.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient
before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
})
after(() => service[Symbol.asyncDispose]())

const api = (...args: readonly string[]) =>
  kitseal(['api', ...args], { env: { KITSEAL_URL: service.base, KITSEAL_API_KEY: acme.key } })

async function json(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await api(...args)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Record<string, unknown>
}

test('an operation takes members of path, query and body by name', async () => {
  const made = await json(
    'createSubmission',
    'label=Q3 = review',
    'tags=q3',
    'tags=access',
    'metadata={"team":"it"}',
  )
  assert.deepEqual(
    [made['label'], made['tags'], made['metadata']],
    ['Q3 = review', ['q3', 'access'], { team: 'it' }],
  )
  const id = String(made['submission_id'])
  assert.equal((await json('getSubmission', `submission_id=${id}`))['label'], 'Q3 = review')
  const listed = (await json('listSubmissions', 'tag=q3', 'limit=1'))['data'] as readonly object[]
  assert.equal(listed.length, 1)
  const { code, stdout } = await api('deleteSubmission', `submission_id=${id}`)
  assert.deepEqual([code, stdout], [0, ''])
  assert.notEqual((await json('getSubmission', `submission_id=${id}`))['status'], 'DRAFT')
})

test('a value or the whole body can come from a file', async () => {
  const file = join(service.dataFolder, 'label.txt')
  writeFileSync(file, 'From a file\n')
  assert.equal((await json('createSubmission', `label=@${file}`))['label'], 'From a file')
  writeFileSync(file, '{"label": "Whole"}')
  assert.equal((await json('createSubmission', '--body', `@${file}`))['label'], 'Whole')
})

test('what is wrong with a call is said before anything is sent, all at once', async () => {
  for (const [args, ...problems] of [
    [['createSubmision'], 'Did you mean createSubmission?', 'kitseal api --list'],
    [
      ['createShare', 'kitid=x', 'note'],
      'there is no "kitid"',
      '"note" must be NAME=VALUE',
      'kit_id=… is missing',
    ],
    [['listSubmissions', 'limit=many'], 'limit must be a number, not "many"'],
    [['createSubmission', 'label=a', '--body', '{}'], '--body cannot be combined with members of the body'],
    [['getSubmission', 'submission_id=a', 'submission_id=b'], 'submission_id can be given once'],
  ] as const) {
    const { code, stderr } = await api(...args)
    assert.equal(code, 2, args.join(' '))
    for (const problem of problems) assert.ok(stderr.includes(problem), stderr)
  }
})

test('help names every operation, and what each takes', async () => {
  const { stdout } = await api('--list')
  assert.match(stdout, /^createWebhook +\S/m)
  const help = (await api('createShare', '--help')).stdout
  assert.match(help, /^usage: kitseal api createShare kit_id=… /)
  assert.match(help, /^ {2}paths +text, can be repeated, optional$/m)
  assert.match(help, /POST \/v1\/shares/)
})

test('a name in a path cannot leave it', async () => {
  const { code, stderr } = await api('getSubmission', 'submission_id=../keys')
  assert.equal(code, 2, stderr)
})

// Only in test:all: openapi.test.ts checks the recorded examples
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { bytesOf, pdf } from '../../../examiner/test/evidence-samples.ts'
import { openStore } from '../open-store.ts'
import { recordExamples } from '../../test/record-examples.ts'
import { AUDIENCE, type Provider, startProvider } from '../../test/ci-provider.ts'
import { type TestService, testService } from '../../test/test-service.ts'
import { tusClient } from '../../test/tus-client.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../test/workspace-client.ts'

const run = promisify(execFile)

test('every example command in the API docs works', async () => {
  const provider = await startProvider()
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-docs-'))
  await using service = await testService({
    KITSEAL_FEDERATION_ALLOW: '127.0.0.1',
    KITSEAL_SMTP_URL: `file:${folder}`,
    KITSEAL_MAIL_FROM: 'kits@kitseal.example',
  })
  try {
    const env = {
      ...(await valuesFor(service, folder)),
      ID_TOKEN: await provider.token(),
      CI_ISSUER: 'https://ci.example',
    }
    const federations = [await federate(service, env, provider), await federate(service, env, provider)]
    const examples = await examplesOf(service)
    const calls = Object.keys((await service.call('/openapi.json')).json['paths'] as object)
    assert.ok(examples.length >= calls.length, `${examples.length} examples of ${calls.length} paths`)
    const answers = new Map<string, string>()
    for (const [operationId, example] of examples) {
      // As documented, but silent, and failing on error statuses.
      const isEndless = example.includes('/events/stream')
      const ending = isEndless ? ' --max-time 1; [ $? = 28 ]' : ''
      const script = `curl() { command curl -sS --fail-with-body "$@"; }\n${example}${ending}`
      const { ask: _, newWebhook: __, share: ___, run: ____, room: _____, ...values } = env
      const [, id = env.SUBMISSION_ID] = idsOf(env).find(([part]) => part.test(example)) ?? []
      const tile = example.includes('/log/tile/') ? { LEVEL: '0', NAME: '000.p/1' } : {}
      const upload = example.includes('-X DELETE') ? { UPLOAD_ID: env.OTHER_UPLOAD_ID } : {}
      const erased = example.includes('/erasure"') ? { KIT_ID: env.ERASED_KIT_ID } : {}
      const shared = /\/v1\/(?:shares"|rooms|compare)|\/custody\./.test(example)
        ? { KIT_ID: env.SHARED_KIT_ID }
        : {}
      // One of its own, because closing it ends the other examples.
      const request = /\$EVIDENCE_REQUEST_ID/.test(example) ? { EVIDENCE_REQUEST_ID: await env.ask() } : {}
      // One of its own, because sealing it ends the other examples.
      const program = /\$PROGRAM_ID/.test(example) ? await env.run() : {}
      const key = example.includes('-X DELETE') ? { KEY_ID: env.OTHER_KEY_ID } : {}
      const FEDERATION_ID = /-X (?:DELETE|PUT)/.test(example) ? federations[1] : federations[0]
      const one = {
        ...values,
        ...(/\$SHARE_ID/.test(example) ? { SHARE_ID: await env.share() } : {}),
        ...(/\$ROOM_ID/.test(example) ? await env.room() : {}),
        ...(/\$WEBHOOK_ID/.test(example) ? { WEBHOOK_ID: await env.newWebhook() } : {}),
        SUBMISSION_ID: id,
        ...request,
        ...program,
        ...tile,
        ...upload,
        ...erased,
        ...shared,
        ...key,
        FEDERATION_ID,
      }
      const options = { cwd: folder, env: one, maxBuffer: 16 * 1024 * 1024 }
      const { stdout } = await run('bash', ['-c', script], options).catch((error: Error) =>
        assert.fail(`${example}\n${error.message}`),
      )
      answers.set(operationId, stdout)
    }
    if (process.env['RECORD_EXAMPLES'] !== undefined) recordExamples(answers, service.base)
  } finally {
    rmSync(folder, { recursive: true })
    await provider.stop()
  }
})

/** Commands that need a submission in another state, or change it for the others. */
const idsOf = (env: Awaited<ReturnType<typeof valuesFor>>): readonly (readonly [RegExp, string])[] => [
  [/\/evidence"/, env.OPEN_ID],
  [/\/reissue"/, env.REVOKED_ID],
  [/\/resubmit"/, env.FAILED_ID],
  [/\/uploads/, env.DRAFT_ID],
  [/-X DELETE .*\$SUBMISSION_ID"/, env.UNWANTED_ID],
]

/** Values of the variables in the commands, and the files that they send. */
async function valuesFor(service: TestService, folder: string) {
  const acme = await workspaceClient(service)
  const revoked = await revokedSubmission(service, acme)
  const { jobId, kitId } = await service.issue()
  for (const [path, name] of [
    ['receipt', 'receipt.json'],
    ['download', 'kit.zip'],
  ] as const)
    writeFileSync(join(folder, name), (await service.call(`/v1/kits/${kitId}/${path}`)).bytes)
  const csv = bytesOf('name,role\nann,admin\n')
  writeFileSync(join(folder, 'access-review.csv'), csv)
  writeFileSync(join(folder, 'minutes.pdf'), pdf())
  const send = async (): Promise<string> => {
    const id = await acme.submission({ series: 'reviews' })
    await acme.upload(id, form({ 'access-review.csv': csv }))
    await acme.ended(id)
    return id
  }
  const sent = await send()
  const sharedKit = String((await acme.get(`/v1/submissions/${sent}`)).json['kit_id'])
  const expires = new Date(Date.now() + 60_000).toISOString()
  const share = async (): Promise<string> =>
    String((await acme.post('/v1/shares', { kit_id: sharedKit, expires_at: expires })).json['share_id'])
  const room = async () => {
    const body = { title: 'Audit 2026', kits: [sharedKit], expires_at: expires }
    const { room_id: ROOM_ID, url } = (await acme.post('/v1/rooms', body)).json
    const headers = { 'content-type': 'application/json' }
    const remark = { kit_id: sharedKit, path: 'data/access-review.csv', name: 'Ann Meier' }
    const question = JSON.stringify({ ...remark, text: 'Who approved this?', is_question: true })
    const asked = await fetch(`${String(url)}/comments`, { method: 'POST', headers, body: question })
    const mark = JSON.stringify({ ...remark, is_reviewed: true })
    await fetch(`${String(url)}/reviews`, { method: 'PUT', headers, body: mark })
    const { comment_id } = (await asked.json()) as { readonly comment_id: string }
    return { ROOM_ID: String(ROOM_ID), COMMENT_ID: comment_id }
  }
  const erased = await send()
  const erasedKit = String((await acme.get(`/v1/submissions/${erased}`)).json['kit_id'])
  assert.equal(
    (
      await service.call(`/v1/submissions/${erased}`, {
        method: 'DELETE',
        headers: { 'x-api-key': acme.key },
      })
    ).status,
    204,
  )
  const failed = await acme.submission()
  await acme.upload(failed, form({ 'access-review.csv': csv, 'empty.pdf': '' }))
  await acme.ended(failed)
  const draft = await acme.submission()
  const minutes = { profile: 'minutes', title: 'Minutes', description: 'For each meeting.', items: [] }
  assert.equal((await acme.post('/v1/profiles', minutes)).status, 201)
  const sizeBytes = statSync(join(folder, 'kit.zip')).size
  const uploads = await Promise.all(
    ['a.zip', 'b.zip'].map((name) => tusClient(service, acme).create(draft, name, sizeBytes)),
  )
  const [UPLOAD_ID, OTHER_UPLOAD_ID] = uploads.map(({ json }) => String(json['upload_id']))
  return {
    PATH: process.env['PATH'],
    BASE: service.base,
    KITSEAL_API_KEY: acme.key,
    JOB_ID: jobId,
    KIT_ID: kitId,
    FORMAT: 'in-toto',
    SUBMISSION_ID: sent,
    OPEN_ID: await acme.submission(),
    REVOKED_ID: revoked,
    FAILED_ID: failed,
    DRAFT_ID: draft,
    UNWANTED_ID: await send(),
    ERASED_KIT_ID: erasedKit,
    SHARED_KIT_ID: sharedKit,
    OTHER_KIT_ID: sharedKit,
    SERIES: 'reviews',
    share,
    room,
    newWebhook: async () =>
      String((await acme.post('/v1/webhooks', { url: 'https://hooks.example/hook' })).json['webhook_id']),
    PROFILE: 'minutes',
    UPLOAD_ID,
    OTHER_UPLOAD_ID,
    NAME: 'manifest.json',
    REPORT: 'intake_report.json',
    FILE_PATH: 'VERIFY.md',
    ITEM_ID: 'CC6.1',
    ask: async (): Promise<string> => {
      const asked = {
        title: 'Access review',
        items: [{ id: 'CC6.1', title: 'List of users' }],
        recipients: ['ann@supplier.example'],
      }
      return String((await acme.post('/v1/requests', asked)).json['evidence_request_id'])
    },
    run: async () => {
      const items = [{ item_id: 'CC6.1', title: 'List of users', due_days: 14 }]
      const body = { name: 'Access review', cadence: 'quarterly', starts_on: '2026-10-01', items }
      const PROGRAM_ID = String((await acme.post('/v1/programs', body)).json['program_id'])
      const board = (await acme.get(`/v1/programs/${PROGRAM_ID}/board`)).json
      const [{ period: PERIOD, submission_id }] = board['periods'] as [Readonly<Record<string, string>>]
      await acme.upload(submission_id ?? '', form({ 'CC6.1/users.csv': csv }, { final: false }))
      return { PROGRAM_ID, PERIOD, POSITION: '0', FILE_PATH: 'CC6.1/users.csv' }
    },
    KEY_ID: await newKey(acme),
    OTHER_KEY_ID: await newKey(acme),
  }
}

async function federate(
  service: TestService,
  { KITSEAL_API_KEY }: { readonly KITSEAL_API_KEY: string },
  { issuer }: Provider,
): Promise<string> {
  const claims = [{ claim: 'repository', equals: 'acme/evidence' }]
  const body = { label: 'CI', issuer, audience: AUDIENCE, claims }
  const made = await service.post('/v1/federation', body, { 'x-api-key': KITSEAL_API_KEY })
  return String(made.json['federation_id'])
}

async function newKey(client: WorkspaceClient): Promise<string> {
  const { key } = (await client.post('/v1/keys', { label: 'nightly' })).json as { key: { key_id: string } }
  return key.key_id
}

/** A submission whose kit is signed with a key that is then revoked. */
async function revokedSubmission(service: TestService, client: WorkspaceClient): Promise<string> {
  const id = await client.submission()
  await client.upload(id, form({ 'a.txt': 'any content' }))
  await client.ended(id)
  await using store = await openStore(service.config)
  const active = (await store.signingKeys.list()).find(({ state }) => state === 'active')
  await store.signingKeys.revoke(active?.kid ?? '')
  return id
}

async function examplesOf({ base }: TestService): Promise<readonly (readonly [string, string])[]> {
  const page = await (await fetch(`${base}/docs/reference/api`)).text()
  return Array.from(
    page.matchAll(/<section id="(\w+)">.*?<pre>([^<]*)<\/pre>/gs),
    ([, id = '', text = '']) => [
      id,
      text
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    ],
  )
}

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openStore } from '../../server/src/index.ts'
import { freezeLog } from '../../server/src/log/freeze-log.ts'
import { testService, type TestService } from '../../test/kit/service.ts'
import {
  type Client,
  createClient,
  NotSealedError,
  NotVerifiedError,
  systemPlatform,
  type Trust,
  trustKeys,
  WaitTimeout,
} from '../src/index.ts'
import { seal, type SealProgress } from '../node/index.ts'

let service: TestService
let client: Client
let trust: Trust
let folder: string
before(async () => {
  service = await testService()
  client = createClient({ baseUrl: service.base, apiKey: service.service.firstApiKey })
  trust = trustKeys(await client.getKeys())
  folder = mkdtempSync(join(tmpdir(), 'kitseal-seal-'))
  mkdirSync(join(folder, 'evidence/notes'), { recursive: true })
  writeFileSync(join(folder, 'evidence/users.csv'), 'account,decision\na,remove\n')
  writeFileSync(join(folder, 'evidence/notes/größe.txt'), 'A note.\n')
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})
const at = (name: string): string => join(folder, name)
const submissions = async (): Promise<number> => (await client.listSubmissions()).data.length

test('one call seals a folder, and returns a kit in which nothing is null', async () => {
  const steps: SealProgress[] = []
  const kid = (await service.service.signingKeys.activeSigner()).kid
  const kit = await seal(at('evidence'), {
    client,
    name: 'Access review',
    trust: { kids: [kid] },
    into: at('kit.zip'),
    tags: ['q3'],
    onProgress: (progress) => steps.push(progress),
  })
  assert.match(kit.kitId, /^kit_/)
  assert.deepEqual([kit.saved, kit.report.status, kit.report.signer.kid], [at('kit.zip'), 'PASS', kid])
  assert.deepEqual(kit.findings, [])
  assert.ok(existsSync(at('kit.zip')))
  const submission = await client.getSubmission(kit.submissionId)
  assert.ok(submission.status === 'PASS')
  assert.deepEqual(
    [submission.kit_id, submission.label, submission.tags],
    [kit.kitId, 'Access review', ['q3']],
  )
  const { artifacts } = await client.getManifest(kit.kitId)
  const paths = new Set(artifacts.map(({ path }) => path))
  for (const path of ['data/notes/größe.txt', 'data/users.csv']) assert.ok(paths.has(path), path)
  assert.deepEqual([...new Set(steps.map(({ step }) => step))], ['upload', 'wait', 'download'])
  assert.ok(steps.some((each) => each.step === 'wait' && each.status === 'PASS' && each.waiting === null))
})

test('evidence that fails its checks throws its blockers, and saves nothing', async () => {
  mkdirSync(at('bad'))
  writeFileSync(at('bad/setup.exe'), 'MZ'.padEnd(400, '\0'))
  const failing = seal(at('bad'), { client, name: 'A program', trust, into: at('bad.zip') })
  await assert.rejects(failing, (error) => {
    assert.ok(error instanceof NotSealedError)
    assert.equal(error.status, 'FAIL')
    assert.equal(error.blockers[0]?.path, 'setup.exe')
    assert.match(error.message, /^sub_\S+ is FAIL\n {2}setup\.exe: /)
    return true
  })
  assert.ok(!existsSync(at('bad.zip')))
})

test('a kit of another issuer is not saved', async () => {
  const kids = ['A'.repeat(43)]
  const sealing = seal(at('evidence'), { client, name: 'Review', trust: { kids }, into: at('other.zip') })
  await assert.rejects(sealing, NotVerifiedError)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('other')),
    [],
  )
})

test('without trust, without files or with a link, nothing is sent', async () => {
  const sent = await submissions()
  mkdirSync(at('empty'))
  mkdirSync(at('linked'))
  symlinkSync('/etc/passwd', at('linked/users.csv'))
  const options = { client, name: 'Review', trust }
  await assert.rejects(seal(at('evidence'), { ...options, trust: {} }), /`trust` names no key/)
  await assert.rejects(seal(at('evidence'), { ...options, trust: { useKitKeys: true } }), /names no key/)
  await assert.rejects(seal(at('empty'), options), /there is no file in it/)
  await assert.rejects(seal(at('linked'), options), /cannot seal \S+linked: users\.csv is a symbolic link/)
  await assert.rejects(seal(at('missing'), options), /ENOENT/)
  assert.equal(await submissions(), sent)
})

test('more files than a form may have are uploaded in several forms, of which the last is final', async () => {
  const forms: string[] = []
  const fetch = async (_: string, init: RequestInit = {}): Promise<Response> => {
    if (init.method === 'POST') forms.push(await new Response(init.body ?? '').text())
    return Response.json({ evidence: [], boundary: '' })
  }
  const files = Array.from({ length: 1001 }, (_, number) => ({ name: `${number}.txt`, content: 'same' }))
  await createClient({ baseUrl: 'http://host', fetch }).uploadEvidence('sub_1', files)
  assert.deepEqual(
    forms.map((form) => [form.match(/filename=/g)?.length, /name="final"\r\n\r\n(\w+)/.exec(form)?.[1]]),
    [
      [1000, 'false'],
      [1, 'true'],
    ],
  )
})

test('a frozen log ends the wait with an error that says so', async () => {
  await using store = await openStore(service.config)
  await freezeLog(store.db, 'a test', { now: () => Date.now() })
  let now = 0
  // A wait of a second takes no time for the test.
  const wait = (ms: number, signal?: AbortSignal): Promise<void> => {
    now += ms
    return systemPlatform.wait(Math.min(ms, 5), signal)
  }
  const platform = { ...systemPlatform, now: () => now, wait }
  const impatient = createClient({ baseUrl: service.base, apiKey: service.service.firstApiKey, platform })
  const told: string[] = []
  const onProgress = (progress: SealProgress): void => {
    if (progress.step === 'wait' && progress.waiting !== null) told.push(progress.waiting.reason)
  }
  const options = { client: impatient, name: 'Frozen', trust, timeoutMs: 60_000, onProgress }
  await assert.rejects(seal(at('evidence'), options), (error) => {
    assert.ok(error instanceof WaitTimeout)
    assert.match(
      error.message,
      /^sub_\S+ is still RUNNING after 60 s: waiting for the log of the service, which is frozen/,
    )
    return error.waiting?.reason === 'log_frozen'
  })
  assert.ok(told.includes('log_frozen'))
})

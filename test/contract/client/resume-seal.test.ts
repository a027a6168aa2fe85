import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { seal, type SealOptions } from '@kitseal/client/node'
import { createClient, type Client, trustKeys } from '@kitseal/client'
import { type TestService, testService } from '../../kit/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-resume-'))
const at = (name: string): string => join(folder, name)
let service: TestService
let client: Client
let options: Omit<SealOptions, 'name'>

before(async () => {
  service = await testService()
  client = createClient({ baseUrl: service.base, apiKey: service.service.firstApiKey })
  options = { client, trust: trustKeys(await client.getKeys()), into: at('kit.zip') }
  mkdirSync(at('evidence'))
  writeFileSync(at('evidence/users.csv'), 'account,decision\na,remove\n')
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

for (const stop of ['upload', 'wait', 'download'])
  test(`a seal that stopped at the ${stop} continues with its submission, which its progress and its error name`, async () => {
    const named = { ...options, name: `Stopped at the ${stop}` }
    const seen = new Set<string>()
    const stopped = seal(at('evidence'), {
      ...named,
      onProgress: ({ step, submissionId }) => {
        seen.add(submissionId)
        if (step === stop) throw new Error('stopped')
      },
    })
    const error = await stopped.catch((caught: unknown) => caught as Error & { submissionId: string })
    assert.ok(error instanceof Error && error.message === 'stopped')
    assert.deepEqual([...seen], [error.submissionId])
    const kit = await seal(at('evidence'), named)
    assert.equal(kit.submissionId, error.submissionId)
    assert.equal((await seal(at('evidence'), named)).kitId, kit.kitId)
    writeFileSync(at('evidence/more.csv'), stop)
    assert.notEqual((await seal(at('evidence'), named)).kitId, kit.kitId, 'other files, another kit')
  })

test('an output that cannot be written is told before anything is sent', async () => {
  const sealing = seal(at('evidence'), { ...options, name: 'Unwritable', into: at('missing/kit.zip') })
  await assert.rejects(sealing, /ENOENT/)
  const { data } = await client.listSubmissions({ label: 'Unwritable' })
  assert.deepEqual(data, [])
  assert.ok(!existsSync(at('missing')))
  assert.deepEqual(readdirSync(folder).toSorted(), ['evidence', 'kit.zip'])
})

test('the types of lists narrow by status as those of one submission', async () => {
  const kits: string[] = []
  for (const each of (await client.listSubmissions()).data) if (each.status === 'PASS') kits.push(each.kit_id)
  for await (const each of client.iterateSubmissions({ status: 'PASS' }))
    if (each.status === 'PASS') assert.ok(kits.includes(each.kit_id satisfies string))
  assert.ok(kits.length > 0)
})

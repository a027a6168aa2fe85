import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { english, readClaims } from '@kitseal/kit/internal'
import { openKit } from '@kitseal/kit/node'
import { skipWithoutPython as skip, verify } from '../../../spec/independent/python.ts'
import { main } from '../../../cli/src/main.ts'
import { until } from '../../kit/until.ts'
import { testService } from '../../kit/service.ts'
import { clientOf, form } from '../../kit/workspace.ts'

const TITLE = 'SOC 2 Type II report of Acme Corp, approved by its auditor'

test('a kit from open intake is called anonymous in every verifier and as evidence in another kit, without a supplier', async () => {
  await using service = await testService()
  using folder = mkdtempDisposable()
  const { kitId } = await service.issue({ tenant_id: 'Acme Corp', scope_label: TITLE })
  const zip = Buffer.from(await (await fetch(`${service.base}/v1/kits/${kitId}/download`)).arrayBuffer())
  const path = folder.file('kit.zip', zip)
  const { kid } = await service.service.signingKeys.activeSigner()

  using kit = await openKit(path)
  assert.deepEqual(
    { anonymous: true, supplier: null },
    (({ anonymous, supplier }) => ({ anonymous, supplier }))((await readClaims(kit))!),
  )
  for (const args of [['--kid', kid], []]) {
    const text = await kitseal('verify', path, ...args)
    assert.ok(text.includes(`caller   ${english('kit.anonymous')}`), text)
    assert.doesNotMatch(text, /^supplier/m)
  }
  if (skip === false) {
    const { stdout } = verify(path, '--kid', kid)
    assert.match(stdout, /PASS {2}Verified/)
    assert.ok(stdout.includes(`caller    ${english('kit.anonymous')}`), stdout)
    assert.doesNotMatch(stdout, /^supplier/m)
  }

  const key = service.service.firstApiKey ?? ''
  const { json } = await service.call('/v1/credits', { headers: { 'x-api-key': key } })
  const owner = clientOf(service, String(json['workspace_id']), key)
  const submission = await owner.submission()
  await owner.upload(submission, form({ 'soc2.zip': zip }))
  const ended = await owner.ended(submission)
  const [found] = ended['findings'] as readonly { readonly code: string; readonly message: string }[]
  assert.equal(found?.code, 'kit_verified')
  assert.ok(found.message.includes(english('kit.anonymous')), found.message)

  const outer = folder.file('outer.zip', (await owner.get(`/v1/kits/${ended['kit_id']}/download`)).bytes)
  using containing = await openKit(outer)
  const own = await readClaims(containing)
  assert.equal(own?.anonymous, undefined)
  assert.notEqual(own?.supplier, null)
})

test('a kit of a workspace without files is not called anonymous', async () => {
  await using service = await testService()
  using folder = mkdtempDisposable()
  const key = service.service.firstApiKey ?? ''
  const { json } = await service.call('/v1/credits', { headers: { 'x-api-key': key } })
  const owner = clientOf(service, String(json['workspace_id']), key)
  const body = { tenant_id: String(json['workspace_id']), scope_label: 'Nothing yet' }
  const { json: job } = await owner.post('/v1/intake/jobs', body)
  let kitId: unknown
  await until(async () => {
    kitId = (await owner.get(`/v1/intake/jobs/${job['job_id']}`)).json['kit_id']
    return typeof kitId === 'string'
  })
  const path = folder.file('kit.zip', (await owner.get(`/v1/kits/${kitId}/download`)).bytes)
  assert.doesNotMatch(await kitseal('verify', path), /Anonymous/)
})

async function kitseal(...args: readonly string[]): Promise<string> {
  let text = ''
  const output = { write: (part: string) => void (text += part) }
  const env = { KITSEAL_TRUST_STORE: join(tmpdir(), 'kitseal-no-such-trust-store.json') }
  await main(args, { env, stdout: output, stderr: output })
  return text
}

function mkdtempDisposable() {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-anonymous-'))
  return {
    file(name: string, bytes: Uint8Array): string {
      writeFileSync(join(folder, name), bytes)
      return join(folder, name)
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

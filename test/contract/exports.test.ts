import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../kit/service.ts'
import { form, workspaceClient } from '../kit/workspace.ts'

test('a kit is exported only while its receipt verifies, and an erased one says so', async () => {
  await using service = await testService()
  const acme = await workspaceClient(service)
  const seal = async () => {
    const id = await acme.submission()
    await acme.upload(id, form({ 'a.txt': 'A note.\n' }))
    return { id, kit: String((await acme.ended(id))['kit_id']) }
  }
  const [kept, erased] = [await seal(), await seal()]
  const exported = (kit: string, format: string) => acme.get(`/v1/kits/${kit}/export/${format}`)
  const order = { method: 'DELETE', headers: { 'x-api-key': acme.key } }
  assert.equal((await service.call(`/v1/submissions/${erased.id}`, order)).status, 204)
  const { payload } = (await exported(erased.kit, 'in-toto')).json
  const { predicate } = JSON.parse(Buffer.from(String(payload), 'base64').toString())
  assert.match(String(predicate.erased_at), /^20/)
  assert.match((await exported(erased.kit, 'oscal')).bytes.toString(), /Its evidence was deleted on 20/)
  assert.match(String((await exported(erased.kit, 'cose')).headers.get('kitseal-erased-at')), /^20/)
  assert.equal((await exported(kept.kit, 'cose')).headers.get('kitseal-erased-at'), null)

  await service.service.signingKeys.rotate()
  const { public_key_kid } = (await acme.get(`/v1/kits/${kept.kit}/receipt`)).json
  await service.service.signingKeys.revoke(String(public_key_kid))
  for (const format of ['cose', 'in-toto', 'oscal']) {
    const refused = await exported(kept.kit, format)
    assert.deepEqual([refused.status, refused.json['code']], [409, 'kit_unverified'], format)
  }
})

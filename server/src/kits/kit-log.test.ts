import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTlogProof, tlogProofBytes } from '@kitseal/kit/internal'
import { cosignatureBytes } from '../../../kit/test/make-log.ts'
import { kitsUnderTest } from '../../test/test-kits.ts'
import { Refusal } from '../refusals.ts'
import { kitLog } from './kit-routes.ts'

test('a kit has its place in the log, and the witnesses of its newest proof with their times', async () => {
  await using place = await kitsUnderTest()
  const { kit } = await place.issue()
  const { transparencyLog } = place.ctx
  const own = await kitLog({ transparencyLog }, kit.kit_id)
  assert.deepEqual(own, { origin: 'issuer.example/log', index: 1, size: 2, cosigned: [] })
  const proof = parseTlogProof((await transparencyLog.proofOf(kit.kit_id))!)
  const witness = {
    name: 'witness.example',
    keyId: '00c0ffee',
    signature: cosignatureBytes(1_800_000_000, new Uint8Array(64)),
  }
  const { text, signatures } = proof.checkpoint
  const cosigned = tlogProofBytes({ ...proof, checkpoint: { text, signatures: [...signatures, witness] } })
  const log = { ...transparencyLog, proofOf: async () => cosigned }
  const { cosigned: seen } = (await kitLog({ transparencyLog: log }, kit.kit_id))!
  assert.deepEqual(seen, [{ name: 'witness.example', at: '2027-01-15T08:00:00.000Z' }])
})

test('a kit is shown also while the log is not available', async () => {
  await using place = await kitsUnderTest()
  const { kit } = await place.issue()
  const { transparencyLog } = place.ctx
  const log = { ...transparencyLog, proofOf: () => Promise.reject(new Refusal('store_unavailable', 'no')) }
  assert.equal(await kitLog({ transparencyLog: log }, kit.kit_id), null)
})

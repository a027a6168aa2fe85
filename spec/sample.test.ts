import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parseJwks, parseStrictJson, trustKeys, verifyKit } from '../kit/src/internal.ts'
import { nodeHost, openKit } from '../kit/node/internal.ts'
import { PAGE_PATH, SAMPLE_FOLDER, sampleFiles } from './make-sample.ts'

const read = (name: string): Buffer => readFileSync(path.join(SAMPLE_FOLDER, name))

test("the sample kit verifies with its issuer's key set, as expected.json says", async () => {
  const jwks = parseJwks(parseStrictJson(read('jwks.json')))
  assert.ok(jwks.ok)
  using kit = await openKit(path.join(SAMPLE_FOLDER, 'kit.zip'))
  const { checks, signer, error_messages, ...result } = await verifyKit(kit, trustKeys(jwks.value), nodeHost)
  assert.deepEqual(result, JSON.parse(read('expected.json').toString()))
  assert.ok(checks.every((check) => check.result === 'pass'))
  assert.equal(signer.trust, 'jwks')
  assert.deepEqual(error_messages, [])
})

test('the committed sample equals the output of make-sample.ts', async () => {
  using kit = await openKit(path.join(SAMPLE_FOLDER, 'kit.zip'))
  const page = await kit.read(PAGE_PATH, 1024 * 1024)
  for (const [name, bytes] of await sampleFiles(page))
    assert.ok(Buffer.compare(read(name), bytes) === 0, `${name} is stale: node spec/make-sample.ts`)
})

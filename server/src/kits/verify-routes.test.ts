import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { JsonValue, Receipt } from '@kitseal/kit'
import { kitsUnderTest, notPassed } from '../../test/test-kits.ts'

type Place = Awaited<ReturnType<typeof kitsUnderTest>>

test('the receipt of an issued kit is PASS in every check', async () => {
  await using place = await kitsUnderTest()
  const { receipt } = await place.issue()
  const response = await post(place, receipt)
  assert.equal(response.statusCode, 200)
  const { checks, ...result } = response.json()
  assert.ok(checks.length > 1)
  assert.deepEqual(notPassed(checks), [])
  assert.deepEqual(result, {
    status: 'PASS',
    verdict: 'verified',
    manifest_hash_valid: true,
    artifact_hashes_valid: true,
    receipt_canonical_hash_valid: true,
    ed25519_signature_valid: true,
    kid_matched: true,
    errors: [],
    signer: {
      kid: receipt.public_key_kid,
      trust: 'jwks',
      key_from: { source: 'site', host: 'issuer.example' },
    },
    boundary: receipt.boundary,
  })
})

test('a receipt with any changed member is FAIL', async () => {
  await using place = await kitsUnderTest()
  const { receipt } = await place.issue()
  const other = (await place.issue()).receipt
  for (const changed of changes(receipt, other)) {
    const response = await post(place, changed)
    assert.equal(response.statusCode, 200, JSON.stringify(changed))
    const { status, errors } = response.json()
    assert.equal(status, 'FAIL', JSON.stringify(changed))
    assert.ok(errors.length > 0)
  }
})

test('an object that is not a receipt is FAIL with receipt_malformed', async () => {
  await using place = await kitsUnderTest()
  for (const body of [
    {},
    { kit_id: 1 },
    { kit_id: '../../x' },
    { __proto__: 1, constructor: { prototype: 1 } },
    deep(50),
  ]) {
    const answer = await post(place, body as JsonValue)
    assert.equal(answer.statusCode, 200)
    const { status, verdict, errors, checks, signer, boundary, ...rest } = answer.json()
    assert.equal(verdict, 'altered')
    assert.equal(typeof boundary, 'string')
    assert.ok(checks.every((check: { result: string }) => check.result !== 'pass'))
    assert.deepEqual(signer, { kid: null, trust: 'none' })
    assert.equal(status, 'FAIL')
    assert.match(errors[0], /^\w+: /)
    assert.ok(errors.some((error: string) => error.startsWith('receipt_malformed: ')))
    assert.ok(Object.entries(rest).every(([, value]) => value === false))
  }
})

test('a body that is not a JSON object is 400', async () => {
  await using place = await kitsUnderTest()
  const bodies = [
    '',
    '{',
    'nothing',
    '[]',
    'null',
    '1',
    '"text"',
    '{"a":1,"a":2}',
    '{"a":"\\ud800"}',
    '{"a":1e400}',
    '\ufeff{}',
  ]
  for (const payload of bodies) {
    const headers = { 'content-type': 'application/json' }
    const response = await place.app.inject({ method: 'POST', url: '/v1/verify/receipt', headers, payload })
    assert.equal(response.statusCode, 400, payload)
    assert.match(response.json().code, /^(json_malformed|body_not_an_object)$/)
  }
})

test('a body over the limit is 413, and another media type is 415', async () => {
  await using place = await kitsUnderTest()
  const large = await post(place, { a: 'x'.repeat(70_000) })
  assert.equal(large.statusCode, 413)
  const request = { method: 'POST', url: '/v1/verify/receipt', payload: '{}' } as const
  const typed = await place.app.inject({ ...request, headers: { 'content-type': 'text/plain' } })
  assert.equal(typed.statusCode, 415)
})

test('the receipt of an unknown kit is FAIL with artifact_missing', async () => {
  await using place = await kitsUnderTest()
  await using elsewhere = await kitsUnderTest()
  const { receipt } = await elsewhere.issue()
  const { status, verdict, errors } = (await post(place, receipt)).json()
  assert.equal(status, 'FAIL')
  assert.equal(verdict, 'altered')
  assert.ok(errors.some((error: string) => error.startsWith('artifact_missing: ')))
  assert.ok(errors.some((error: string) => error.startsWith('key_not_in_jwks: ')))
})

test('a file changed in the object store is detected at once, even after a PASS', async () => {
  await using place = await kitsUnderTest({ startPage: Buffer.from('a page') })
  const { receipt, entries } = await place.issue()
  const page = entries.find((entry) => entry.path === 'START-HERE.html') ?? assert.fail('no page')
  assert.equal((await post(place, receipt)).json().status, 'PASS')
  await writeFile(place.pathOf(page.object), 'b page')
  const changed = (await post(place, receipt)).json()
  assert.equal(changed.status, 'FAIL')
  assert.equal(changed.artifact_hashes_valid, false)
  assert.equal(changed.ed25519_signature_valid, true)
  assert.ok(changed.errors.some((error: string) => error.startsWith('artifact_hash_mismatch: ')))
  await rm(place.pathOf(page.object))
  const gone = (await post(place, receipt)).json()
  assert.ok(gone.errors.some((error: string) => error.startsWith('artifact_missing: ')))
  await writeFile(place.pathOf(page.object), 'a page')
  assert.equal((await post(place, receipt)).json().status, 'PASS')
})

test('a kit with missing files is FAIL, without server paths', async () => {
  await using place = await kitsUnderTest()
  const { receipt, entries } = await place.issue()
  await rm(place.pathOf(entries[0]?.object ?? ''))
  const response = await post(place, receipt)
  assert.equal(response.json().status, 'FAIL')
  assert.doesNotMatch(response.body, new RegExp(place.folder))
})

test('receipts of a retired key verify, those of a revoked key do not', async () => {
  await using place = await kitsUnderTest()
  const { receipt } = await place.issue()
  place.clock.time += 5000
  await place.keys.rotate()
  assert.equal((await post(place, receipt)).json().status, 'PASS')
  await place.keys.revoke(receipt.public_key_kid)
  const { status, verdict, kid_matched, errors, signer } = (await post(place, receipt)).json()
  assert.equal(status, 'FAIL')
  assert.equal(verdict, 'key_revoked')
  assert.equal(kid_matched, false)
  assert.ok(errors.some((error: string) => error.startsWith('key_revoked: ')))
  assert.equal(signer.revoked_at, '2026-03-01T12:00:05.250Z')
})

test('the keys of the service count only for its own issuer', async () => {
  await using place = await kitsUnderTest({ sealedAs: 'https://other.example' })
  const { receipt } = await place.issue()
  const { status, verdict, errors } = (await post(place, receipt)).json()
  assert.equal(status, 'FAIL')
  assert.equal(verdict, 'signer_unknown')
  assert.match(errors.join(), /^signer_not_trusted: key \S+ belongs to https:\/\/issuer\.example/)
})

function post(place: Place, body: JsonValue) {
  const headers = { 'content-type': 'application/json' }
  return place.app.inject({
    method: 'POST',
    url: '/v1/verify/receipt',
    headers,
    payload: JSON.stringify(body),
  })
}

function* changes(receipt: Receipt, other: Receipt): Generator<JsonValue> {
  for (const [name, value] of Object.entries(receipt)) {
    const { [name]: _, ...without } = receipt as Readonly<Record<string, string>>
    yield without
    for (const wrong of [
      '',
      ` ${value}`,
      `${value} `,
      value.toUpperCase(),
      flipped(value),
      null,
      1,
      true,
      [value],
      {},
    ]) {
      if (wrong !== value) yield { ...receipt, [name]: wrong }
    }
    const others = (other as Readonly<Record<string, string>>)[name] ?? ''
    if (others !== value) yield { ...receipt, [name]: others }
  }
  yield { ...receipt, extra: 'member' }
  yield { ...receipt, jwks_uri: 'https://elsewhere.example/jwks.json' }
}

/** One character changed, in the middle. */
function flipped(value: string): string {
  const at = value.length >> 1
  return `${value.slice(0, at)}${value[at] === 'a' ? 'b' : 'a'}${value.slice(at + 1)}`
}

function deep(levels: number): JsonValue {
  return Array.from({ length: levels }).reduce<JsonValue>((inner) => ({ a: inner }), {})
}

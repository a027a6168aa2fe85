import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { admin, revokeSigningKey } from '../../kit/command.ts'
import { onEachDatabase, type TestDatabase } from '../../kit/databases.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { damage, filesWith } from '../../kit/stored-files.ts'
import { until } from '../../kit/until.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

const BOUNDARY = 'Integrity and issuance evidence only. Not audit, certification, or compliance guarantee.'

type Receipt = Readonly<Record<string, string>>

interface Result {
  readonly status: string
  readonly verdict: string
  readonly errors: readonly string[]
  readonly error_messages: readonly ({ readonly key: string } | null)[]
  readonly checks: readonly { readonly check: string; readonly result: string }[]
  readonly [member: string]: unknown
}

onEachDatabase((database) => {
  let stored: TestDatabase
  let service: TestService
  let acme: WorkspaceClient
  before(async () => {
    stored = await database.create()
    service = await testService(stored.settings)
    acme = await workspaceClient(service)
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    await stored[Symbol.asyncDispose]()
  })

  async function issued(content = 'the evidence'): Promise<Receipt> {
    const id = await acme.submission()
    await acme.upload(id, form({ 'a.txt': content }))
    const kitId = String((await acme.ended(id))['kit_id'])
    return (await acme.get(`/v1/kits/${kitId}/receipt`)).json as Receipt
  }

  async function verify(body: unknown): Promise<Result> {
    const { status, json } = await service.post('/v1/verify/receipt', body)
    assert.equal(status, 200, JSON.stringify(body))
    return json as unknown as Result
  }

  test('the receipt of an issued kit is PASS in every check', async () => {
    const receipt = await issued()
    const { checks, ...result } = await verify(receipt)
    assert.ok(checks.length > 1)
    assert.deepEqual(
      checks.filter(({ result: each }) => each !== 'pass'),
      [],
    )
    assert.deepEqual(result, {
      status: 'PASS',
      verdict: 'verified',
      manifest_hash_valid: true,
      artifact_hashes_valid: true,
      receipt_canonical_hash_valid: true,
      ed25519_signature_valid: true,
      kid_matched: true,
      errors: [],
      error_messages: [],
      signer: {
        kid: receipt['public_key_kid'],
        trust: 'jwks',
        key_from: { source: 'site', host: new URL(service.base).host },
      },
      boundary: BOUNDARY,
    })
  })

  test('a receipt with any changed member is FAIL', async () => {
    const [receipt, other] = [await issued('one'), await issued('another')]
    for (const changed of changes(receipt, other)) {
      const { status, errors } = await verify(changed)
      assert.equal(status, 'FAIL', JSON.stringify(changed))
      assert.ok(errors.length > 0)
    }
  })

  test('an object that is not a receipt is FAIL with receipt_malformed, and nothing in it is valid', async () => {
    for (const body of [
      {},
      { kit_id: 1 },
      { kit_id: '../../x' },
      { constructor: { prototype: 1 } },
      deep(50),
    ]) {
      const { status, verdict, errors, error_messages: messages, ...members } = await verify(body)
      const { checks, signer, boundary, ...rest } = members
      assert.equal(messages.length, errors.length)
      assert.deepEqual([status, verdict, boundary], ['FAIL', 'altered', BOUNDARY])
      assert.deepEqual(signer, { kid: null, trust: 'none' })
      assert.ok(checks.every(({ result }) => result !== 'pass'))
      assert.ok(errors.every((error) => /^\w+: /.test(error)))
      assert.ok(errors.some((error) => error.startsWith('receipt_malformed: ')))
      assert.ok(Object.values(rest).every((value) => value === false))
    }
  })

  test('a body that is not one JSON object is 400, one over the limit 413, and another media type 415', async () => {
    for (const body of [
      '',
      '{',
      'x',
      '[]',
      'null',
      '1',
      '"a"',
      '{"a":1,"a":2}',
      '{"a":"\\ud800"}',
      '{"a":1e400}',
    ])
      assert.equal((await service.post('/v1/verify/receipt', body)).status, 400, body)
    assert.equal((await service.post('/v1/verify/receipt', { a: 'x'.repeat(70_000) })).status, 413)
    const plain = { 'content-type': 'text/plain' }
    assert.equal((await service.post('/v1/verify/receipt', '{}', plain)).status, 415)
  })

  test('the receipt of a kit that the service has not is FAIL: its files and its key are missing', async () => {
    await using elsewhere = await testService()
    const { kitId } = await elsewhere.issue()
    const { status, errors } = await verify((await elsewhere.call(`/v1/kits/${kitId}/receipt`)).json)
    assert.equal(status, 'FAIL')
    for (const code of ['artifact_missing', 'key_not_in_jwks'])
      assert.ok(
        errors.some((error) => error.startsWith(`${code}: `)),
        code,
      )
  })

  test('a file that is changed or missing in the store is FAIL at once, even after a PASS', async () => {
    const text = `evidence of ${database.name} that changes`
    const receipt = await issued(text)
    assert.equal((await verify(receipt)).status, 'PASS')
    damage(service, text, text.toUpperCase())
    const changed = await verify(receipt)
    assert.deepEqual(
      [changed.status, changed['artifact_hashes_valid'], changed['ed25519_signature_valid']],
      ['FAIL', false, true],
    )
    assert.ok(changed.errors.some((error) => error.startsWith('artifact_hash_mismatch: ')))
    damage(service, text.toUpperCase(), text)
    assert.equal((await verify(receipt)).status, 'PASS')
    for (const file of filesWith(service, text)) rmSync(file)
    const gone = await verify(receipt)
    assert.equal(gone.status, 'FAIL')
    assert.ok(gone.errors.some((error) => error.startsWith('artifact_missing: ')))
    assert.ok(!JSON.stringify(gone).includes(service.dataFolder), 'without paths of the machine')
  })

  test('receipts of a retired key verify, and those of a revoked key do not', async () => {
    await using own = await database.create()
    await using other = await testService(own.settings)
    const { kitId } = await other.issue()
    const receipt = (await other.call(`/v1/kits/${kitId}/receipt`)).json
    const verified = async () => (await other.post('/v1/verify/receipt', receipt)).json
    const kid = String(receipt['public_key_kid'])
    assert.equal((await admin(other, 'signing-key', 'rotate')).code, 0)
    assert.equal((await verified())['status'], 'PASS')
    assert.equal(await revokeSigningKey(other, kid), kid)
    await until(async () => (await verified())['status'] === 'FAIL')
    const { status, verdict, kid_matched, errors } = await verified()
    assert.deepEqual([status, verdict, kid_matched], ['FAIL', 'key_revoked', false])
    assert.match(String(errors), /key_revoked: /)
  })

  test('the keys of the service count only for its own issuer', async () => {
    await using own = await database.create()
    await using former = await testService({ ...own.settings, KITSEAL_ISSUER: 'https://other.example' })
    const { kitId } = await former.issue()
    const receipt = (await former.call(`/v1/kits/${kitId}/receipt`)).json
    await former.service.stop()
    const settings = { ...former.environment, KITSEAL_ISSUER: 'https://issuer.example' }
    await using renamed = await testService(settings)
    const { json } = await renamed.post('/v1/verify/receipt', receipt)
    assert.deepEqual([json['status'], json['verdict']], ['FAIL', 'signer_unknown'])
    assert.match(String(json['errors']), /signer_not_trusted: key \S+ belongs to https:\/\/issuer\.example/)
  })
})

function* changes(receipt: Receipt, other: Receipt): Generator<unknown> {
  for (const [name, value] of Object.entries(receipt)) {
    const { [name]: _, ...without } = receipt
    yield without
    const wrong = [
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
    ]
    for (const each of [...wrong, other[name]]) if (each !== value) yield { ...receipt, [name]: each }
  }
  yield { ...receipt, extra: 'member' }
  yield { ...receipt, jwks_uri: 'https://elsewhere.example/jwks.json' }
}

/** One character changed, in the middle. */
function flipped(value: string): string {
  const at = value.length >> 1
  return `${value.slice(0, at)}${value[at] === 'a' ? 'b' : 'a'}${value.slice(at + 1)}`
}

const deep = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => ({ a: inner }), {})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHost } from '../node/internal.ts'
import { ISSUED_AT, ISSUER, KIT_ID, keySetOf, makeKit, openBytes, testSigner } from '../test/make-kit.ts'
import { copyInput } from './encoding/bytes.ts'
import {
  type JsonValue,
  type PublicJwk,
  sealKit,
  storedKit,
  trustKeys,
  utf8,
  verifyKit,
  verifyReceipt,
} from './internal.ts'

test('a copy shares nothing with what was copied', () => {
  const pool = Buffer.from('pooled')
  const given = { keys: [{ kid: 'a' }], bytes: pool, none: undefined }
  const copy = copyInput(given)
  pool.fill(0)
  given.keys[0]!.kid = 'b'
  assert.deepEqual(copy, { keys: [{ kid: 'a' }], bytes: new Uint8Array(utf8('pooled')), none: undefined })
})

test('keys that are added while a kit is verified are not trusted', async () => {
  const { zip, sealed } = await makeKit()
  const keys: PublicJwk[] = []
  const added = keySetOf(testSigner()).keys[0]!
  const byKit = verifyKit(await openBytes(zip), trustKeys({ keys }), nodeHost)
  keys.push(added)
  assert.equal((await byKit).status, 'FAIL')
  keys.length = 0
  const byReceipt = verifyReceipt(
    sealed.receipt as unknown as JsonValue,
    await openBytes(zip),
    { keys },
    nodeHost,
  )
  keys.push(added)
  assert.equal((await byReceipt).status, 'FAIL')
})

test('a receipt that is changed while it is verified counts as it was given', async () => {
  const { zip, sealed, jwks } = await makeKit()
  const receipt = { ...sealed.receipt }
  const verifying = verifyReceipt(receipt, await openBytes(zip), jwks, nodeHost)
  receipt.scope = 'another scope'
  assert.equal((await verifying).status, 'PASS')
})

test('files that are changed while a kit is sealed are sealed as they were given', async () => {
  const file = {
    path: 'data/a.txt',
    sha256: 'a'.repeat(64),
    sizeBytes: 1,
    crc32: 1,
  }
  const { sign, ...signer } = testSigner()
  const changing = {
    ...signer,
    sign: (message: Uint8Array) => {
      file.path = 'data/b.txt'
      return sign(message)
    },
  }
  const sealed = await sealKit(
    {
      kitId: KIT_ID,
      jobId: 'job_0123456789abcdefghijkl',
      issuedAt: ISSUED_AT,
      issuer: ISSUER,
      scope: 'Quarter 3',
      files: [file],
      jwks: keySetOf(testSigner()),
      signer: changing,
    },
    nodeHost,
  )
  assert.deepEqual(
    sealed.files.map(({ path }) => path).filter((path) => path.startsWith('data/')),
    ['data/a.txt'],
  )
})

test('chunks that are reused by their reader are copied', async () => {
  const buffer = Buffer.from('ab')
  async function* open(): AsyncGenerator<Uint8Array> {
    yield buffer
    buffer.write('cd')
    yield buffer
  }
  const kit = storedKit([{ path: 'a', sizeBytes: 4 }], open, nodeHost)
  assert.deepEqual(Buffer.from(await kit.read('a', 10)).toString(), 'abcd')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as kit from '../src/internal.ts'
import { openBytes } from './make-kit.ts'
import { nodeHost } from '../node/internal.ts'
import { inclusionProof, merkleRoot, rootFromProof } from '../src/encoding/merkle.ts'
import { archiveBytes, deflatedEntry, issuedZip, storedEntry } from '../../test/forge/archive.ts'
import { ISSUER, JOB_ID, KIT_ID } from '../../test/forge/draft-kit.ts'
import { ISSUED_AT, issuer, ISSUER_KEYS } from '../../test/forge/keys.ts'
import { readByDirectory, readByStream } from '../../test/fuzz/plain-readers.ts'

const trust = kit.trustKeys(ISSUER_KEYS)
const anyBytes = fc.uint8Array({ maxLength: 200 })
const anyText = fc.string({ unit: 'grapheme', maxLength: 40 })

test('parsing any bytes as JSON either succeeds or throws a StrictJsonError', () => {
  fc.assert(
    fc.property(fc.oneof(anyBytes, fc.json().map(kit.utf8), anyText.map(kit.utf8)), (bytes) => {
      try {
        const value = kit.parseStrictJson(bytes)
        assert.deepEqual(
          kit.canonicalJson(kit.parseStrictJson(kit.utf8(kit.canonicalJson(value)))),
          kit.canonicalJson(value),
        )
      } catch (error) {
        assert.ok(error instanceof kit.StrictJsonError, String(error))
      }
    }),
    { numRuns: 1000 },
  )
})

test('no document makes a parser throw', () => {
  const names = [
    'receipt_version',
    'kit_id',
    'artifacts',
    'signature',
    'keys',
    'kty',
    'kid',
    'audit_path',
    'path',
  ]
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, true, 0, -1, 2 ** 53 - 1, '', 'Ed25519', ISSUED_AT, 'a'.repeat(64)),
      anyText,
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 8 }),
    ),
  })).any
  fc.assert(
    fc.property(value, (document) => {
      const json = document as kit.JsonValue
      for (const parse of [kit.parseReceipt, kit.parseManifest, kit.parseJwks, kit.parseProof]) parse(json)
    }),
    { numRuns: 1000 },
  )
})

test('an allowed path is the same path on every system', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.string({ unit: 'binary', maxLength: 30 })), (path) => {
      if (kit.pathProblem(path) !== undefined) return
      assert.equal(path.normalize('NFC'), path)
      assert.ok(!/[\\\0]|^\/|(^|\/)\.{0,2}(\/|$)/.test(path), path)
      assert.equal(kit.collisionKey(path), kit.collisionKey(path.toLowerCase().normalize('NFC')), path)
    }),
    { numRuns: 2000 },
  )
})

test('a Merkle proof is valid only for its own leaf', () => {
  fc.assert(
    fc.property(
      fc.array(anyBytes, { minLength: 1, maxLength: 40 }),
      fc.nat(),
      fc.nat(),
      (data, some, other) => {
        const leaves = data.map((bytes) => nodeHost.digest(Buffer.concat([Buffer.of(0), bytes])))
        const index = some % leaves.length
        const proof = inclusionProof(leaves, index, nodeHost.digest)
        const root = merkleRoot(leaves, nodeHost.digest)
        const from = (leaf: Uint8Array, at: number): Uint8Array | undefined =>
          rootFromProof(leaf, at, leaves.length, proof, nodeHost.digest)
        assert.deepEqual(from(leaves[index]!, index), root)
        const wrong = other % leaves.length
        if (Buffer.compare(leaves[wrong]!, leaves[index]!) !== 0)
          assert.notDeepEqual(from(leaves[wrong]!, index), root)
      },
    ),
    { numRuns: 300 },
  )
})

const evidence = fc
  .uniqueArray(
    fc.record({
      path: fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
        .map((name) => `data/${name.normalize('NFC')}`),
      bytes: anyBytes,
    }),
    { maxLength: 6, selector: ({ path }) => kit.collisionKey(path) },
  )
  .filter((files) => {
    const paths = files.map(({ path }) => path)
    return (
      paths.every((path) => kit.pathProblem(path) === undefined) && kit.pathCollisions(paths).length === 0
    )
  })

test('a sealed kit verifies, stored or deflated, and plain zip readers find its files unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(evidence, fc.boolean(), async (supplied, deflate) => {
      const files = await seal(supplied)
      const packed = deflate
        ? archiveBytes({
            entries: [...files].map(([path, bytes]) => deflatedEntry(`${KIT_ID}/${path}`, bytes)),
          })
        : issuedZip(files)
      assert.equal((await verify(packed)).status, 'PASS')
      for (const contents of [readByDirectory(packed), readByStream(packed)])
        for (const { path, bytes } of supplied)
          assert.deepEqual(contents?.get(`${KIT_ID}/${path}`), Buffer.from(bytes), path)
    }),
    { numRuns: 60 },
  )
})

test('a kit with any one file changed fails', async () => {
  await fc.assert(
    fc.asyncProperty(evidence, fc.nat(), anyBytes, async (supplied, which, other) => {
      const files = await seal(supplied)
      const path = [...files.keys()][which % files.size]!
      if (Buffer.compare(files.get(path)!, other) === 0) return
      const changed = new Map(files).set(path, other)
      assert.equal((await verify(issuedZip(changed))).status, 'FAIL', path)
    }),
    { numRuns: 60 },
  )
})

test('an archive of any entries is read unambiguously or refused', async () => {
  const entries = fc.array(
    fc.record({ name: fc.string({ unit: 'binary', maxLength: 12 }), bytes: anyBytes }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  await fc.assert(
    fc.asyncProperty(entries, async (list) => {
      const zip = archiveBytes({ entries: list.map(({ name, bytes }) => storedEntry(name, bytes)) })
      const source = {
        sizeBytes: zip.length,
        read: (at: number, length: number) => zip.subarray(at, at + length),
      }
      try {
        const directory = await kit.readZipDirectory(source)
        assert.deepEqual(
          directory.entries.map(({ name }) => name),
          list.map(({ name }) => name),
        )
      } catch (error) {
        assert.ok(error instanceof kit.ZipProblem, String(error))
      }
    }),
    { numRuns: 500 },
  )
})

async function seal(supplied: readonly { readonly path: string; readonly bytes: Uint8Array }[]) {
  const files = supplied.map(({ path, bytes }) => ({
    path,
    sha256: kit.hex(nodeHost.digest(bytes)),
    sizeBytes: bytes.length,
    crc32: nodeHost.crc32(bytes, 0),
  }))
  const identity = {
    kitId: KIT_ID,
    jobId: JOB_ID,
    issuedAt: ISSUED_AT,
    issuer: ISSUER,
    scope: 'a round trip',
  }
  const sealed = await kit.sealKit({ ...identity, files, jwks: ISSUER_KEYS, signer: issuer }, nodeHost)
  const contents = new Map([
    ...supplied.map(({ path, bytes }) => [path, bytes] as const),
    ...sealed.generated.map(({ path, bytes }) => [path, bytes] as const),
  ])
  return new Map(sealed.files.map(({ path }) => [path, contents.get(path)!]))
}

async function verify(zip: Uint8Array): Promise<kit.VerificationReport> {
  return kit.verifyKit(await openBytes(zip), trust, nodeHost)
}

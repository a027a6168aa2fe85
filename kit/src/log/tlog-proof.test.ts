import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { proofOf, testLogKey, testWitness } from '../../test/make-log.ts'
import { sha256 } from '../crypto/sha256.ts'
import { leafHash, rootFromProof } from '../encoding/merkle.ts'
import { fromUtf8, utf8 } from '../encoding/bytes.ts'
import { checkpointText, parseCheckpoint } from './checkpoint.ts'
import { leafBytes, parseLeaf, receiptLeaf } from './leaf.ts'
import { LogFormatError, noteBytes, parseNote, vkey } from './note.ts'
import { parseEntryBundle, parseTilePath, tilePath } from './tiles.ts'
import { parsePolicy } from './tlog-policy.ts'
import { parseTlogProof, tlogProofBytes } from './tlog-proof.ts'

const log = testLogKey('issuer.example/log')
const witness = testWitness('w.example')
const entry = utf8('entry')
const bytes = proofOf(entry, { index: 5, size: 11, log, witnesses: [witness] })
const text = fromUtf8(bytes)!
const HEADER = 'c2sp.org/tlog-proof@v1\n'

test('a proof leads from the leaf to the root hash of its checkpoint', () => {
  for (const [index, size] of [
    [0, 1],
    [5, 11],
    [10, 11],
  ] as const) {
    const { hashes, checkpoint, ...proof } = parseTlogProof(proofOf(entry, { index, size, log }))
    assert.deepEqual(proof, { index })
    assert.deepEqual(rootFromProof(leafHash(entry, sha256), index, size, hashes, sha256), checkpoint.root)
  }
})

test('extra data is carried along', () => {
  const extra = utf8('more')
  const proof = { ...parseTlogProof(bytes), extra }
  assert.deepEqual(parseTlogProof(tlogProofBytes(proof)).extra, extra)
  assert.equal(fromUtf8(tlogProofBytes(proof)), text.replace(HEADER, `${HEADER}extra bW9yZQ==\n`))
})

test('each proof has one spelling', () => {
  const hash = text.split('\n')[2]!
  for (const other of [
    text.replace('@v1', '@v2'),
    text.replace(HEADER, ''),
    text.replace(HEADER, `\ufeff${HEADER}`),
    text.replace(HEADER, `\n${HEADER}`),
    text.replaceAll('\n', '\r\n'),
    text.replace('index 5', 'index 05'),
    text.replace('index 5', 'index  5'),
    text.replace('index 5', 'index 5 '),
    text.replace('index 5', 'index +5'),
    text.replace('index 5', 'index 11'),
    text.replace('index 5', 'index 9007199254740993'),
    text.replace('index 5', 'Index 5'),
    text.replace('index 5', 'index 5\nindex 5'),
    text.replace('index 5\n', ''),
    text.replace('index 5', 'extra \nindex 5'),
    text.replace('index 5', 'extra\nindex 5'),
    text.replace('index 5', 'extra bW9yZR==\nindex 5'),
    text.replace('index 5', 'index 5\nextra bW9yZQ=='),
    text.replace('index 5', 'extra bW9yZQ==\nextra bW9yZQ==\nindex 5'),
    text.replace(hash, hash.replace('=', '')),
    text.replace(hash, ` ${hash}`),
    text.replace(hash, hash.replaceAll('=', '\u003d ')),
    text.replace(hash, `${hash}\n`),
    text.replace('\n\n', '\n'),
    text.slice(0, -1),
    `${text}\n`,
    `${text}x`,
    text.replace('index 5\n', `index 5\n${`${hash}\n`.repeat(63)}`),
    '',
    HEADER,
  ])
    assert.throws(() => parseTlogProof(utf8(other)), LogFormatError, JSON.stringify(other))
})

test('a proof for an empty log is refused', () => {
  const empty = checkpointText({ origin: 'issuer.example/log', size: 0, root: sha256(new Uint8Array(0)) })
  const checkpoint = { text: empty, signatures: [log.sign(empty)] }
  assert.throws(() => tlogProofBytes({ index: 0, hashes: [], checkpoint }), LogFormatError)
})

const RECEIPT = {
  receipt_version: 'FES-1.0-preview',
  job_id: 'job_a',
  kit_id: 'kit_a',
  issued_at: '2026-05-05T09:30:00.000Z',
  issuer: 'https://issuer.example',
  public_key_kid: 'A'.repeat(43),
  manifest_sha256: '0'.repeat(64),
  manifest_root_hash: '0'.repeat(64),
  canonical_receipt_sha256: '0'.repeat(64),
  signature_algorithm: 'Ed25519',
  signature: 'A'.repeat(86),
  scope: 'a secret scope',
  boundary: 'b',
} as const

test('the leaf of a receipt names no job, kit, issuer or scope, and covers the signature', () => {
  const leaf = leafBytes(receiptLeaf(RECEIPT, sha256))
  assert.doesNotMatch(fromUtf8(leaf)!, /secret|job_a|kit_a|issuer/)
  assert.deepEqual(parseLeaf(leaf), receiptLeaf(RECEIPT, sha256))
  const resigned = { ...RECEIPT, signature: `${'A'.repeat(85)}Q` }
  assert.notDeepEqual(leafBytes(receiptLeaf(resigned, sha256)), leaf)
  const { job_tag } = receiptLeaf(RECEIPT, sha256)
  assert.equal(job_tag, receiptLeaf({ ...RECEIPT, kit_id: 'kit_b' }, sha256).job_tag)
})

test('a leaf has one spelling and exactly the members of its kind', () => {
  const at = '2026-05-05T09:30:00.000Z'
  const kid = 'A'.repeat(43)
  const leaf_version = 'kitseal-leaf-1'
  const hash = '0'.repeat(64)
  for (const leaf of [
    { leaf_version, kind: 'key', kid, event: 'added', at },
    { leaf_version, kind: 'key', kid, event: 'compromised', at, since: at },
    { leaf_version, kind: 'erasure', receipt_sha256: hash, erasure_sha256: hash },
    { leaf_version, kind: 'audit', audit_tag: hash, count: 3, head: hash },
  ] as const)
    assert.deepEqual({ ...parseLeaf(leafBytes(leaf)) }, leaf)
  const good = fromUtf8(leafBytes({ leaf_version, kind: 'audit', audit_tag: hash, count: 3, head: hash }))!
  for (const other of [
    ` ${good}`,
    good.replace('3', '3.0'),
    good.replace('3', '-3'),
    good.replace('"count":3,', ''),
    good.replace('3,', '3,"extra":1,'),
    good.replace('leaf-1', 'leaf-2'),
    good.replace('"audit"', '"other"'),
    good.replace('"audit"', '"toString"'),
    good.replace('"audit"', '"erasure"'),
    good.replace('3,', '3,"since":"2026-05-05T09:30:00.000Z",'),
    '[]',
    'x',
    '',
  ])
    assert.throws(() => parseLeaf(utf8(other)), LogFormatError, other)
})

test('changed bytes give a LogFormatError, or are read and written back the same', () => {
  const policy = utf8(`log ${vkey(log.key)}\nwitness w ${vkey(witness.key)}\nquorum w\n`)
  const note = bytes.subarray(text.slice(0, text.indexOf('\n\n') + 2).length)
  const readers: readonly (readonly [Uint8Array, (changed: Uint8Array) => Uint8Array | undefined])[] = [
    [bytes, (changed) => tlogProofBytes(parseTlogProof(changed))],
    [note, (changed) => noteBytes(parseNote(changed))],
    [note, (changed) => noteBytes(parseCheckpoint(changed))],
    [leafBytes(receiptLeaf(RECEIPT, sha256)), (changed) => leafBytes(parseLeaf(changed))],
    [utf8('tile/0/x001/002.p/3'), (changed) => utf8(tilePath(parseTilePath(fromUtf8(changed) ?? '')))],
    [policy, (changed) => (parsePolicy(changed, sha256), undefined)],
    [Uint8Array.of(0, 1, 2, 0, 0), (changed) => (parseEntryBundle(changed), undefined)],
  ]
  for (const [original, readBack] of readers) {
    assert.deepEqual(readBack(original) ?? original, original)
    const change = fc.record({
      at: fc.nat({ max: original.length }),
      remove: fc.nat({ max: 3 }),
      add: fc.oneof(
        fc.uint8Array({ maxLength: 3 }),
        fc.constantFrom('\n', '\n\n', ' ', '0', '=', '+', '— ', '\r').map(utf8),
      ),
    })
    fc.assert(
      fc.property(change, ({ at, remove, add }) => {
        const changed = Uint8Array.from([
          ...original.subarray(0, at),
          ...add,
          ...original.subarray(at + remove),
        ])
        try {
          assert.deepEqual(readBack(changed) ?? changed, changed)
        } catch (error) {
          if (!(error instanceof LogFormatError)) throw error
        }
      }),
      { numRuns: 400 },
    )
  }
})

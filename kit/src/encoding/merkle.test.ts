import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../crypto/sha256.ts'
import { hex, utf8 } from './bytes.ts'
import { inclusionProof, leafHash, merkleRoot, rootFromProof } from './merkle.ts'

const leaves = (count: number): readonly Uint8Array[] =>
  Array.from({ length: count }, (_, index) => leafHash(utf8(`leaf ${index}`), sha256))

/** RFC 6962 section 2.1 as it is written: split at the largest power of two below n. */
function rootByDefinition(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return sha256(new Uint8Array(0))
  if (hashes.length === 1) return hashes[0]!
  let split = 1
  while (split * 2 < hashes.length) split *= 2
  const left = rootByDefinition(hashes.slice(0, split))
  const right = rootByDefinition(hashes.slice(split))
  return sha256(Uint8Array.of(1, ...left, ...right))
}

test('the root is that of RFC 6962 for every tree size up to 70', () => {
  for (let count = 0; count <= 70; count++) {
    assert.equal(hex(merkleRoot(leaves(count), sha256)), hex(rootByDefinition(leaves(count))))
  }
})

test('the root of an empty tree is the hash of the empty string', () => {
  assert.equal(
    hex(merkleRoot([], sha256)),
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  )
})

test('a proof leads to the root only for its own leaf, index and tree size', () => {
  for (let count = 1; count <= 33; count++) {
    const hashes = leaves(count)
    const root = hex(merkleRoot(hashes, sha256))
    for (let index = 0; index < count; index++) {
      const proof = inclusionProof(hashes, index, sha256)
      const reached = (leaf: Uint8Array, at: number, size: number, path = proof): string => {
        const found = rootFromProof(leaf, at, size, path, sha256)
        return found === undefined ? 'none' : hex(found)
      }
      assert.equal(reached(hashes[index]!, index, count), root)
      assert.notEqual(reached(leafHash(utf8('other'), sha256), index, count), root)
      if (count > 1) assert.notEqual(reached(hashes[index]!, (index + 1) % count, count), root)
      assert.notEqual(reached(hashes[index]!, index, count, [...proof, hashes[0]!]), root)
      if (proof.length > 0) assert.notEqual(reached(hashes[index]!, index, count, proof.slice(1)), root)
    }
  }
})

test('a leaf cannot be passed off as a node', () => {
  const [a, b] = leaves(2) as [Uint8Array, Uint8Array]
  const asLeaf = leafHash(Uint8Array.of(...a, ...b), sha256)
  assert.notEqual(hex(asLeaf), hex(merkleRoot([a, b], sha256)))
})

test('there is no proof for a leaf that does not exist', () => {
  assert.equal(rootFromProof(leaves(1)[0]!, 5, 3, [], sha256), undefined)
  assert.equal(rootFromProof(leaves(1)[0]!, -1, 3, [], sha256), undefined)
  assert.throws(() => inclusionProof(leaves(3), 3, sha256), RangeError)
})

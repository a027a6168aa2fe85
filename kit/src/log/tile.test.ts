import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../crypto/sha256.ts'
import { inclusionProof, leafHash, merkleRoot, rootFromProof } from '../encoding/merkle.ts'
import { utf8 } from '../encoding/bytes.ts'
import { isConsistent } from '../../test/consistency.ts'
import { LogFormatError } from './note.ts'
import {
  consistencyProofFromTiles,
  entryBundle,
  inclusionProofFromTiles,
  parseEntryBundle,
  parseTilePath,
  rootFromTiles,
  type SubtreeHashes,
  TILE_WIDTH,
  tilePath,
  type TileReader,
  tileWidth,
} from './tiles.ts'

const leaves = Array.from({ length: 70_000 }, (_, index) => leafHash(utf8(`leaf ${index}`), sha256))
const levels: Uint8Array[][] = [leaves]
while (levels.at(-1)!.length >= TILE_WIDTH) {
  const below = levels.at(-1)!
  levels.push(
    Array.from({ length: Math.floor(below.length / TILE_WIDTH) }, (_, at) =>
      merkleRoot(below.slice(at * TILE_WIDTH, (at + 1) * TILE_WIDTH), sha256),
    ),
  )
}
const read: TileReader = (level, index, width) => {
  assert.ok(width >= 1 && width <= TILE_WIDTH)
  const hashes = levels[level]!.slice(index * TILE_WIDTH, index * TILE_WIDTH + width)
  assert.equal(hashes.length, width)
  return Buffer.concat(hashes)
}

test('a tile has one path', () => {
  for (const [path, level, index, width] of [
    ['tile/0/000', 0, 0, 256],
    ['tile/0/005', 0, 5, 256],
    ['tile/1/999.p/1', 1, 999, 1],
    ['tile/63/x001/000', 63, 1000, 256],
    ['tile/entries/x001/x234/067.p/255', 'entries', 1_234_067, 255],
  ] as const) {
    assert.equal(tilePath({ level, index, width }), path)
    assert.deepEqual(parseTilePath(path), { level, index, width })
  }
  for (const path of [
    'tile/8/0/000',
    'tile/0/0',
    'tile/0/x000/005',
    'tile/0/001/002',
    'tile/0/x001',
    'tile/00/000',
    'tile/64/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/01',
    'tile/0/000.p/',
    'tile/data/000',
    'tile/0/000/',
    '/tile/0/000',
    'tile/0/x009/x007/x199/x254/x740/992',
    'tile/0/-01',
    'tile//000',
    '',
  ])
    assert.throws(() => parseTilePath(path), LogFormatError, path)
})

test('a partial tile has the hashes of its level that no full tile has', () => {
  assert.deepEqual(
    [0, 1, 2, 3].map((level) => Math.floor(70_000 / 256 ** level)),
    [70_000, 273, 1, 0],
  )
  assert.equal(tileWidth(0, 272, 70_000), 256)
  assert.equal(tileWidth(0, 273, 70_000), 112)
  assert.equal(tileWidth(0, 274, 70_000), 0)
  assert.equal(tileWidth('entries', 273, 70_000), 112)
  assert.equal(tileWidth(1, 0, 70_000), 256)
  assert.equal(tileWidth(1, 1, 70_000), 17)
  assert.equal(tileWidth(2, 0, 70_000), 1)
  assert.equal(tileWidth(3, 0, 70_000), 0)
  assert.deepEqual([tileWidth(0, 0, 256), tileWidth(0, 1, 256), tileWidth(1, 0, 256)], [256, 0, 1])
})

test('an entry bundle is read back entry by entry', () => {
  const entries = [utf8('a'), new Uint8Array(0), new Uint8Array(65_535).fill(7)]
  assert.deepEqual(parseEntryBundle(entryBundle(entries)), entries)
  assert.throws(() => entryBundle([new Uint8Array(65_536)]), LogFormatError)
  for (const bad of [[], [0], [0, 1], [0, 0, 1], [1, 0, ...new Uint8Array(255)]])
    assert.throws(() => parseEntryBundle(Uint8Array.from(bad)), LogFormatError)
  assert.throws(() => parseEntryBundle(new Uint8Array(257 * 2)), LogFormatError)
  assert.equal(parseEntryBundle(new Uint8Array(256 * 2)).length, 256)
})

test('root hashes and proofs from tiles equal those from all leaves', async () => {
  for (const size of [1, 2, 3, 7, 8, 255, 256, 257, 511, 513, 1000]) {
    const all = leaves.slice(0, size)
    const root = merkleRoot(all, sha256)
    assert.deepEqual(await rootFromTiles(size, read, sha256), root, `size ${size}`)
    for (const index of new Set(
      [0, 1, Math.floor(size / 2), size - 2, size - 1].filter((at) => at >= 0 && at < size),
    ))
      assert.deepEqual(
        await inclusionProofFromTiles(index, size, read, sha256),
        inclusionProof(all, index, sha256),
        `${index} in ${size}`,
      )
  }
  assert.deepEqual(await rootFromTiles(0, read, sha256), sha256(new Uint8Array(0)))
})

test('known subtrees are not hashed again while the log grows, and change nothing', async () => {
  const known: SubtreeHashes = new Map()
  let hashed = 0
  const counting = (bytes: Uint8Array | string): Uint8Array => {
    hashed++
    return sha256(bytes)
  }
  for (let size = 1; size <= 600; size++) {
    const root = await rootFromTiles(size, read, counting, known)
    assert.deepEqual(root, await rootFromTiles(size, read, sha256), `size ${size}`)
    const proof = await inclusionProofFromTiles(size - 1, size, read, counting, known)
    assert.deepEqual(proof, inclusionProof(leaves.slice(0, size), size - 1, sha256), `size ${size}`)
  }
  assert.ok(hashed < 600 * 30, `${hashed} hashes`)
  known.set('0 512', new Uint8Array(32))
  assert.notDeepEqual(
    await rootFromTiles(600, read, sha256, known),
    await rootFromTiles(600, read, sha256),
    'a hash of another log gives another root',
  )
})

test('in a log of three tile levels every proof holds', async () => {
  const root = await rootFromTiles(70_000, read, sha256)
  for (const index of [0, 255, 256, 65_535, 65_536, 69_999]) {
    const proof = await inclusionProofFromTiles(index, 70_000, read, sha256)
    assert.deepEqual(rootFromProof(leaves[index]!, index, 70_000, proof, sha256), root)
  }
  for (const size of [1, 255, 256, 257, 65_535, 65_536, 65_537, 69_999]) {
    const older = { size, root: await rootFromTiles(size, read, sha256) }
    const proof = await consistencyProofFromTiles(size, 70_000, read, sha256)
    assert.ok(isConsistent(older, { size: 70_000, root }, proof, sha256), `from ${size}`)
  }
})

test('a consistency proof holds for its two trees only', async () => {
  const roots = await Promise.all(Array.from({ length: 40 }, (_, size) => rootFromTiles(size, read, sha256)))
  for (let newer = 1; newer < 40; newer++) {
    for (let older = 1; older <= newer; older++) {
      const proof = await consistencyProofFromTiles(older, newer, read, sha256)
      const holds = (from: number, to: number, hashes = proof): boolean =>
        isConsistent({ size: from, root: roots[older]! }, { size: to, root: roots[newer]! }, hashes, sha256)
      assert.ok(holds(older, newer), `${older} to ${newer}`)
      assert.equal(proof.length === 0, older === newer)
      assert.ok(!holds(older, newer, [...proof, roots[1]!]))
      assert.ok(!holds(0, newer))
      assert.ok(!holds(newer + 1, newer))
      if (older === newer) continue
      assert.ok(!holds(older, newer, proof.slice(1)))
      assert.ok(!holds(older, newer, proof.slice(0, -1)))
      assert.ok(!holds(older, newer, [proof[0]!.slice(1), ...proof.slice(1)]))
      assert.ok(
        !isConsistent(
          { size: older, root: roots[newer]! },
          { size: newer, root: roots[newer]! },
          proof,
          sha256,
        ),
      )
      assert.ok(
        !isConsistent(
          { size: older, root: roots[older]! },
          { size: newer, root: roots[older]! },
          proof,
          sha256,
        ),
      )
    }
  }
})

test('nothing is proved about the empty log', async () => {
  const empty = { size: 0, root: sha256(new Uint8Array(0)) }
  assert.deepEqual(await consistencyProofFromTiles(0, 5, read, sha256), [])
  assert.ok(!isConsistent(empty, { size: 1, root: leaves[0]! }, [], sha256))
  assert.ok(!isConsistent(empty, empty, [], sha256))
})

test('a leaf or a size that the log does not have is refused, and so is a short tile', async () => {
  await assert.rejects(inclusionProofFromTiles(5, 5, read, sha256), RangeError)
  await assert.rejects(inclusionProofFromTiles(-1, 5, read, sha256), RangeError)
  await assert.rejects(inclusionProofFromTiles(0.5, 5, read, sha256), RangeError)
  await assert.rejects(consistencyProofFromTiles(6, 5, read, sha256), RangeError)
  await assert.rejects(
    rootFromTiles(5, () => new Uint8Array(159), sha256),
    LogFormatError,
  )
})

test('sizes beyond 32 bits are halved, not shifted', () => {
  const size = 2 ** 40 + 1
  const [left, right] = [leaves[0]!, leaves[1]!]
  const root = sha256(Uint8Array.of(1, ...left, ...right))
  assert.deepEqual(rootFromProof(right, 2 ** 40, size, [left], sha256), root)
  assert.ok(isConsistent({ size: 2 ** 40, root: left }, { size, root }, [right], sha256))
})

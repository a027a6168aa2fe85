import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  inclusionProofFromTiles,
  leafHash,
  merkleRoot,
  rootFromProof,
  type TileReader,
  utf8,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { type FullTile, type Edge, extendTree, tileInEdge } from './log-tiles.ts'

const { digest } = nodeHost
const EMPTY: Edge = { size: 0, root: '', edge: [] }

const concat = (full: readonly FullTile[], level: number, index: number): Uint8Array =>
  Buffer.concat(full.find((tile) => tile.level === level && tile.index === index)?.hashes ?? [])

const rootOf = (leaves: readonly string[]): string =>
  Buffer.from(
    merkleRoot(
      leaves.map((leaf) => leafHash(utf8(leaf), digest)),
      digest,
    ),
  ).toString('base64')

const named = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`)

test('leaves that were not committed leave no trace in the next extension of the same head', async () => {
  for (const count of [1, 2, 7, 64, 250, 300]) {
    const first = named('first', count)
    const { to: head } = await extendTree(EMPTY, first)
    for (const added of [1, 5, 100]) {
      for (const name of ['lost', 'kept', 'other']) {
        const leaves = named(name, added)
        const { to } = await extendTree(head, leaves)
        assert.equal(to.root, rootOf([...first, ...leaves]), `${count} and ${added} ${name}`)
      }
    }
  }
})

test('every proof of a batch leads to its root, batch after batch', async () => {
  let head = EMPTY
  const all: string[] = []
  const full: FullTile[] = []
  for (const count of [1, 1, 3, 32, 32, 1, 180, 10]) {
    const leaves = named(`batch ${all.length}`, count)
    const extension = await extendTree(head, leaves)
    all.push(...leaves)
    full.push(...extension.full)
    const read: TileReader = (level, index, width) =>
      tileInEdge(extension.to, level, index, width) ?? concat(full, level, index)
    for (let index = head.size; index < extension.to.size; index++) {
      const proof = await inclusionProofFromTiles(index, all.length, read, digest, extension.to.subtrees)
      const leaf = leafHash(utf8(all[index] ?? ''), digest)
      const root = rootFromProof(leaf, index, all.length, proof, digest)
      assert.equal(Buffer.from(root ?? []).toString('base64'), rootOf(all), `${index} in ${all.length}`)
    }
    head = extension.to
  }
})

// Public test vectors of other projects, if they are on this machine. They are not part of this repository.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { canonicalJson } from '../kit/src/encoding/canonical-json.ts'
import { fromHex } from '../kit/src/encoding/hex.ts'
import { rootFromProof } from '../kit/src/encoding/merkle.ts'
import { type JsonValue, parseStrictJson, StrictJsonError } from '../kit/src/encoding/strict-json.ts'
import { verifySignature } from '../kit/src/crypto/ed25519.ts'
import { webHost } from '../kit/src/web-host.ts'
import { nodeHost } from '../kit/node/index.ts'

const folder = path.join(import.meta.dirname, '../../shared/corpora')
const skip = existsSync(folder)
  ? false
  : 'the public corpora are not here: Wycheproof, JSONTestSuite, JCS and Merkle vectors were NOT run'
if (skip !== false) console.log(`skipped: ${skip}`)

const read = (file: string): Buffer => readFileSync(path.join(folder, file))
const find = (pattern: string): readonly string[] => globSync(pattern, { cwd: folder }).toSorted()

interface Wycheproof {
  readonly testGroups: readonly {
    readonly publicKey: { readonly pk: string }
    readonly tests: readonly {
      readonly tcId: number
      readonly comment: string
      readonly msg: string
      readonly sig: string
      readonly result: 'valid' | 'invalid'
    }[]
  }[]
}

test('every Wycheproof Ed25519 signature gives the expected result', { skip }, async () => {
  const { testGroups } = JSON.parse(read('ed25519/wycheproof.json').toString()) as Wycheproof
  let count = 0
  for (const { publicKey, tests } of testGroups) {
    for (const { tcId, comment, msg, sig, result } of tests) {
      const [key, message, signature] = [publicKey.pk, msg, sig].map((text) => fromHex(text)!)
      for (const host of [nodeHost, webHost]) {
        const { valid } = await verifySignature(key!, message!, signature!, host)
        assert.equal(valid, result === 'valid', `case ${tcId}: ${comment}`)
      }
      count++
    }
  }
  assert.ok(count > 100)
})

test('JSONTestSuite: invalid JSON is refused and valid JSON is parsed', { skip }, () => {
  const files = find('json-parsing/*.json')
  assert.ok(files.length > 250)
  for (const file of files) {
    const name = path.basename(file)
    const bytes = read(file)
    if (name.startsWith('n_')) assert.throws(() => parseStrictJson(bytes), name)
    else if (!reads(bytes) && name.startsWith('y_'))
      assert.ok(isStricter(bytes), `${name} was refused but is valid`)
  }
})

test('canonical JSON equals the published outputs for I-JSON with whole numbers', { skip }, () => {
  for (const file of find('jcs/input/*.json')) {
    const value = JSON.parse(read(file).toString()) as JsonValue
    const output = read(file.replace('input', 'output')).toString().trimEnd()
    assert.equal(canonicalJson(value), output, file)
    if (reads(read(file))) assert.equal(canonicalJson(parseStrictJson(read(file))), output, file)
  }
})

interface Inclusion {
  readonly leafIdx: number
  readonly treeSize: number
  readonly root: string
  readonly leafHash: string
  readonly proof: readonly string[] | null
  readonly wantErr: boolean
}

test('every published Merkle inclusion proof gives the expected result', { skip }, () => {
  const files = find('merkle/inclusion/**/*.json')
  assert.ok(files.length > 50)
  for (const file of files) {
    const { leafIdx, treeSize, root, leafHash, proof, wantErr } = JSON.parse(
      read(file).toString(),
    ) as Inclusion
    const hashes = (proof ?? []).map((hash) => Buffer.from(hash, 'base64'))
    const leaf = Buffer.from(leafHash, 'base64')
    const found = rootFromProof(leaf, leafIdx, treeSize, hashes, nodeHost.digest)
    const holds =
      leaf.length === 32 && found !== undefined && Buffer.compare(found, Buffer.from(root, 'base64')) === 0
    assert.equal(holds, !wantErr, file)
  }
})

function reads(bytes: Uint8Array): boolean {
  try {
    parseStrictJson(bytes)
    return true
  } catch (error) {
    assert.ok(error instanceof StrictJsonError, String(error))
    return false
  }
}

/** Valid JSON that we refuse: unsafe integers and duplicate names. */
function isStricter(bytes: Buffer): boolean {
  const numbers = bytes.toString().match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? []
  const names = bytes.toString().match(/"[^"]*"(?=\s*:)/g) ?? []
  return numbers.some((number) => !Number.isSafeInteger(Number(number))) || new Set(names).size < names.length
}

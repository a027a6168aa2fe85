// Public test vectors of other projects, if they are on this machine. They are not part of this repository.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { canonicalJson } from '../kit/src/encoding/canonical-json.ts'
import { fromHex, hex } from '../kit/src/encoding/bytes.ts'
import { leafHash as hashLeaf, merkleRoot, rootFromProof } from '../kit/src/encoding/merkle.ts'
import { type JsonValue, parseStrictJson, StrictJsonError } from '../kit/src/encoding/strict-json.ts'
import { parseCheckpoint } from '../kit/src/log/checkpoint.ts'
import { noteBytes, parseVkey, verifyNote } from '../kit/src/log/note.ts'
import { consistencyProofFromTiles, parseEntryBundle, rootFromTiles, tilePath } from '../kit/src/log/tiles.ts'
import { verifySignature } from '../kit/src/crypto/ed25519.ts'
import type { Host } from '../kit/src/host.ts'
import { type Certificate, parseCertificates } from '../kit/src/time/certificate.ts'
import { TimeStampFormatError } from '../kit/src/time/der.ts'
import { parseTimeStamp } from '../kit/src/time/time-stamp.ts'
import { verifyToken } from '../kit/src/time/verify-time-stamp.ts'
import { webHost } from '../kit/src/web-host.ts'
import { nodeHost } from '../kit/node/internal.ts'
import { isConsistent } from '../kit/test/consistency.ts'

const folder = path.join(import.meta.dirname, '../../shared/corpora')
const skip = existsSync(folder)
  ? false
  : 'the public corpora are not here: Wycheproof, JSONTestSuite, JCS, Merkle, log and time-stamp vectors were NOT run'
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

interface Consistency {
  readonly size1: number
  readonly size2: number
  readonly root1: string
  readonly root2: string
  readonly proof: readonly string[] | null
  readonly wantErr: boolean
}

test('every published Merkle consistency proof gives the expected result', { skip }, () => {
  const files = find('tlog/consistency/**/*.json')
  assert.ok(files.length > 50)
  for (const file of files) {
    const { size1, size2, root1, root2, proof, wantErr } = JSON.parse(read(file).toString()) as Consistency
    const hashes = (proof ?? []).map((hash) => Buffer.from(hash, 'base64'))
    const older = { size: size1, root: Buffer.from(root1, 'base64') }
    const newer = { size: size2, root: Buffer.from(root2, 'base64') }
    assert.equal(isConsistent(older, newer, hashes, nodeHost.digest), !wantErr, file)
  }
})

const tile = (level: number | 'entries', index: number, width: number): Buffer =>
  read(`tlog/log/${tilePath({ level, index, width })}`)

test('every checkpoint, tile and entry bundle of a published log holds', { skip }, async () => {
  const key = parseVkey(
    'example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx',
    nodeHost.digest,
  )
  const heads = []
  for (let size = 0; size <= 15; size++) {
    const bytes = read(`tlog/log/checkpoint.${size}`)
    const checkpoint = parseCheckpoint(bytes)
    assert.equal(checkpoint.size, size)
    assert.deepEqual(Buffer.from(noteBytes(checkpoint)), bytes)
    for (const host of [nodeHost, webHost]) assert.deepEqual(await verifyNote(checkpoint, [key], host), [key])
    assert.equal(hex(await rootFromTiles(size, tile, nodeHost.digest)), hex(checkpoint.root))
    if (size === 0) continue
    const leaves = parseEntryBundle(tile('entries', 0, size)).map((entry) => hashLeaf(entry, nodeHost.digest))
    assert.equal(hex(merkleRoot(leaves, nodeHost.digest)), hex(checkpoint.root))
    heads.push(checkpoint)
  }
  const newest = heads.at(-1)!
  for (const head of heads) {
    const proof = await consistencyProofFromTiles(head.size, newest.size, tile, nodeHost.digest)
    assert.ok(isConsistent(head, newest, proof, nodeHost.digest), `${head.size}`)
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

/** By file: the name of the authority, or why the time-stamp is refused with the roots beside it. */
const TIME_STAMPS: Readonly<Record<string, string>> = {
  // It names its certificate by SHA-1 (ESSCertID).
  'identrust/issue-104.tsr': 'TrustID Timestamp Authority at 2025-03-11T08:52:08.000Z',
  'sigstage/response-invalid-signature.tsr': 'invalid: its signature is not valid',
  'sigstage/response-no-embedded-cert.tsr': 'sigstore-tsa at 2025-06-18T08:13:03.000Z',
  'sigstage/response-sha256.tsr': 'sigstore-tsa at 2025-05-09T11:58:56.000Z',
  'sigstage/response-sha384.tsr': 'sigstore-tsa at 2025-05-09T11:58:56.000Z',
  'sigstage/response-sha512.tsr': 'sigstore-tsa at 2025-05-09T11:58:57.000Z',
  // Expired since, but valid when it was made.
  'sigstore.mock/response-expired.tsr': 'tsa signing at 2023-02-01T00:00:01.000Z',
  // From another authority of the same name.
  'test_tsa/other_response.tsr': 'untrusted: its certificate does not lead to a root that you trust',
  // "Spoofed TSA" is in it as well, and is not used.
  'test_tsa/response-injected-certs.tsr': 'Test TSA Timestamping at 2024-10-08T15:40:33.000Z',
  'test_tsa/response.tsr': 'Test TSA Timestamping at 2024-10-08T15:40:33.000Z',
}

test('time-stamps of rfc3161-client give the expected results', { skip }, async () => {
  assert.deepEqual(
    find('rfc3161/*/*.tsr'),
    Object.keys(TIME_STAMPS).map((file) => `rfc3161/${file}`),
  )
  for (const [file, expected] of Object.entries(TIME_STAMPS)) {
    const roots = parseCertificates(read(`rfc3161/${path.dirname(file)}/ts_chain.pem`))
    for (const host of [nodeHost, webHost]) {
      assert.equal(await resultOf(read(`rfc3161/${file}`), roots, host), expected, file)
    }
  }
})

async function resultOf(bytes: Uint8Array, roots: readonly Certificate[], host: Host): Promise<string> {
  try {
    const status = await verifyToken(parseTimeStamp(bytes), roots, host)
    if (status.is === 'trusted') return `${status.authority} at ${new Date(status.latest).toISOString()}`
    return 'why' in status ? `${status.is}: ${status.why}` : status.is
  } catch (error) {
    if (error instanceof TimeStampFormatError) return `malformed: ${error.message}`
    throw error
  }
}

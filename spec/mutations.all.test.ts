import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import * as kit from '../kit/src/internal.ts'
import { openBytes } from '../kit/test/make-kit.ts'
import { seededRandom } from '../test/kit/seeded-random.ts'
import { nodeHost, openKit } from '../kit/node/internal.ts'
import { issuedZip } from '../test/forge/archive.ts'
import { draftKit, ISSUER, JOB_ID, KIT_ID, SCOPE } from '../test/forge/draft-kit.ts'
import { ISSUED_AT, issuer, jwk, ISSUER_KEYS } from '../test/forge/keys.ts'
import { makeLogProof } from '../test/forge/log-proof.ts'
import { POLICIES } from '../test/forge/policies.ts'

const SEED = 20260505
const { files } = draftKit({ logProof: makeLogProof() })
const whole = issuedZip(files)
// The policy needs every signature in the log proof.
const logPolicy = kit.parsePolicy(kit.utf8(POLICIES['two-of-three']), nodeHost.digest)
const trust = { ...kit.trustKeys(ISSUER_KEYS), logPolicy }
const { below: random } = seededRandom(SEED)
console.log(`mutations: seed ${SEED}, kit.zip of ${whole.length} bytes`)

test('the unchanged kit passes as archive and as folder', async () => {
  assert.equal(await verifyBytes(whole), 'PASS')
  assert.equal(await verifyFiles(files), 'PASS')
})

test('a flipped bit in any header or record of kit.zip fails', async () => {
  const content = contentRanges()
  const directory = content.at(-1)?.[1] ?? 0
  for (let at = 0; at < whole.length; at++) {
    const isContent = content.some(([from, to]) => at >= from && at < to)
    // A damaged directory is refused at once. Data before it is read completely, so only one bit in two bytes is tried.
    if (!isContent && (at > directory || at % 2 === random(2)))
      await fails(flipped(whole, at, random(8)), `bit flip at ${at}`)
  }
})

test('a flipped bit in the content of any file in kit.zip fails', async () => {
  for (const [from, to] of contentRanges())
    for (let turn = 0; turn < 60; turn++) {
      const at = from + random(to - from)
      await fails(flipped(whole, at, random(8)), `bit flip at ${at}`)
    }
})

test('kit.zip truncated near any record boundary fails', async () => {
  for (const boundary of boundaries())
    for (const at of [boundary - 1, boundary, boundary + 1])
      if (at >= 0 && at < whole.length) await fails(whole.subarray(0, at), `cut at ${at}`)
})

test('kit.zip without its beginning fails', async () => {
  for (const at of boundaries()) if (at > 0) await fails(whole.subarray(at), `cut before ${at}`)
})

test('kit.zip with bytes inserted fails', async () => {
  const places = [...boundaries(), ...Array.from({ length: 300 }, () => random(whole.length + 1))]
  for (const at of places) {
    const more = Uint8Array.from({ length: 1 + random(40) }, () => random(256))
    await fails(Buffer.concat([whole.subarray(0, at), more, whole.subarray(at)]), `insertion at ${at}`)
  }
})

test('kit.zip with bytes removed, duplicated or swapped fails', async () => {
  for (let turn = 0; turn < 300; turn++) {
    const [from = 0, to = 0] = [random(whole.length), random(whole.length)].toSorted((a, b) => a - b)
    if (from === to) continue
    const [before, part, rest] = [whole.subarray(0, from), whole.subarray(from, to), whole.subarray(to)]
    await fails(Buffer.concat([before, rest]), `without ${from} to ${to}`)
    await fails(Buffer.concat([before, part, part, rest]), `${from} to ${to} twice`)
    const exchanged = Buffer.concat([before, part.toReversed(), rest])
    if (Buffer.compare(exchanged, whole) !== 0) await fails(exchanged, `${from} to ${to} reversed`)
  }
})

test('a flipped bit in any file of an unpacked kit fails', async () => {
  for (const [name, bytes] of files)
    for (let turn = 0; turn < 150; turn++) {
      const at = random(bytes.length)
      const changed = new Map(files).set(name, flipped(bytes, at, random(8)))
      assert.equal(await verifyFiles(changed), 'FAIL', `bit flip in ${name} at ${at}`)
    }
})

test('an unpacked kit with any file missing, emptied, truncated or extended fails', async () => {
  for (const [name, bytes] of files) {
    const without = new Map(files)
    without.delete(name)
    assert.equal(await verifyFiles(without), 'FAIL', `without ${name}`)
    for (const changed of [
      bytes.subarray(0, 0),
      bytes.subarray(0, -1),
      Buffer.concat([bytes, Buffer.of(32)]),
    ])
      if (name !== 'receipt.json' && name !== 'manifest.json')
        assert.equal(await verifyFiles(new Map(files).set(name, changed)), 'FAIL', `${name} changed`)
  }
})

test('a kit with 150,000 errors fails without overflowing the stack', async () => {
  const crowded = new Map(files)
  for (let index = 0; index < 150_000; index++) crowded.set(`added/${index}`, new Uint8Array(0))
  assert.equal(await verifyFiles(crowded), 'FAIL')
})

test('parsing a key set of 20,000 keys takes linear time', async () => {
  const keys = Array.from({ length: 20_000 }, (_, index) =>
    jwk(kit.base64url(nodeHost.digest(kit.utf8(String(index))))),
  )
  const startCpu = process.cpuUsage()
  const parsed = kit.parseJwks({ keys: [...keys, keys[0]!] })
  assert.equal(parsed.ok && parsed.value.keys.length, keys.length - 1)
  assert.ok(process.cpuUsage(startCpu).user < 5_000_000, 'microseconds of CPU time')
})

test('a folder on disk with a flipped bit in any file fails', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-mutations-'))
  after(() => rmSync(folder, { recursive: true }))
  for (const [name, bytes] of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), bytes)
  }
  const verify = async (): Promise<string> => {
    using opened = await openKit(folder)
    return statusOf(await kit.verifyKit(opened, trust, nodeHost))
  }
  assert.equal(await verify(), 'PASS')
  for (const [name, bytes] of files) {
    for (let turn = 0; turn < 12 && bytes.length > 0; turn++) {
      writeFileSync(path.join(folder, name), flipped(bytes, random(bytes.length), random(8)))
      assert.equal(await verify(), 'FAIL', name)
    }
    writeFileSync(path.join(folder, name), bytes)
  }
  assert.equal(await verify(), 'PASS')
})

test('every flipped bit in an envelope document changes its value', async () => {
  const sealed = await seal(`${SCOPE} é"\\/\u{1f600}\u2028\uffff`)
  for (const name of ['receipt.json', 'manifest.json', 'jwks.json']) {
    const bytes = sealed.generated.find((file) => file.path === name)!.bytes
    const value = kit.canonicalJson(kit.parseStrictJson(bytes))
    for (let at = 0; at < bytes.length; at++)
      for (let bit = 0; bit < 8; bit++)
        assert.notEqual(valueOf(flipped(bytes, at, bit)), value, `${name}, bit ${bit} of byte ${at}`)
  }
})

test('a scope with two JSON spellings is not sealed', async () => {
  await assert.rejects(seal('a\u001fb'), /control character/)
})

async function fails(bytes: Uint8Array, what: string): Promise<void> {
  assert.equal(await verifyBytes(bytes), 'FAIL', what)
}

async function verifyBytes(bytes: Uint8Array): Promise<string> {
  return statusOf(await kit.verifyKit(await openBytes(bytes), trust, nodeHost))
}

/**
 * The status. A changed kit must be altered or unreadable, never a matter of who signed it. Only a log proof can lose a
 * signature that the policy needs without anything else being wrong.
 */
function statusOf({ status, verdict, checks }: kit.VerificationReport): string {
  assert.equal(status, verdict === 'verified' ? 'PASS' : 'FAIL')
  const failed = checks.filter(({ result }) => result === 'fail').map(({ check }) => check)
  const isUnwitnessed = failed.length === 1 && failed[0] === 'log_is_witnessed'
  const expected = isUnwitnessed ? ['sender_unconfirmed'] : ['verified', 'altered', 'unreadable']
  assert.ok(expected.includes(verdict), verdict)
  return status
}

async function verifyFiles(all: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const listed = [...all].map(([name, bytes]) => ({ path: name, sizeBytes: bytes.length }))
  const open = async function* (name: string): AsyncGenerator<Uint8Array> {
    yield all.get(name)!
  }
  return statusOf(await kit.verifyKit(kit.storedKit(listed, open, nodeHost), trust, nodeHost))
}

function seal(scope: string): Promise<kit.SealedKit> {
  const input = { kitId: KIT_ID, jobId: JOB_ID, issuedAt: ISSUED_AT, issuer: ISSUER, scope, files: [] }
  return kit.sealKit({ ...input, jwks: ISSUER_KEYS, signer: issuer }, nodeHost)
}

function valueOf(bytes: Uint8Array): string | undefined {
  try {
    return kit.canonicalJson(kit.parseStrictJson(bytes))
  } catch {
    return undefined
  }
}

/** Offsets where a record or a file's content starts or ends. */
function boundaries(): readonly number[] {
  const starts = ['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06'].flatMap((signature) => placesOf(signature))
  return [...new Set([...starts, ...contentRanges().flat(), whole.length])]
}

function placesOf(signature: string): readonly number[] {
  const text = Buffer.from(whole).toString('latin1')
  const places: number[] = []
  for (let at = text.indexOf(signature); at !== -1; at = text.indexOf(signature, at + 1)) places.push(at)
  return places
}

function contentRanges(): readonly (readonly [from: number, to: number])[] {
  const measured = [...files].map(([name, bytes]) => ({ path: name, sizeBytes: bytes.length, crc32: 0 }))
  const layout = kit.layOutZip(KIT_ID, measured, ISSUED_AT)
  let at = 0
  return [...layout.pieces(0, layout.sizeBytes)].flatMap((piece) => {
    const from = at
    at += 'bytes' in piece ? piece.bytes.length : piece.end - piece.start
    return 'bytes' in piece ? [] : [[from, at] as const]
  })
}

function flipped(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  const copy = Buffer.from(bytes)
  copy[at]! ^= 1 << bit
  return copy
}

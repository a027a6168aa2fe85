// Another implementation of the log formats, torchwood from Debian, reads what we write and writes what we read.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { nodeHost } from '../kit/node/internal.ts'
import * as kit from '../kit/src/internal.ts'
import { proofOf, testLogKey } from '../kit/test/make-log.ts'
import { startLitewitness, torchwoodPrograms } from '../test/kit/litewitness.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-torchwood-'))
after(() => rmSync(folder, { recursive: true }))
const programs = torchwoodPrograms()
const skip = programs === '' ? 'torchwood is not available here: the exchange with it was NOT tested' : false
const { digest } = nodeHost

const FIRST_LINE = 'c2sp.org/tlog-proof@v1\n'
const at = (name: string): string => path.join(folder, name)
const run = (name: string, ...args: readonly string[]): string => {
  const ended = spawnSync(path.join(programs, name), args, { cwd: folder, encoding: 'utf8' })
  if (ended.status !== 0) throw new Error(`${name} ended with ${ended.status}: ${ended.stderr}`)
  return ended.stdout + ended.stderr
}

test('proofs that torchwood makes are read and verified', { skip }, async () => {
  mkdirSync(at('assets'))
  const init = run('spicy-torchwood', '-init', 'example.com/spicy', '-key', 'log.key', '-assets', 'assets')
  const key = /Public key: (\S+)/.exec(init)?.[1] ?? ''
  const policy = kit.parsePolicy(kit.utf8(`log ${key}\nquorum none\n`), digest)
  const names = Array.from({ length: 7 }, (_, index) => `file-${index}.txt`)
  for (const name of names) writeFileSync(at(name), `content of ${name}\n`)
  run('spicy-torchwood', '-key', 'log.key', '-assets', 'assets', ...names)
  for (const name of names) {
    // Its format is older and lacks the first line.
    const bytes = Buffer.concat([Buffer.from(FIRST_LINE), readFileSync(at(`${name}.spicy`))])
    const { index, hashes, checkpoint } = kit.parseTlogProof(bytes)
    const leaf = kit.leafHash(readFileSync(at(name)), digest)
    const root = kit.rootFromProof(leaf, index, checkpoint.size, hashes, digest)
    assert.equal(kit.hex(root!), kit.hex(checkpoint.root))
    assert.equal((await kit.verifyCheckpoint(checkpoint, policy, nodeHost)).is, 'signed')
  }
})

test('torchwood verifies our proofs, and refuses them for another file', { skip }, () => {
  const log = testLogKey('issuer.example/log')
  for (const [index, size] of [
    [0, 1],
    [5, 11],
    [256, 257],
  ] as const) {
    writeFileSync(at('entry'), `entry ${index}`)
    const proof = proofOf(readFileSync(at('entry')), { index, size, log })
    writeFileSync(at('entry.spicy'), Buffer.from(proof).toString().slice(FIRST_LINE.length))
    run('spicy-torchwood', '-verify', kit.vkey(log.key), 'entry')
    writeFileSync(at('entry'), 'another entry')
    assert.throws(() => run('spicy-torchwood', '-verify', kit.vkey(log.key), 'entry'))
  }
})

test('the cosignature of a litewitness counts, and it accepts our consistency proofs', { skip }, async () => {
  const log = testLogKey('issuer.example/log')
  await using witness = await startLitewitness(programs, folder, log.key)
  const policy = kit.parsePolicy(
    kit.utf8(`log ${kit.vkey(log.key)}\nwitness w ${witness.vkey}\nquorum w\n`),
    digest,
  )
  const leaves = Array.from({ length: 600 }, (_, index) => kit.leafHash(kit.utf8(`${index}`), digest))
  const tile: kit.TileReader = (level, index, width) =>
    Buffer.concat(
      level === 0
        ? leaves.slice(index * 256, index * 256 + width)
        : Array.from({ length: width }, (_, one) =>
            kit.merkleRoot(leaves.slice(one * 256, (one + 1) * 256), digest),
          ),
    )
  let last = 0
  for (const size of [1, 2, 7, 255, 256, 257, 512, 600]) {
    const root = await kit.rootFromTiles(size, tile, digest)
    const text = kit.checkpointText({ origin: log.key.name, size, root })
    const proof = await kit.consistencyProofFromTiles(last, size, tile, digest)
    const note = Buffer.from(kit.noteBytes({ text, signatures: [log.sign(text)] })).toString()
    const body = [`old ${last}`, ...proof.map(kit.base64), '', note].join('\n')
    const response = await fetch(`${witness.url}/add-checkpoint`, { method: 'POST', body })
    const line = await response.text()
    assert.equal(response.status, 200, `${size}: ${line}`)
    const checkpoint = kit.parseCheckpoint(kit.utf8(note + line))
    const status = await kit.verifyCheckpoint(checkpoint, policy, nodeHost)
    assert.ok(status.is === 'signed' && status.quorumMet, JSON.stringify(status))
    last = size
  }
})

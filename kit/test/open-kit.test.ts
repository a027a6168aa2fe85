import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { nodeHost, openKit } from '../node/internal.ts'
import { pem, root } from '../../test/forge/time/certificates.ts'
import { makeTimeStamp } from '../../test/forge/time/time-stamp.ts'
import {
  leafBytes,
  LOG_PROOF_PATH,
  NO_TRUST,
  parseTlogProof,
  receiptLeaf,
  storedKit,
  TIME_STAMP_PATH,
  utf8,
  type VerificationReport,
  verifyKit,
} from '../src/internal.ts'
import { proofOf, testLogKey } from './make-log.ts'
import { ISSUER, keySetOf, KIT_ID, makeKit, testSigner, writeFolder } from './make-kit.ts'
import { needs } from '../../test/kit/needs.ts'

let folder = ''
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'kitseal-kit-'))
})
after(() => rmSync(folder, { recursive: true }))

const trust = { ...NO_TRUST, kids: [testSigner().kid] }

async function verifyPath(path: string): Promise<VerificationReport> {
  using kit = await openKit(path)
  return await verifyKit(kit, trust, nodeHost)
}

async function unpacked(name: string): Promise<string> {
  const kit = join(folder, name, KIT_ID)
  const { contents } = await makeKit({
    'a.txt': 'a',
    '100% über.txt': 'b',
    'sub/c.bin': new Uint8Array(3_000_000),
  })
  writeFolder(kit, contents)
  return kit
}

test('a kit passes as a zip and as a folder', async () => {
  const kit = await unpacked('plain')
  const { zip } = await makeKit()
  writeFileSync(join(folder, 'kit.zip'), zip)
  for (const path of [kit, join(folder, 'kit.zip')]) {
    const report = await verifyPath(path)
    assert.equal(report.status, 'PASS', report.errors.join('\n'))
  }
})

test('a kit hashed in several threads passes, and fails if one byte was changed', async () => {
  const evidence = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`f${index}.bin`, new Uint8Array(8_000_000).fill(index)]),
  )
  const { zip } = await makeKit(evidence)
  const path = join(folder, 'large.zip')
  writeFileSync(path, zip)
  assert.equal((await verifyPath(path)).status, 'PASS')
  const changed = Uint8Array.from(zip)
  changed[40_000_000]! ^= 1
  writeFileSync(path, changed)
  const report = await verifyPath(path)
  assert.equal(report.status, 'FAIL')
  assert.match(report.errors[0]!, /^artifact_hash_mismatch: data\/f\d\.bin/)
})

test('a kit that was unpacked and zipped again by another tool passes', needs('python3'), async () => {
  const kit = await unpacked('again')
  const script = `import os, sys, zipfile
with zipfile.ZipFile('../again.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
    for folder, _, names in os.walk(sys.argv[1]):
        for name in [''] + names: archive.write(os.path.join(folder, name))`
  execFileSync('python3', ['-c', script, KIT_ID], { cwd: join(kit, '..') })
  const report = await verifyPath(join(folder, 'again.zip'))
  assert.equal(report.status, 'PASS', report.errors.join('\n'))
})

test(
  'names without the UTF-8 flag fail, because programs decode them differently',
  needs('zip'),
  async () => {
    const kit = await unpacked('unmarked')
    execFileSync('zip', ['-q', '-r', '../unmarked.zip', KIT_ID], { cwd: join(kit, '..') })
    assert.match(
      (await verifyPath(join(folder, 'unmarked.zip'))).errors[0]!,
      /^kit_unreadable: .* is not marked as UTF-8/,
    )
    rmSync(join(folder, 'unmarked.zip'))
    rmSync(join(kit, 'data/100% über.txt'))
    execFileSync('zip', ['-q', '-r', '../unmarked.zip', KIT_ID], { cwd: join(kit, '..') })
    assert.deepEqual((await verifyPath(join(folder, 'unmarked.zip'))).errors, [
      'artifact_missing: data/100% über.txt is missing',
    ])
  },
)

test('a symbolic link fails, even if it leads to the right bytes', async () => {
  const kit = await unpacked('link')
  writeFileSync(join(folder, 'a.txt'), 'a')
  rmSync(join(kit, 'data/a.txt'))
  symlinkSync(join(folder, 'a.txt'), join(kit, 'data/a.txt'))
  const report = await verifyPath(kit)
  assert.ok(report.errors.some((error) => error === 'kit_unreadable: data/a.txt is a symbolic link'))
})

test('a symbolic link to a folder is reported and never followed', async () => {
  const kit = await unpacked('folder-links')
  symlinkSync('.', join(kit, 'loop'))
  symlinkSync('/proc', join(kit, 'data/elsewhere'))
  const report = await verifyPath(kit)
  assert.deepEqual(report.errors.toSorted(), [
    'kit_unreadable: data/elsewhere is a symbolic link',
    'kit_unreadable: loop is a symbolic link',
  ])
})

test('a file whose path is not UTF-8 fails and is reported', async () => {
  const kit = await unpacked('bytes')
  const named = (name: string): Buffer =>
    Buffer.concat([Buffer.from(`${kit}/data/`), Buffer.from(name, 'latin1')])
  writeFileSync(named('\u00ff.txt'), 'x')
  mkdirSync(named('\u00fe'))
  writeFileSync(named('\u00fe/in.txt'), 'x')
  assert.deepEqual((await verifyPath(kit)).errors.toSorted(), [
    'artifact_unlisted: data/\\xfe/in.txt is not listed in the manifest',
    'artifact_unlisted: data/\\xff.txt is not listed in the manifest',
    'kit_unreadable: data/\\xfe/in.txt has a name that is not UTF-8, so no manifest can list it',
    'kit_unreadable: data/\\xff.txt has a name that is not UTF-8, so no manifest can list it',
  ])
})

test('a file added to the folder fails', async () => {
  const kit = await unpacked('added')
  mkdirSync(join(kit, 'data/new'))
  writeFileSync(join(kit, 'data/new/file.txt'), 'new')
  assert.deepEqual((await verifyPath(kit)).errors, [
    'artifact_unlisted: data/new/file.txt is not listed in the manifest',
  ])
})

test('files added to a folder are reported in the same way on disk and in a page, in any order', async () => {
  const { contents } = await makeKit()
  const files = new Map([...contents, ...['b', 'reports/x', 'data/z/1', 'a', 'data/é'].map(added)])
  writeFolder(join(folder, 'order'), files)
  const onDisk = await verifyPath(join(folder, 'order'))
  const picked = [...files].toReversed().map(([path, { length }]) => ({ path, sizeBytes: length }))
  const read = async function* (path: string): AsyncGenerator<Uint8Array> {
    yield files.get(path)!
  }
  assert.deepEqual(await verifyKit(storedKit(picked, read, nodeHost), trust, nodeHost), onDisk)
  const unlisted = ['a', 'b', 'data/z/1', 'data/é', 'reports/x']
  assert.deepEqual(
    onDisk.errors,
    unlisted.map((path) => `artifact_unlisted: ${path} is not listed in the manifest`),
  )
})

function added(path: string): readonly [string, Uint8Array] {
  return [path, utf8('added')]
}

const SHELLS = ['sh', 'bash', 'dash', 'zsh'].map((shell) => ({
  shell,
  missing:
    spawnSync(shell, ['-c', 'true']).status === 0 ? needs('openssl').skip : `${shell} is not installed`,
}))

for (const { shell, missing } of SHELLS) {
  test(`the commands in VERIFY.md pass for an intact kit in ${shell}`, { skip: missing }, async () => {
    const output = runGuide(await unpacked(`guide-${shell}`), shell)
    const lines = output.trim().split('\n')
    assert.deepEqual(lines, [
      'files: OK',
      'nothing added: OK',
      'list: OK',
      'manifest: OK',
      'key: OK',
      'Signature Verified Successfully',
      'receipt: OK',
    ])
  })
}

test('the commands in VERIFY.md check a time-stamp, at its time', needs('openssl'), async () => {
  const kit = await unpacked('stamped')
  const { sealed } = await makeKit()
  const leaf = leafBytes(receiptLeaf(sealed.receipt, nodeHost.digest))
  const proof = proofOf(leaf, { index: 2, size: 5, log: testLogKey('issuer.example/log') })
  const checkpoint = utf8(parseTlogProof(proof).checkpoint.text)
  const roots = join(folder, 'roots.pem')
  writeFileSync(roots, pem(root))
  mkdirSync(join(kit, 'proofs'))
  writeFileSync(join(kit, LOG_PROOF_PATH), proof)
  for (const [data, expected] of [
    [checkpoint, 'OK'],
    [utf8('another checkpoint'), 'FAILED'],
  ] as const) {
    writeFileSync(join(kit, TIME_STAMP_PATH), makeTimeStamp(data, { time: '20260304050609Z' }))
    const lines = runGuide(kit, 'sh', roots).trim().split('\n')
    assert.deepEqual(lines.slice(-3), [
      'receipt: OK',
      'Mar  4 05:06:09 2026 GMT',
      `Verification: ${expected}`,
    ])
    assert.ok(lines.includes('nothing added: OK'))
  }
})

for (const [what, path, from, to, line] of [
  ['a changed file', 'data/a.txt', 'a', 'b', 'files: OK'],
  ['a changed list', 'SHA256SUMS', 'bagit.txt', 'bagit.tXt', 'list: OK'],
  ['a changed manifest', 'manifest.json', '"size_bytes":1}', '"size_bytes":2}', 'manifest: OK'],
  [
    'a manifest that misstates its hash',
    'manifest.json',
    'manifest_sha256":"',
    'manifest_sha256":"0',
    'manifest: OK',
  ],
  ['a manifest without its hash', 'manifest.json', /"manifest_sha256":"\w+",/, '', 'manifest: OK'],
  [
    'a manifest with its hash in another place',
    'manifest.json',
    /"path":"(.*)("manifest_sha256":"\w+",)/,
    '"path":"$2$1',
    'manifest: OK',
  ],
  ['a broken manifest', 'manifest.json', 'issued_at', 'issued\n_at', 'manifest: OK'],
  [
    'a changed receipt',
    'receipt.canonical.json',
    'Quarter 3',
    'Quarter 4',
    'Signature Verified Successfully',
  ],
  ['a receipt.json that says more than is signed', 'receipt.json', 'Quarter 3', 'Quarter 4', 'receipt: OK'],
  ['another signature in receipt.json', 'receipt.json', '"signature":"', '"signature":"A', 'receipt: OK'],
  ['a changed key', 'jwks.json', '"x":"', '"x":"A', 'receipt: OK'],
  ['a changed key set', 'jwks.json', '{"keys":', '{"keys": ', 'receipt: OK'],
  ['an added file', 'data/added.txt', '', 'added', 'nothing added: OK'],
] as const) {
  test(`the commands in VERIFY.md detect ${what}`, needs('openssl'), async () => {
    const kit = await unpacked(what.replaceAll(' ', '-'))
    const content = from === '' ? '' : readFileSync(join(kit, path), 'utf8')
    writeFileSync(join(kit, path), content.replace(from, to))
    assert.notEqual(readFileSync(join(kit, path), 'utf8'), content)
    for (const { shell, missing } of SHELLS)
      if (missing === false) assert.ok(!runGuide(kit, shell).includes(line), shell)
  })
}

/** What curl fetches from the issuer. */
const PUBLISHED = { ...keySetOf(testSigner(), { iat: 1_700_000_000 }), revoked_keys: [] }

function runGuide(kit: string, shell: string, roots = 'none'): string {
  const guide = readFileSync(join(kit, 'VERIFY.md'), 'utf8')
  const blocks = [...guide.matchAll(/^ *```sh\n([^]*?)^ *```/gm)].map(([, block]) => block)
  assert.equal(blocks.length, 8)
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'curl'), `#!/bin/sh\necho '${JSON.stringify(PUBLISHED)}'\n`, { mode: 0o755 })
  const commands = blocks
    .join('\n')
    .replace('issuer=ISSUER', `issuer=${ISSUER}`)
    .replace('roots=ROOTS', `roots=${roots}`)
  return execFileSync(shell, ['-c', `${commands}\ntrue`], {
    cwd: kit,
    env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

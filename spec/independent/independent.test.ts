import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import * as kit from '../../kit/src/index.ts'
import { openBytes } from '../../kit/test/make-kit.ts'
import { nodeHost } from '../../kit/node/index.ts'
import { deflatedEntry, folderEntry, otherZip, storedEntry } from '../making/archive.ts'
import { draftKit, KIT_ID } from '../making/draft.ts'
import { KEY_SETS } from '../making/key-sets.ts'
import { vectors, VECTORS_FOLDER } from '../stored-vectors.ts'

const SEED = 7
const PROGRAM = path.join(import.meta.dirname, 'verify.py')
const hasPython = spawnSync('python3', ['-c', 'import zlib, hashlib'], { stdio: 'ignore' }).status === 0
const skip = hasPython ? false : 'python3 is not installed: the independent verifier was not tested'
if (skip !== false) console.log(`skipped: ${skip}`)

type Results = Readonly<Record<string, { readonly status?: string; readonly reason?: string | null }>>

test(
  'the independent verifier gives the expected result for every kit, manifest, key set and JSON vector',
  { skip },
  () => {
    const results = python(VECTORS_FOLDER)
    let compared = 0
    for (const { name, kind, expected } of vectors) {
      if (kind === 'receipt' || kind === 'proof') continue
      const got = results[name]
      if (kind === 'kit') assert.equal(got?.status, expected.status, `${name}: ${got?.reason}`)
      else assert.deepEqual(got, expected, name)
      compared++
    }
    assert.ok(compared > 400)
  },
)

// Some bytes of a repacked kit may change, such as time stamps, so both PASS and FAIL occur.
test('both verifiers agree on repacked kits with random bits flipped', { skip }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-independent-'))
  try {
    const index: object[] = []
    const ours: Record<string, string> = {}
    for (const [name, bytes] of mutations()) {
      writeFileSync(path.join(folder, name), bytes)
      index.push({ name, file: name, kind: 'kit', trust: { jwks: ['keys.json'] } })
      ours[name] = await verifyBytes(bytes)
    }
    writeFileSync(path.join(folder, 'keys.json'), JSON.stringify(KEY_SETS.issuer))
    writeFileSync(path.join(folder, 'index.json'), JSON.stringify(index))
    const theirs = python(folder)
    for (const [name, status] of Object.entries(ours))
      assert.equal(theirs[name]?.status, status, `${name}: ${theirs[name]?.reason}`)
    assert.deepEqual(new Set(Object.values(ours)), new Set(['PASS', 'FAIL']))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('both verifiers ignore a bag-info.txt of more than 16 MiB', { skip }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-independent-'))
  try {
    const bagInfo = Buffer.alloc(2 ** 24 + 1, 'Key-Set-SHA256: another\n')
    const bytes = otherZip(draftKit({ artifacts: (files) => files.set('bag-info.txt', bagInfo) }).files)
    assert.equal(await verifyBytes(bytes), 'PASS')
    const file = path.join(folder, 'kit.zip')
    writeFileSync(file, bytes)
    assert.equal(run(file, '--use-kit-keys').status, 3)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test(
  'unreadable input gives one sentence and exit code 2; control characters in names are escaped',
  { skip },
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-independent-'))
    const issued = vectors.find(({ name }) => name === 'an-issued-kit-passes')
    const kitFile = path.join(VECTORS_FOLDER, issued?.file ?? '')
    try {
      const twice = path.join(folder, 'twice.json')
      writeFileSync(twice, '{"keys": [], "keys": []}')
      const missing = path.join(folder, 'none')
      const refusals = [
        [[folder], `${folder} is a folder, not a file`],
        [[missing], `${missing} cannot be read: No such file or directory`],
        [[kitFile, '--jwks', missing], `${missing} cannot be read: No such file or directory`],
        [[kitFile, '--jwks', folder], `${folder} is a folder, not a file`],
        [[kitFile, '--jwks', twice], `${twice} is not a key set: duplicate member`],
        [
          ['--vectors', missing],
          `${path.join(missing, 'index.json')} cannot be read: No such file or directory`,
        ],
      ] as const
      for (const [args, said] of refusals) {
        const { status, stdout, stderr } = run(...args)
        assert.deepEqual(
          { status, stdout, stderr },
          { status: 2, stdout: '', stderr: `verify.py: ${said}\n` },
        )
      }
      writeFileSync(path.join(folder, 'cut.zip'), 'PK')
      assert.match(run(path.join(folder, 'cut.zip')).stdout, /^FAIL: /)
      assert.equal(run(kitFile, '--use-kit-keys').status, 3)
      const loud = otherZip(draftKit().files, ({ entries }) =>
        entries.push(storedEntry(`${KIT_ID}/ü\u001b[2J`, new Uint8Array(0))),
      )
      writeFileSync(path.join(folder, 'loud.zip'), loud)
      assert.equal(run(path.join(folder, 'loud.zip')).stdout, 'FAIL: ü\\x1b[2J is not listed\n')
      const full = spawnSync('sh', ['-c', '"$@" > /dev/full', 'sh', 'python3', '-B', PROGRAM, kitFile])
      assert.equal(full.status, 2, 'a result that cannot be printed is an error')
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

function* mutations(): Generator<readonly [name: string, bytes: Uint8Array]> {
  const { files } = draftKit({ evidence: { 'data/über.txt': 'ü', 'data/a': 'a' } })
  const stored = otherZip(files)
  const packed = otherZip(files, (archive) => {
    archive.entries = archive.entries.map(({ name, data }) => deflatedEntry(name, data))
    archive.entries.push(folderEntry(`${KIT_ID}/data/`))
  })
  let state = SEED
  const random = (limit: number): number => (state = (Math.imul(state, 48271) % 0x7fffffff) >>> 0) % limit
  for (const [kind, whole] of Object.entries({ stored, packed })) {
    const directory = Buffer.from(whole).indexOf('PK\x01\x02', 'latin1')
    for (let turn = 0; turn < 300; turn++) {
      const bytes = Buffer.from(whole)
      // Two in three flips are in the directory, where most ambiguities are.
      const at = turn % 3 === 0 ? random(directory) : directory + random(whole.length - directory)
      bytes[at]! ^= 1 << random(8)
      yield [`${kind}-${turn}-at-${at}.zip`, bytes]
    }
  }
}

async function verifyBytes(bytes: Uint8Array): Promise<string> {
  return (await kit.verifyKit(await openBytes(bytes), kit.trustKeys(KEY_SETS.issuer), nodeHost)).status
}

function run(...args: readonly string[]) {
  return spawnSync('python3', ['-B', PROGRAM, ...args], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
}

function python(folder: string): Results {
  const done = run('--vectors', folder)
  assert.equal(done.status, 0, done.stderr)
  return JSON.parse(done.stdout) as Results
}

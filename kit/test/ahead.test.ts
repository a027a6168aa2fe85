import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fileIdentity, fileSource } from '../node/file-source.ts'
import { type Ahead, nodeHost, openKit } from '../node/index.ts'
import { Ledger } from '../node/ledger.ts'
import { isLarge } from '../node/spread.ts'
import { layOutZip, NO_TRUST, type VerificationReport, verifyKit } from '../src/index.ts'
import { ISSUED_AT, KIT_ID, makeKit, testSigner, writeFolder } from './make-kit.ts'

const program = fileURLToPath(new URL('../node/measure-ahead.ts', import.meta.url))
const trust = { ...NO_TRUST, kids: [testSigner().kid] }

let folder = ''
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'kitseal-ahead-'))
})
after(() => rmSync(folder, { recursive: true }))

function openLedger(): number {
  const name = join(folder, 'ledger')
  const file = openSync(name, 'ax+', 0o600)
  unlinkSync(name)
  return file
}

function begin(path: string, ledger: number, identity = fileIdentity(statSync(path))): ChildProcess {
  const stdio = ['ignore', 'ignore', 'inherit', ledger] as const
  return spawn(process.execPath, [program, path, identity, '1'], { stdio: [...stdio] })
}

/** A process that has come to its end before anybody else has looked: whatever counts of it is taken from it. */
async function measuredAhead(path: string): Promise<Ahead> {
  const ledger = openLedger()
  const done = begin(path, ledger)
  await once(done, 'exit')
  return { path, identity: fileIdentity(statSync(path)), ledger, processes: [done] }
}

async function verify(path: string, ahead?: Ahead): Promise<VerificationReport> {
  using kit = await openKit(path, { ahead })
  return await verifyKit(kit, trust, nodeHost)
}

const runsReported = ({ ledger }: Ahead): number => new Ledger(ledger, 9).reported().size

async function readUpTo(stream: AsyncIterable<Buffer>, end: string): Promise<string> {
  let all = ''
  for await (const piece of stream) {
    all += piece.toString()
    if (all.endsWith(end)) break
  }
  return all
}

/** Whether a process is at work; one that has ended, and that nobody has asked about yet, is not. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z\s]/.test(stdout)
}

/** Large enough for several runs, and for a report of CRC-32s. */
const EVIDENCE = {
  'a.bin': new Uint8Array(9_000_000).fill(1),
  'b.bin': new Uint8Array(9_000_000).fill(2),
  'c.txt': 'small',
}

const at = (bytes: Uint8Array, text: string): number => Buffer.from(bytes).indexOf(text)

const KITS: Readonly<Record<string, (path: string) => Promise<void>>> = {
  'an intact kit': async (path) => writeFileSync(path, (await makeKit(EVIDENCE)).zip),
  'a kit with one byte changed': async (path) => {
    const { zip } = await makeKit(EVIDENCE)
    zip[zip.length >> 1]! ^= 1
    writeFileSync(path, zip)
  },
  'a kit with a wrong CRC-32 in both of its headers, that the report vouches for': async (path) => {
    const { zip } = await makeKit(EVIDENCE)
    const name = `${KIT_ID}/data/a.bin`
    const local = at(zip, name) - 30
    const central = at(zip.subarray(local + 31), name) + local + 31 - 46
    zip[local + 14]! ^= 1
    zip[central + 16]! ^= 1
    writeFileSync(path, zip)
  },
  'a kit with a file that nobody listed': async (path) => {
    await zippedByPython(path, EVIDENCE, (contents) =>
      contents.set('data/more.bin', new Uint8Array(2_000_000)),
    )
  },
  'a kit that another tool zipped': async (path) => zippedByPython(path, EVIDENCE),
  'a kit without large files, and so without a report of CRC-32s': async (path) =>
    zippedByPython(
      path,
      Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [`${index}.bin`, new Uint8Array(1_000_000).fill(index)]),
      ),
    ),
  'what is no archive': async (path) => writeFileSync(path, 'no archive'),
}

async function zippedByPython(
  path: string,
  evidence: Parameters<typeof makeKit>[0],
  change: (contents: Map<string, Uint8Array>) => void = () => undefined,
): Promise<void> {
  const { contents } = await makeKit(evidence)
  const all = new Map(contents)
  change(all)
  const place = mkdtempSync(join(folder, 'unpacked-'))
  writeFolder(join(place, KIT_ID), all)
  const script = `import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as archive:
    for folder, _, names in os.walk(sys.argv[2]):
        for name in [''] + names: archive.write(os.path.join(folder, name))`
  execFileSync('python3', ['-c', script, path, KIT_ID], { cwd: place })
}

for (const [what, make] of Object.entries(KITS)) {
  test(`${what} gets the same report, whether or not it was hashed ahead`, async () => {
    const path = join(folder, 'kit.zip')
    rmSync(path, { force: true })
    await make(path)
    const ahead = await measuredAhead(path)
    assert.deepEqual(await verify(path, ahead), await verify(path))
    assert.equal(runsReported(ahead) > 0, what !== 'what is no archive')
    closeSync(ahead.ledger)
  })
}

test('what was hashed ahead is not hashed again', async () => {
  const path = join(folder, 'once.zip')
  writeFileSync(path, (await makeKit(EVIDENCE)).zip)
  const ahead = await measuredAhead(path)
  let bytes = 0
  using kit = await openKit(path, { ahead, onProgress: (total) => (bytes = total) })
  const report = await verifyKit(kit, trust, nodeHost)
  assert.equal(report.status, 'PASS')
  assert.equal(bytes, 0)
  closeSync(ahead.ledger)
})

test('processes that died, or never started, leave their runs to the one who judges', async () => {
  const path = join(folder, 'alone.zip')
  writeFileSync(path, (await makeKit(EVIDENCE)).zip)
  const ledger = openLedger()
  // One that took the first two runs with it.
  writeSync(ledger, '[1,0]\n[1,1]\n')
  const killed = spawn('sleep', ['60'], { stdio: 'ignore' })
  const missing = spawn(join(folder, 'no-such-program'))
  missing.on('error', () => undefined)
  killed.kill('SIGKILL')
  const ahead = { path, identity: fileIdentity(statSync(path)), ledger, processes: [killed, missing] }
  assert.equal((await verify(path, ahead)).status, 'PASS')
  closeSync(ledger)
})

test('a hash that was reported wrong fails, and a ledger that cannot be read is not believed', async () => {
  const path = join(folder, 'lies.zip')
  writeFileSync(path, (await makeKit(EVIDENCE)).zip)
  const wrong = openLedger()
  const ahead = await measuredAhead(path)
  const told = new Ledger(ahead.ledger, 9).reported().get(0)
  assert.ok(told)
  writeSync(
    wrong,
    `[1,0]\n${JSON.stringify([1, 0, told.map((hash) => (hash === null ? null : '0'.repeat(64)))])}\n`,
  )
  const report = await verify(path, { ...ahead, ledger: wrong })
  assert.equal(report.status, 'FAIL')
  assert.match(report.errors.join('\n'), /artifact_hash_mismatch/)
  const garbage = openLedger()
  writeSync(garbage, '[1,0]\n[1,1,["')
  writeSync(garbage, '[1,2]\n')
  assert.equal((await verify(path, { ...ahead, ledger: garbage })).status, 'PASS')
  for (const file of [wrong, garbage, ahead.ledger]) closeSync(file)
})

test('a file that was exchanged since is hashed anew', async () => {
  const path = join(folder, 'exchanged.zip')
  const { zip } = await makeKit(EVIDENCE)
  writeFileSync(path, zip)
  const ahead = await measuredAhead(path)
  zip[zip.length >> 1]! ^= 1
  writeFileSync(path, zip)
  assert.equal((await verify(path, ahead)).status, 'FAIL')
  const ledger = openLedger()
  await once(begin(path, ledger, ahead.identity), 'exit')
  assert.equal(fstatSync(ledger).size, 0)
  for (const file of [ahead.ledger, ledger]) closeSync(file)
})

test('of several that claim at once each run is taken by one, and a line in part is waited for', () => {
  const file = openLedger()
  const [a, b] = [new Ledger(file, 1), new Ledger(file, 2)]
  assert.deepEqual(
    [a.claim(4), b.claim(4), b.claim(4), a.claim(4), b.claim(4), a.claim(4)],
    [0, 1, 2, 3, undefined, undefined],
  )
  a.report(0, ['x', null])
  writeSync(file, '[2,1,')
  assert.deepEqual([...b.reported()], [[0, ['x', null]]])
  writeSync(file, 'null]\n')
  assert.deepEqual(
    [...b.reported()],
    [
      [0, ['x', null]],
      [1, null],
    ],
  )
  // Both claimed before either had read: the first in the file has it.
  const late = openLedger()
  writeSync(late, '[2,0]\n')
  assert.equal(new Ledger(late, 1).claim(1), undefined)
  for (const some of [file, late]) closeSync(some)
})

test('a process ends soon after the one that started it, however much there is left to hash', async () => {
  // A gigabyte of nothing, which takes no space and a second to hash; the directory is all that has to be right.
  const path = join(folder, 'large.zip')
  const sizeBytes = 2 ** 30
  const entry = { path: 'data/zeros.bin', sha256: '0'.repeat(64), sizeBytes, crc32: 0 }
  const layout = layOutZip(KIT_ID, [entry], ISSUED_AT)
  const file = openSync(path, 'w')
  let place = 0
  for (const piece of layout.pieces(0, layout.sizeBytes)) {
    if ('bytes' in piece) writeSync(file, piece.bytes, 0, piece.bytes.length, place)
    place += 'bytes' in piece ? piece.bytes.length : piece.end - piece.start
  }
  ftruncateSync(file, layout.sizeBytes)
  closeSync(file)
  const ledger = openLedger()
  const script = `const { spawn } = require('child_process')
    const { pid } = spawn(process.execPath, process.argv.slice(1), { stdio: ['ignore', 'ignore', 'ignore', 3] })
    console.log(pid)`
  const args = ['-e', script, program, path, fileIdentity(statSync(path)), '1']
  const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', ledger] })
  const pid = Number(await readUpTo(parent.stdout!, '\n'))
  // A claim is written: it has begun.
  while (fstatSync(ledger).size === 0) await sleep(5)
  parent.kill('SIGKILL')
  while (isRunning(pid)) await sleep(5)
  // It ended, and not because it was done.
  assert.equal(new Ledger(ledger, 9).reported().size, 0)
  closeSync(ledger)
})

test('the launcher says of a file what the program says of it, and starts where a thread would be worth it', () => {
  const { start, stop } = createRequire(import.meta.url)('../../cli/bin/ahead.cjs')
  const path = join(folder, 'launched.zip')
  for (const size of [0, 50_000_000, 50_331_647, 50_331_648, 60_000_000]) {
    writeFileSync(path, '')
    const file = openSync(path, 'r+')
    ftruncateSync(file, size)
    closeSync(file)
    const ahead: Ahead | undefined = start(['verify', path, '--json'])
    stop(ahead)
    using source = fileSource(path)
    // With one core there is nobody to start.
    if (ahead !== undefined) assert.equal(ahead.identity, source.identity)
    if (!isLarge(size)) assert.equal(ahead, undefined)
    assert.equal(start(['prove', path]), undefined)
  }
})

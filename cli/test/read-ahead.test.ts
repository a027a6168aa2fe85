import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { after, test } from 'node:test'
import { NO_TRUST } from '@kitseal/kit'
import { startReadingAhead } from '@kitseal/examiner/node'
import type { FilesToReadAhead, ReadAheadFile } from '../../examiner/node/read-ahead.ts'
import type { SentFacts } from '../../examiner/src/read/content-pass.ts'
import { check } from '../src/commands/check.ts'
import { findEvidence } from '../src/gather-evidence.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-ahead-'))
after(() => rmSync(folder, { recursive: true }))
const logs = join(folder, 'logs')
mkdirSync(logs)

const line = `${'a line of a log'.repeat(20)}\n`
const write = (name: string, content: string | Buffer): void => writeFileSync(join(logs, name), content)
/** Enough for threads: 52 MB. */
for (let at = 0; at < 13; at++) write(`${at + 10}.log`, line.repeat(13_400))
write('binary.log', Buffer.from([0, 1, 2, 3, 255]))
write('empty.csv', '')
write('odd.csv', 'a,b\n1\n"open\n')
write('settings.yaml', 'a: [1\n')
write('sums.sha256', `${'0'.repeat(64)}  10.log\n`)
write('x-key.txt', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))

const said = { accept: [], confirmed: [], provenance: undefined }

test('what is found does not depend on whether threads read files ahead', async () => {
  const files = await findEvidence([logs])
  const alone = files.map((file) => Object.assign(Object.create(file), { onDisk: [] }))
  const found = await check(files, undefined, said, NO_TRUST)
  assert.deepEqual(found, await check(alone, undefined, said, NO_TRUST))
  const codes = new Set(found.findings.map(({ code }) => code))
  for (const code of ['private_key', 'checksum_mismatch'] as const) assert.ok(codes.has(code), code)
})

test('a thread reads from the last file to the first, but none that the examination has begun', async () => {
  const [{ onDisk: files = [] } = {}] = await findEvidence([logs])
  const claims = new Int32Array(new SharedArrayBuffer(4 * files.length))
  claims[0] = 1
  const read = await readByThread({ files, checksums: 'sha256 and crc32', claims })
  assert.deepEqual(
    [...read.keys()],
    files
      .map(({ name }) => name)
      .slice(1)
      .toReversed(),
  )
  const key = read.get('logs/x-key.txt')
  const bytes = readFileSync(join(logs, 'x-key.txt'))
  assert.equal(key?.sha256, createHash('sha256').update(bytes).digest('hex'))
  assert.deepEqual(
    key?.findings.map(({ code }) => code),
    ['private_key'],
  )
})

test('a thread leaves to the examination what only it can decide', async () => {
  const [{ onDisk = [] } = {}] = await findEvidence([logs])
  const small = onDisk.filter(({ sizeBytes }) => sizeBytes < 1000)
  const changed = small.map((file) => ({
    ...file,
    name: `changed ${file.name}`,
    sizeBytes: file.sizeBytes + 1,
  }))
  const files = [...small, ...changed, { name: 'gone.txt', diskPath: join(folder, 'gone.txt'), sizeBytes: 1 }]
  const claims = new Int32Array(new SharedArrayBuffer(4 * files.length))
  const read = await readByThread({ files, checksums: 'crc32', claims })
  const left = [...read].flatMap(([name, facts]) => (facts === undefined ? [name] : []))
  const parsed = ['logs/binary.log']
  assert.deepEqual(new Set(left), new Set(['gone.txt', ...changed.map(({ name }) => name), ...parsed]))
})

test('the examination reads what it asks for before a thread has begun, and a checksum list in any case', async () => {
  const [{ onDisk = [] } = {}] = await findEvidence([logs])
  using ahead = startReadingAhead(onDisk)
  assert.ok(ahead !== undefined)
  assert.equal(ahead.facts('logs/x-key.txt'), undefined)
  assert.equal(ahead.facts('logs/sums.sha256'), undefined)
})

/** In the order in which they were read. */
async function readByThread(
  workerData: FilesToReadAhead,
): Promise<ReadonlyMap<string, SentFacts | undefined>> {
  const thread = new Worker(new URL('../../examiner/node/read-thread.ts', import.meta.url), { workerData })
  const read = new Map<string, SentFacts | undefined>()
  thread.on('message', ({ at, facts }: ReadAheadFile) => read.set(workerData.files[at]?.name ?? '', facts))
  await once(thread, 'exit')
  return read
}

test('a few small files start no thread', () => {
  const file = { name: 'logs/odd.csv', diskPath: join(logs, 'odd.csv'), sizeBytes: 13 }
  assert.equal(startReadingAhead([file]), undefined)
})

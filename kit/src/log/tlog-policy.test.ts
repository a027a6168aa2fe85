import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testLogKey, testWitness } from '../../test/make-log.ts'
import { sha256 } from '../crypto/sha256.ts'
import { utf8 } from '../encoding/bytes.ts'
import { LogFormatError, ML_DSA_44_COSIGNATURE, noteKey, vkey } from './note.ts'
import { isQuorumMet, type LogPolicy, parsePolicy } from './tlog-policy.ts'

const log = `log ${vkey(testLogKey('issuer.example/log').key)}`
const keyOf = (name: string): string => vkey(testWitness(name).key)
const w = (name: string): string => `witness ${name} ${keyOf(name)}`
const read = (...lines: string[]): LogPolicy => parsePolicy(utf8(`${lines.join('\n')}\n`), sha256)
const refuses = (...lines: string[]): void =>
  assert.throws(() => read(...lines), LogFormatError, lines.join('\n'))

test('a policy of two levels is met only as it is written', () => {
  const { quorum, logs, witnesses } = read(
    '# our policy',
    '',
    ` \t${log}\thttps://issuer.example/log \t`,
    ...['X1', 'X2', 'X3', 'Y1', 'Y2'].map(w),
    'group X 2 X1 X2 X3',
    'group Y any Y1 Y2',
    'group X-and-Y all X Y',
    '   # end',
    'quorum X-and-Y',
  )
  assert.equal(logs[0]?.url, 'https://issuer.example/log')
  assert.equal(witnesses.length, 5)
  const met = (...names: string[]): boolean => isQuorumMet(quorum, new Set(names))
  assert.ok(met('X1', 'X3', 'Y2'))
  assert.ok(!met('X1', 'X2', 'X3'))
  assert.ok(!met('X1', 'Y1', 'Y2'))
  assert.ok(!met('X', 'Y'), 'a group is not a witness')
})

test('a quorum can be one witness, or none', () => {
  assert.ok(isQuorumMet(read(log, 'quorum none').quorum, new Set()))
  const { quorum } = read(log, w('a'), w('b'), 'quorum a')
  assert.ok(isQuorumMet(quorum, new Set(['a'])))
  assert.ok(!isQuorumMet(quorum, new Set(['b'])))
})

test('a policy has exactly one quorum line, below what it names', () => {
  refuses(log)
  refuses(log, w('a'), 'quorum a', 'quorum a')
  refuses(log, 'quorum none', 'quorum none')
  refuses(log, 'quorum a', w('a'))
  refuses(log, w('a'), 'quorum b')
  refuses(log, w('a'), 'quorum a b')
  refuses(log, w('a'), 'quorum')
})

test('a member is defined above and belongs to one group', () => {
  refuses(log, 'group g any a', w('a'), 'quorum g')
  refuses(log, w('a'), 'group g any a a', 'quorum g')
  refuses(log, w('a'), w('b'), 'group g any a b', 'group h any a', 'quorum g')
  refuses(log, w('a'), 'group g any g', 'quorum g')
  refuses(log, w('a'), 'group g any none', 'quorum g')
  refuses(log, w('a'), 'group g all', 'quorum g')
})

test('a threshold is a decimal from 1 to the number of members', () => {
  for (const threshold of ['0', '3', '02', '+1', '1.0', '-1', 'ALL', 'most', '99999999999999999999'])
    refuses(log, w('a'), w('b'), `group g ${threshold} a b`, 'quorum g')
  read(log, w('a'), w('b'), 'group g 2 a b', 'quorum g')
})

test('a name is taken once and is not none', () => {
  refuses(log, w('a'), `witness a ${keyOf('b')}`, 'quorum a')
  refuses(log, w('a'), 'group a any a', 'quorum a')
  refuses(log, `witness none ${keyOf('a')}`, 'quorum none')
  refuses(log, w('a'), 'group none any a', 'quorum none')
  read(log, w('K'), `witness \u212a ${keyOf('other')}`, 'group g all K \u212a', 'quorum g')
})

test('one public key cannot count twice, under any name or type', () => {
  const { publicKey } = testWitness('a').key
  refuses(log, w('a'), `witness b ${keyOf('a')}`, 'quorum none')
  refuses(log, w('a'), `witness b ${vkey(noteKey('b', 4, publicKey, sha256))}`, 'quorum none')
  refuses(log, log, 'quorum none')
  refuses(`log ${vkey(noteKey('a', 1, publicKey, sha256))}`, w('a'), 'quorum a')
})

test('the key of a log is not the key of a witness', () => {
  refuses(`log ${keyOf('a')}`, 'quorum none')
  refuses(log, `witness a ${vkey(testLogKey('a').key)}`, 'quorum a')
  const future = noteKey('m', ML_DSA_44_COSIGNATURE, new Uint8Array(1312), sha256)
  assert.equal(read(log, `witness m ${vkey(future)}`, 'quorum m').witnesses.length, 1)
})

test('a line that is not understood is refused', () => {
  for (const line of [
    'unknown x',
    'log',
    `${log} url more`,
    'witness a',
    `${w('a')} url more`,
    'LOG x',
    'quorumnone',
  ])
    refuses(log, line, 'quorum none')
  refuses(log, 'quorum none # no comment behind a value')
  refuses(log, 'quorum none\r')
  refuses(log, 'quorum\u00a0none')
  refuses(log, '# bell \u0007', 'quorum none')
  refuses(log, '# delete \u007f', 'quorum none')
})

test('a policy that was cut off is refused', () => {
  assert.throws(() => parsePolicy(utf8(`${log}\nquorum none`), sha256), /line feed/)
  assert.throws(() => parsePolicy(new Uint8Array(0), sha256), LogFormatError)
  assert.throws(() => parsePolicy(new Uint8Array(1_000_001).fill(10), sha256), LogFormatError)
})

test('names and comments are bytes and need not be UTF-8', () => {
  const lines = Buffer.concat([
    Buffer.from(`${log}\n# `),
    Buffer.of(0xff, 0xfe),
    Buffer.from('\nwitness '),
    Buffer.of(0xe9),
    Buffer.from(` ${keyOf('a')}\nquorum `),
    Buffer.of(0xe9, 10),
  ])
  assert.equal(parsePolicy(lines, sha256).quorum, '\u00e9')
})

test('32 logs, 32 witnesses and 32 groups are accepted', () => {
  const names = Array.from({ length: 32 }, (_, at) => `n${at}`)
  const { logs, witnesses } = read(
    ...names.map((name) => `log ${vkey(testLogKey(name).key)}`),
    ...names.map(w),
    ...names.map((name, at) => `group g${at} any ${name}${at === 0 ? '' : ` g${at - 1}`}`),
    'quorum g31',
  )
  assert.deepEqual([logs.length, witnesses.length], [32, 32])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vkey } from '@kitseal/kit'
import { testLogKey, testWitness } from '../../../kit/test/make-log.ts'
import { parseTrustedLogs } from './trusted-logs.ts'

const [first, second] = ['a.example/log', 'b.example/log'].map((origin) => vkey(testLogKey(origin).key))
const witness = vkey(testWitness('w.example').key)

test('a list of logs has vkeys or the log lines of a policy', () => {
  const text = [
    '# Logs of our partners',
    '',
    first,
    `log ${second} https://b.example/log`,
    `witness w ${witness} https://w.example`,
    'group g all w',
    'quorum g',
  ]
  for (const end of ['\n', '\r\n']) {
    const logs = parseTrustedLogs(text.join(end))
    assert.deepEqual([...logs.keys()], ['a.example/log', 'b.example/log'])
    assert.equal(vkey(logs.get('a.example/log')![0]!), first)
  }
})

test('a list of the witness network names logs by their origin', () => {
  const text = `#\n# A list\n#\nlogs/v0\n\nvkey ${first}\nqpd 8640\ncontact ops (at) a.example | https://a.example\n
vkey ${second}\norigin b tree\nbastion none\nqpd 24\ncontact b\n`
  const logs = parseTrustedLogs(text)
  assert.deepEqual([...logs.keys()], ['a.example/log', 'b tree'])
  assert.equal(vkey(logs.get('b tree')![0]!), second)
  assert.deepEqual([...parseTrustedLogs(text.replace('b tree', 'none')).keys()][1], 'b.example/log')
  const bad: readonly (readonly [from: string, to: string, problem: RegExp])[] = [
    ['qpd 8640', 'qpd -1', /^line 7: qpd is not valid/],
    ['qpd 8640', 'qpd', /^line 7 is not expected here/],
    ['qpd 8640', `log ${second}`, /^line 7 is not expected here/],
    ['qpd 24', 'origin c', /^line 13 is not expected here/],
    [`vkey ${first}`, 'origin a', /^line 6 is not expected here/],
    [`vkey ${first}`, `vkey ${witness}`, /^line 6: this is not the key of a log/],
    [`vkey ${first}`, `vkey ${second}`, /^line 10: this key appears twice/],
    ['bastion none', 'bastion http://b.example', /^line 12: bastion is not valid/],
    ['logs/v0', 'logs/v1', /^it does not begin with the line logs\/v0/],
  ]
  for (const [from, to, problem] of bad)
    assert.throws(() => parseTrustedLogs(text.replace(from, to)), { message: problem }, to)
})

test('a line that is no log names its number', () => {
  const bad: readonly (readonly [text: string, problem: RegExp])[] = [
    ['', /lists no logs/],
    ['# nothing\nquorum none\n', /lists no logs/],
    [`${first}\nissuer.example/log\n`, /^line 2: the key is not NAME\+KEYID\+BASE64/],
    [`${first} https://a.example\n`, /^line 1 is not a vkey/],
    [`log ${first} https://a.example more\n`, /^line 1 is not a vkey/],
    [`log ${first} a.example\n`, /^line 1 is not a vkey/],
    ['log\n', /^line 1/],
    [`${witness}\n`, /^line 1: this is not the key of a log, but of a witness/],
    [`${first}\n${first}\n`, /^line 2: this key appears twice/],
    [`${first!.replace(/\+\w{8}\+/, '+00000000+')}\n`, /^line 1: the key ID/],
    [`${vkey(testLogKey('a'.repeat(256)).key)}\n`, /^line 1: the origin is longer/],
  ]
  for (const [text, problem] of bad) assert.throws(() => parseTrustedLogs(text), { message: problem }, text)
})

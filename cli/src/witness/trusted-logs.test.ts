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

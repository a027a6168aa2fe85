import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { LogFormatError, noteKey, parsePolicy, vkey } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { testLogKey, testWitness } from '../../../kit/test/make-log.ts'
import { policyText, readWitnessPolicy } from './witness-policy.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-policy-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'witnesses.policy')
const [log, a, b] = [
  vkey(testLogKey('issuer.example/log').key),
  vkey(testWitness('a').key),
  vkey(testWitness('b').key),
]
const quantum = vkey(noteKey('a', 0x06, new Uint8Array(1312), nodeHost.digest))

function read(text: string, isRequired = false) {
  writeFileSync(file, text)
  return readWitnessPolicy(file, isRequired)
}

test('witnesses with the same URL get one request, and the policy is published with the log', () => {
  const lines = `witness a ${a} https://w.example/\nwitness b ${b} https://w.example\nquorum a\n`
  const policy = read(`# ours\nlog ${log}\n${lines}`)
  assert.deepEqual(
    policy.endpoints.map(({ url, witnesses }) => [url, witnesses.map(({ name }) => name)]),
    [['https://w.example', ['a', 'b']]],
  )
  const published = policyText(log, 'https://issuer.example/log', policy.lines)
  assert.equal(Buffer.from(published).toString(), `log ${log} https://issuer.example/log\n${lines}`)
  assert.equal(parsePolicy(published, nodeHost.digest).quorum, 'a')
  assert.match(Buffer.from(policyText(log, 'https://issuer.example/log')).toString(), /\nquorum none\n$/)
  assert.throws(() => policyText(log, 'u', `witness w ${log}\nquorum w\n`), LogFormatError)
})

test('a key of a type that cannot be verified is not asked for, and must not be needed', () => {
  const witnesses = `witness q ${quantum} http://q.example\nwitness a ${a} http://q.example\n`
  assert.deepEqual(
    read(`${witnesses}quorum a\n`).endpoints.map(({ witnesses: [first, ...more] }) => [
      first?.name,
      more.length,
    ]),
    [['a', 0]],
  )
  assert.throws(() => read(`${witnesses}quorum q\n`), /the quorum cannot be met/)
})

test('a policy that cannot be used is rejected with its problem', () => {
  const problems: readonly (readonly [string, RegExp])[] = [
    ['', /does not end with a line feed/],
    ['quorum none\n', /it names no witness/],
    [`witness a ${a}\nquorum a\n`, /the witness a has no URL/],
    [`witness a ${a} w.example\nquorum a\n`, /the URL of the witness a is not/],
    [`witness a ${a} ftp://w.example\nquorum a\n`, /the URL of the witness a is not/],
    [`witness a ${a} https://me:secret@w.example\nquorum a\n`, /without user/],
    [`witness a ${a} https://w.example/?q\nquorum a\n`, /without user, query/],
    [`witness a ${a} https://w.example\n`, /no quorum line/],
    [`witness a ${log} https://w.example\nquorum a\n`, /line 1 of the policy/],
    [`witness a ${a} https://w.example\nquorum b\n`, /line 2 of the policy names an unknown member/],
  ]
  for (const [text, problem] of problems) {
    assert.throws(() => read(text), problem, text)
    assert.throws(() => read(text), /the witness policy .*witnesses\.policy cannot be used: /)
  }
  assert.throws(() => readWitnessPolicy(join(folder, 'none'), false), /ENOENT/)
  const none = `witness a ${a} https://w.example\nquorum none\n`
  assert.equal(read(none).quorum, undefined)
  assert.throws(() => read(none, true), /KITSEAL_PROOF=require would require nothing/)
})

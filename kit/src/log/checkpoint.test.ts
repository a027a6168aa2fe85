import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testLogKey, testWitness } from '../../test/make-log.ts'
import { sha256 } from '../crypto/sha256.ts'
import { fromUtf8, utf8 } from '../encoding/bytes.ts'
import { webHost } from '../web-host.ts'
import { checkpointText, parseCheckpoint, type SignedCheckpoint, verifyCheckpoint } from './checkpoint.ts'
import { ED25519, LogFormatError, noteBytes, type NoteSignature, vkey } from './note.ts'
import { parsePolicy } from './tlog-policy.ts'

const log = testLogKey('issuer.example/log')
const [one, two, three] = ['w1.example', 'w2.example', 'w3.example'].map(testWitness) as [
  ReturnType<typeof testWitness>,
  ReturnType<typeof testWitness>,
  ReturnType<typeof testWitness>,
]
const root = sha256(utf8('root'))
const text = checkpointText({ origin: 'issuer.example/log', size: 7, root })
const signed = (...signatures: NoteSignature[]): SignedCheckpoint =>
  parseCheckpoint(noteBytes({ text, signatures }))
const policy = parsePolicy(
  utf8(
    [
      `log ${vkey(log.key)}`,
      `witness one ${vkey(one.key)}`,
      `witness two ${vkey(two.key)}`,
      `witness three ${vkey(three.key)}`,
      'group two-of-three 2 one two three',
      'quorum two-of-three\n',
    ].join('\n'),
  ),
  sha256,
)
const status = (...signatures: NoteSignature[]): ReturnType<typeof verifyCheckpoint> =>
  verifyCheckpoint(signed(...signatures), policy, webHost)

test('a checkpoint states the origin, the size and the root hash', () => {
  const checkpoint = signed(log.sign(text))
  const { origin, size, extensions } = checkpoint
  assert.deepEqual({ origin, size, extensions }, { origin: 'issuer.example/log', size: 7, extensions: [] })
  assert.deepEqual(checkpoint.root, root)
})

test('each checkpoint has one spelling', () => {
  const bytes = noteBytes({ text, signatures: [log.sign(text)] })
  const note = fromUtf8(bytes)!
  const rootLine = text.split('\n')[2]!
  for (const other of [
    note.replace('\n7\n', '\n07\n'),
    note.replace('\n7\n', '\n+7\n'),
    note.replace('\n7\n', '\n7 \n'),
    note.replace('\n7\n', '\n-7\n'),
    note.replace('\n7\n', '\n7.0\n'),
    note.replace('\n7\n', '\n7e0\n'),
    note.replace('\n7\n', '\n٧\n'),
    note.replace('\n7\n', '\n\n'),
    note.replace('\n7\n', '\n9007199254740992\n'),
    note.replace('\n7\n', '\n9223372036854775808\n'),
    note.replace('\n7\n', '\n18446744073709551617\n'),
    note.replace('issuer', '\nissuer'),
    note.replace(/^.*\n/, `${'o'.repeat(256)}\n`),
    note.replace(/^.*\n/, ''),
    note.replace(rootLine, rootLine.slice(0, -1)),
    note.replace(rootLine, rootLine.replace('=', '==')),
    note.replace(
      rootLine,
      rootLine.replace(/.=$/, (end) =>
        end === 'A=' ? 'B=' : `${String.fromCharCode(end.charCodeAt(0) + 1)}=`,
      ),
    ),
    note.replace(rootLine, 'AAAA'),
    note.replace(`${rootLine}\n`, ''),
    note.replace(rootLine, `${rootLine}\n\nextension`),
  ])
    assert.throws(() => parseCheckpoint(utf8(other)), LogFormatError, JSON.stringify(other))
  const largest = note.replace('\n7\n', '\n9007199254740991\n')
  assert.equal(parseCheckpoint(utf8(largest)).size, Number.MAX_SAFE_INTEGER)
})

test('extension lines are carried in the signed text', async () => {
  const extended = `${text}extension 1\n`
  const note = noteBytes({ text: extended, signatures: [log.sign(extended)] })
  const checkpoint = parseCheckpoint(note)
  assert.deepEqual(checkpoint.extensions, ['extension 1'])
  assert.equal((await verifyCheckpoint(checkpoint, policy, webHost)).is, 'signed')
})

test('two signatures of one key make a checkpoint invalid', () => {
  assert.throws(() => signed(log.sign(text), log.sign(text)), LogFormatError)
  assert.throws(() => signed(log.sign(text), one.cosign(text, 5), one.cosign(text, 6)), LogFormatError)
})

test('a checkpoint text that could not be read back is not written', () => {
  for (const bad of [
    { origin: '', size: 1, root },
    { origin: 'a\nb', size: 1, root },
    { origin: 'a', size: -1, root },
    { origin: 'a', size: 1.5, root },
    { origin: 'a', size: 2 ** 53, root },
    { origin: 'a', size: 1, root: new Uint8Array(31) },
  ])
    assert.throws(() => checkpointText(bad), LogFormatError, JSON.stringify(bad))
})

test('the quorum is met since the time of the cosignature that completes it', async () => {
  const found = await status(
    log.sign(text),
    three.cosign(text, 30),
    one.cosign(text, 10),
    two.cosign(text, 20),
  )
  assert.deepEqual(found, {
    is: 'signed',
    cosigned: [
      { name: 'one', time: 10 },
      { name: 'two', time: 20 },
      { name: 'three', time: 30 },
    ],
    quorumMet: true,
    since: 20,
  })
})

test('fewer cosignatures than the quorum are not enough', async () => {
  const found = await status(log.sign(text), one.cosign(text, 10))
  assert.ok(found.is === 'signed' && !found.quorumMet && found.since === undefined)
})

test('without a signature of the log, cosignatures prove nothing', async () => {
  const found = await status(one.cosign(text, 10), two.cosign(text, 20))
  assert.equal(found.is, 'unknown_log')
})

test('a log signs only for its own origin', async () => {
  const other = checkpointText({ origin: 'other.example/log', size: 7, root })
  const checkpoint = parseCheckpoint(noteBytes({ text: other, signatures: [log.sign(other)] }))
  assert.equal((await verifyCheckpoint(checkpoint, policy, webHost)).is, 'unknown_log')
})

test('a plain signature of a witness is not a cosignature', async () => {
  const found = await status(log.sign(text), one.sign(text), two.cosign(text, 20))
  assert.deepEqual(found, { is: 'forged', signer: 'w1.example' })
  const plain = { ...one.sign(text), keyId: testLogKey('w1.example').key.keyId }
  const ignored = await status(log.sign(text), plain, two.cosign(text, 20))
  assert.ok(ignored.is === 'signed' && !ignored.quorumMet)
})

test('the time in a cosignature is signed, is not 0 and is a safe number', async () => {
  const other = one.cosign(text, 11).signature
  const moved = {
    ...one.cosign(text, 10),
    signature: Uint8Array.of(...one.cosign(text, 10).signature.subarray(0, 8), ...other.subarray(8)),
  }
  assert.equal((await status(log.sign(text), moved)).is, 'forged')
  assert.equal((await status(log.sign(text), one.cosign(text, 0))).is, 'forged')
  assert.equal((await status(log.sign(text), one.cosign(text, 2 ** 53))).is, 'forged')
  assert.equal((await status(log.sign(text), one.cosign(text, 2 ** 53 - 1))).is, 'signed')
})

test('a cosignature of another checkpoint rejects this one', async () => {
  const other = checkpointText({ origin: 'issuer.example/log', size: 8, root })
  assert.equal((await status(log.sign(text), one.cosign(other, 10))).is, 'forged')
  assert.equal((await status(log.sign(other), one.cosign(text, 10))).is, 'forged')
})

test('a cosignature of an unknown type is ignored', async () => {
  const unknown = { name: 'w1.example', keyId: '01020304', signature: new Uint8Array(2428) }
  const found = await status(log.sign(text), unknown, one.cosign(text, 10), two.cosign(text, 20))
  assert.ok(found.is === 'signed' && found.quorumMet)
  assert.equal(log.key.type, ED25519)
})

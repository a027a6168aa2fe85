import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testLogKey } from '../../test/make-log.ts'
import { sha256 } from '../crypto/sha256.ts'
import { base64, fromBase64, fromUtf8, utf8 } from '../encoding/bytes.ts'
import { webHost } from '../web-host.ts'
import { LogFormatError, noteBytes, noteKey, parseNote, parseVkey, verifyNote, vkey } from './note.ts'

const QUASIMODO =
  'Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n\n' +
  '— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n'
const alice = testLogKey('alice.example')
const bob = testLogKey('bob.example')

const text = 'Hello\n'
const signed = (note: string, ...signers: (typeof alice)[]): Uint8Array =>
  noteBytes({ text: note, signatures: signers.map((signer) => signer.sign(note)) })
const refuses = (note: string | Uint8Array): void => {
  const bytes = typeof note === 'string' ? utf8(note) : note
  assert.throws(() => parseNote(bytes), LogFormatError, JSON.stringify(note))
}

test('the last empty line separates the text from the signatures', () => {
  const note = parseNote(utf8(QUASIMODO))
  assert.ok(note.text.endsWith('\n\ned è subito sera.\n'))
  assert.deepEqual(
    note.signatures.map(({ name, keyId, signature }) => [name, keyId, signature.length]),
    [['quasimodo.example/salvatore', '367ba04b', 64]],
  )
  assert.equal(fromUtf8(noteBytes(note)), QUASIMODO)
})

test('a note with line ends, a byte order mark or an ending that another program added is refused', () => {
  const note = fromUtf8(signed(text, alice))!
  parseNote(utf8(note))
  refuses(note.replaceAll('\n', '\r\n'))
  refuses(`\ufeff${note}`)
  refuses(note.slice(0, -1))
  refuses(`${note}\n`)
  refuses(` ${note}`.replace('\n\n', '\n \n'))
  refuses(note.replace('Hello', 'Hel\tlo'))
  refuses(note.replace('Hello', 'Hel\0lo'))
  refuses(Uint8Array.of(0xff, ...utf8(note)))
})

test('a signature line has one form', () => {
  const note = fromUtf8(signed(text, alice))!
  const line = note.slice(text.length + 1)
  for (const other of [
    line.replace('—', '-'),
    line.replace('— ', '—'),
    line.replace('— ', '—  '),
    line.replace('— ', '—\u00a0'),
    line.replace(' a', '  a'),
    line.replace('\n', ' \n'),
    line.replace('alice', 'al+ice'),
    line.replace('alice', 'al\u0085ice'),
    line.replace('alice', 'al\u3000ice'),
    line.replace('alice.example', ''),
    line.replace(/=+\n/, '\n'),
    '— alice.example AAAA\n',
    '— alice.example AAAAAA==\n',
    '— alice.example\n',
    '',
  ])
    refuses(`${text}\n${other}`)
  assert.equal(parseNote(utf8(`${text}\n${line.replace('alice', 'al\ufeffice')}`)).signatures.length, 1)
})

test('base64 without padding, of the other alphabet or with stray bits is refused', () => {
  for (const bytes of ['', 'a', 'ab', 'abc', 'abcd']) {
    assert.deepEqual(fromBase64(base64(utf8(bytes))), utf8(bytes))
    assert.equal(base64(utf8(bytes)), Buffer.from(bytes).toString('base64'))
  }
  for (const other of ['YQ', 'YQ=', 'YR==', 'YWJ=', '_-8=', 'YQ==\n', 'YQ==YQ==', '====', 'YWI==', ' YQ='])
    assert.equal(fromBase64(other), undefined, other)
})

test('sixteen signatures are read, and more than a hundred are refused', () => {
  const one = alice.sign(text)
  const many = (count: number): Uint8Array =>
    utf8(
      `${text}\n${fromUtf8(noteBytes({ text, signatures: [one] }))!
        .slice(text.length + 1)
        .repeat(count)}`,
    )
  assert.equal(parseNote(many(100)).signatures.length, 100)
  refuses(many(101))
  refuses(`${'a'.repeat(1_000_000)}\n\n— a AAAAAAA=\n`)
})

test('a known key must have signed, and unknown keys are ignored', async () => {
  const note = parseNote(signed(text, bob, alice))
  assert.deepEqual(await verifyNote(note, [alice.key], webHost), [alice.key])
  assert.deepEqual(await verifyNote(note, [testLogKey('carol.example').key], webHost), [])
})

test('a wrong signature of a known key rejects the note', async () => {
  const signatures = [bob.sign(text), alice.sign('Another\n')]
  const note = parseNote(noteBytes({ text, signatures }))
  assert.equal(await verifyNote(note, [alice.key, bob.key], webHost), undefined)
  assert.deepEqual(await verifyNote(note, [bob.key], webHost), [bob.key])
})

test('a key that shares only the name or only the ID is another key', async () => {
  const { signature } = bob.sign(text)
  const { name, keyId } = alice.key
  for (const other of [
    { name, keyId: bob.key.keyId, signature },
    { name: bob.key.name, keyId, signature },
  ])
    assert.deepEqual(
      await verifyNote(parseNote(noteBytes({ text, signatures: [other] })), [alice.key, bob.key], webHost),
      [],
    )
})

test('the key ID of a vkey is recomputed', () => {
  const known = 'example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx'
  const key = parseVkey(known, sha256)
  assert.deepEqual([key.name, key.keyId, key.type], ['example.com/log/testdata', '33d7b496', 1])
  assert.equal(vkey(key), known)
  for (const other of [
    known.replace('33d7', '33D7'),
    known.replace('33d7', '33d8'),
    known.replace('example', 'Example'),
    known.replace('+Ae', '+BO'),
    known.replace('+Ae', '+Ae+'),
    `${known}=`,
    `${known}\n`,
    known.replace('+33d7b496', ''),
    '+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx',
    '',
    '++',
  ])
    assert.throws(() => parseVkey(other, sha256), LogFormatError, other)
  assert.throws(() => noteKey('a b', 1, new Uint8Array(32), sha256), LogFormatError)
  assert.throws(() => noteKey('a', 2, new Uint8Array(32), sha256), LogFormatError)
  assert.throws(() => noteKey('a', 4, new Uint8Array(33), sha256), LogFormatError)
})

test('a note that could not be read back is not written', () => {
  const good = alice.sign(text)
  for (const note of [
    { text: 'no line feed', signatures: [good] },
    { text: '', signatures: [good] },
    { text, signatures: [] },
    { text: 'a\tb\n', signatures: [good] },
    { text: '\ud800\n', signatures: [good] },
    { text, signatures: [{ ...good, name: 'a b' }] },
    { text, signatures: [{ ...good, name: 'a\ud800' }] },
    { text, signatures: [{ ...good, keyId: 'abc' }] },
    { text, signatures: [{ ...good, signature: new Uint8Array(0) }] },
  ])
    assert.throws(() => noteBytes(note), LogFormatError, JSON.stringify(note))
})

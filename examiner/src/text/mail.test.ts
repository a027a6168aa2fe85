import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { eicarString } from '../search/find-bytes.ts'
import { memorySource } from '../platform/sources.ts'
import { decodePart } from './encoded-part.ts'
import { MailCheck } from './mail.ts'

const EXE = Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(200)])

function message(content: Uint8Array, encoding = 'Content-Transfer-Encoding: base64', width = 76): string {
  const lines =
    Buffer.from(content)
      .toString('base64')
      .match(new RegExp(`.{1,${width}}`, 'g')) ?? []
  return [
    'From: a@example.com',
    'Subject: x',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=B',
    '',
    '--B',
    'Content-Type: text/plain',
    '',
    'See below.',
    '-- ',
    'A',
    '--B',
    'Content-Type: application/octet-stream; name="a"',
    encoding,
    '',
    ...lines,
    '--B--',
    '',
  ].join('\r\n')
}

/** The decoded parts of a message that is read in chunks of this size. */
async function parts(text: string, chunkBytes: number): Promise<readonly string[]> {
  const bytes = Buffer.from(text)
  const check = new MailCheck()
  for (let at = 0; at < bytes.length; at += chunkBytes) check.push(bytes.subarray(at, at + chunkBytes))
  const found: string[] = []
  for (const part of check.end().parts ?? []) {
    if (!('encoding' in part)) continue
    const content: Uint8Array[] = []
    for await (const piece of decodePart(memorySource(bytes), part)) content.push(Buffer.from(piece))
    found.push(`${part.name}: ${Buffer.concat(content).toString('latin1')}`)
  }
  return found
}

test('attachments are decoded, whatever the size of the chunks, the form of the header and the encoding', async () => {
  const content = EXE.toString('latin1')
  for (const chunkBytes of [7, 100, 100_000]) {
    for (const header of [
      'Content-Transfer-Encoding: base64',
      'content-transfer-encoding:\r\n BASE64',
      'Content-Transfer-Encoding : "base64" (as ever)',
      'CONTENT-TRANSFER-ENCODING:base64;',
    ])
      assert.deepEqual(await parts(message(EXE, header, 60_000), chunkBytes), [`a: ${content}`], header)
    const plain = message(Buffer.from('a report'), 'Content-Transfer-Encoding: 7bit')
    assert.deepEqual(await parts(plain, chunkBytes), [`a: ${Buffer.from('a report').toString('base64')}`])
    const twice = message(EXE, 'Content-Transfer-Encoding: 7bit\r\nContent-Transfer-Encoding: base64')
    assert.ok((await parts(twice, chunkBytes)).includes(`a: ${content}`))
  }
})

test('names of attachments are read in every form', async () => {
  for (const [field, name] of [
    ['Content-Disposition: attachment; filename="evil.exe"', 'evil.exe'],
    ['Content-Disposition: attachment;\r\n filename=evil.exe', 'evil.exe'],
    ["Content-Disposition: attachment; filename*=UTF-8''ev%69l.exe", 'evil.exe'],
    ['Content-Disposition: attachment; filename*0=ev; filename*1="il.exe"', 'evil.exe'],
    ['Content-Disposition: attachment; filename="=?utf-8?B?ZXZpbC5leGU=?="', 'evil.exe'],
    ['Content-Disposition: attachment; filename="=?utf-8?Q?ev=69l?=\r\n =?utf-8?Q?.exe?="', 'evil.exe'],
    ['Content-Type: message/rfc822; name=a.txt', 'a.txt.eml'],
    ['Content-Type: text/html', 'part 1.html'],
  ]) {
    const text = `From: a\r\n${field}\r\nContent-Transfer-Encoding: base64\r\n\r\nQUJD\r\n`
    assert.deepEqual(await parts(text, 50), [`${name}: ABC`], field)
  }
})

test('files within a text are found: uuencode, and base64 of the same form', async () => {
  const head = 'From: a\nSubject: b\n\nSee below.\n'
  assert.deepEqual(await parts(`${head}begin 644 a.txt\n#0V%T\n\`\nend\nand more\n`, 5), ['a.txt: Cat'])
  assert.deepEqual(await parts(`${head}begin-base64 644 b.txt\nQ2F0\n====\n`, 5), ['b.txt: Cat'])
  assert.deepEqual(await parts(`${head}begin with 3 things\nend\n`, 5), [])
})

test('messages in messages and mailboxes are read', async () => {
  const inner = 'From: b\nContent-Type: application/x; name=c\nContent-Transfer-Encoding: base64\n\nQUJD\n'
  const outer = `From: a\nContent-Type: multipart/mixed; boundary="x y"\n\n--x y\nContent-Type: message/rfc822\n\n${inner}--x y--\n`
  assert.deepEqual(await parts(outer, 9), ['c: ABC'])
  assert.deepEqual(await parts(`From a Mon\n${inner}\nFrom b Mon\n${inner}`, 9), ['c: ABC', 'c: ABC'])
})

test('messages with CR at the end of lines are read', async () => {
  const [part] = await parts(message(EXE).replaceAll('\r\n', '\r'), 100_000)
  assert.ok(part?.startsWith(`a: ${EXE.toString('latin1')}`))
})

test('a part ends before the line break of its boundary, whatever ends the lines before', async () => {
  const encoded = `--${'x'.repeat(17_000)}\r\n${Buffer.from('abc').toString('base64')}\n--B\n`
  const text = `From: a@example.com\nContent-Type: multipart/mixed; boundary=B\n\n--B\nContent-Transfer-Encoding: base64\n\n${encoded}`
  for (const step of [1, 1000, text.length]) assert.match(String(await parts(text, step)), /abc$/)
})

test('parts are the same in chunks of any size', async () => {
  const encoded = Buffer.concat([Buffer.from('ab'), eicarString(), Buffer.from('xyz')]).toString('base64')
  const exe = EXE.toString('base64')
  const pieces = [
    '--B\n',
    '--B--\r\n',
    '-',
    '--',
    '\n',
    '\r\n',
    ' ',
    '=',
    '-A',
    '%',
    'begin 644 x\n',
    'end\n',
    'Content-Type: message/rfc822\n\n',
    'ü',

    'Content-Transfer-Encoding: base64\r\n\r\n',
    'content-transfer-encoding:\n BASE64\n\n',
    'Subject: x\n',
    'A',
    'AB',
    'ABC',
    'ABCD',
    exe.slice(0, 60),
    encoded,
    encoded.slice(0, 40),
    encoded.slice(40),
    `${'QUJD'.repeat(19)}\r\n`.repeat(40),
    'x'.repeat(17_000),
  ]
  const start = 'From: a@example.com\nSubject: x\nContent-Type: multipart/mixed; boundary=B\n\n'
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...pieces), { maxLength: 14 }),
      fc.integer({ min: 1, max: 20_000 }),
      async (chosen, step) => {
        const text = `${start}--B\nContent-Transfer-Encoding: base64\n\n${chosen.join('')}`
        assert.deepEqual(await parts(text, step), await parts(text, text.length * 4))
      },
    ),
    { numRuns: 500 },
  )
})

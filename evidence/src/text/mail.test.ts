import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nodeHost } from '@kitseal/kit/node'
import { eicarString } from '../detect/find-bytes.ts'
import { ContentPass } from '../read/content-pass.ts'

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

async function found(text: string, chunkBytes: number): Promise<readonly string[]> {
  const bytes = Buffer.from(text)
  const file = {
    name: 'a.eml',
    sizeBytes: bytes.length,
    checksums: 'none',
    takeParsing: () => false,
  } as const
  const pass = new ContentPass(file, nodeHost)
  for (let at = 0; at < bytes.length; at += chunkBytes) pass.push(bytes.subarray(at, at + chunkBytes))
  return (await pass.end()).findings.map(({ code }) => code)
}

test('a program or the EICAR string in an attachment is found, whatever the size of the chunks', async () => {
  for (const chunkBytes of [7, 100, 100_000]) {
    assert.deepEqual(await found(message(EXE), chunkBytes), ['executable_content'])
    assert.deepEqual(await found(message(eicarString()), chunkBytes), ['test_virus'])
    assert.deepEqual(await found(message(EXE, 'content-transfer-encoding:\r\n BASE64', 60_000), chunkBytes), [
      'executable_content',
    ])
    const far = Buffer.concat([Buffer.alloc(20_000, 'text '), eicarString()])
    assert.deepEqual(await found(message(far, undefined, 1_000_000), chunkBytes), ['test_virus'])
  }
})

test('ordinary attachments and text that looks like base64 are accepted', async () => {
  assert.deepEqual(await found(message(Buffer.from('a report')), 50), [])
  assert.deepEqual(await found(message(EXE, 'Content-Transfer-Encoding: 7bit'), 50), [])
})

/** Line by line and letter by letter: the decoded start of each base64 part, and whether EICAR is in one. */
function plainParts(text: string): { readonly heads: readonly string[]; readonly hasEicar: boolean } {
  const parts: string[] = []
  let [header, letters]: (string | undefined)[] = ['', undefined]
  for (const line of text.split('\n')) {
    if (line.startsWith('--B')) {
      if (letters !== undefined) parts.push(letters)
      ;[header, letters] = ['', undefined]
    } else if (letters !== undefined) letters += line
    else if (header === undefined) {
      if (/^content-transfer-encoding:/i.test(line)) header = `\n${line}`
    } else if (line.trim() !== '') header += /^[ \t]/.test(line) ? line : `\n${line}`
    else {
      if (/\ncontent-transfer-encoding:\s*base64/i.test(header.replaceAll('\r', ''))) letters = ''
      header = undefined
    }
  }
  if (letters !== undefined) parts.push(letters)
  const contents = parts.map((part) => Buffer.from(part.replaceAll(/[^A-Za-z0-9+/]/g, ''), 'base64'))
  return {
    heads: contents.map((content) => content.subarray(0, 2).toString('latin1')),
    hasEicar: contents.some((content) => content.includes(Buffer.from(eicarString()))),
  }
}

test('attachments are decoded as a plain reader decodes them, in chunks of any size', async () => {
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
      async (parts, step) => {
        const text = `${start}--B\nContent-Transfer-Encoding: base64\n\n${parts.join('')}`
        const { heads, hasEicar } = plainParts(text)
        const codes = await found(text, step)
        assert.equal(codes.includes('test_virus'), hasEicar)
        if (codes.includes('executable_content')) assert.ok(heads.includes('MZ'))
      },
    ),
    { numRuns: 500 },
  )
})

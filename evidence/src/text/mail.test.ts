import assert from 'node:assert/strict'
import { test } from 'node:test'
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { type Contents, pdf } from '../test/evidence-samples.ts'
import { codes, examine } from '../test/examine.ts'
import { eicarString } from './detect/find-bytes.ts'

const found = async (files: Contents): Promise<readonly string[]> => codes(await examine(files))

const PROGRAM = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(100_000, 'program')])

/** A PDF with an additional object before its cross-reference table. */
function withObject(dictionary: string, content: Uint8Array): Uint8Array {
  const text = Buffer.from(pdf()).toString('latin1')
  const at = text.lastIndexOf('xref\n0')
  const object = `9 0 obj\n<<${dictionary}>>\nstream\r\n${Buffer.from(content).toString('latin1')}\nendstream\nendobj\n`
  const moved = text.slice(at).replace(/startxref\n\d+/, `startxref\n${at + object.length}`)
  return Buffer.from(text.slice(0, at) + object + moved, 'latin1')
}

test('a program or the EICAR string attached to a PDF is found, compressed or not', async () => {
  const packed = '/Filter/FlateDecode'
  assert.deepEqual(
    await found({
      'a.pdf': withObject('/Type/EmbeddedFile', PROGRAM),
      'b.pdf': withObject(`/Type /EmbeddedFile ${packed} /Params <</Size 9>>`, deflateSync(PROGRAM)),
      'c.pdf': withObject(`${packed}/Subtype/application#2Fx/Type/EmbeddedFile`, deflateSync(PROGRAM)),
      'd.pdf': withObject(`/Type/EmbeddedFile${packed}`, deflateSync(eicarString())),
    }),
    ['executable_content a.pdf', 'executable_content b.pdf', 'executable_content c.pdf', 'test_virus d.pdf'],
  )
})

test('other attachments are accepted, also damaged ones and ten thousand of them', async () => {
  const many = Buffer.alloc(300_000, '/EmbeddedFile stream\n')
  assert.deepEqual(
    await found({
      'a.pdf': withObject('/Type/EmbeddedFile/Filter/FlateDecode', deflateSync('<invoice/>')),
      'b.pdf': withObject('/Type/EmbeddedFile/Filter/FlateDecode', PROGRAM),
      'c.pdf': withObject('/Type/EmbeddedFile/Filter/FlateDecode', Buffer.alloc(0)),
      'd.pdf': withObject('/Names<</EmbeddedFiles 8 0 R>>', PROGRAM),
      'e.pdf': withObject('/Length 9', many),
    }),
    [],
  )
})

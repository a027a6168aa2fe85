import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CODE, compound, ole10Native, vbaProject } from '../test/compound-samples.ts'
import type { Contents } from '../test/evidence-samples.ts'
import { examine, noticed } from '../test/examine.ts'

const found = async (files: Contents): Promise<readonly string[]> => noticed(await examine(files))

/** `\objdata` with an OLE 1.0 header: version, format, class name, topic, item, content. */
function rtfObject(name: string, content = 'data'): string {
  const header = Buffer.alloc(12)
  header.writeUInt32LE(0x501, 0)
  header.writeUInt32LE(2, 4)
  header.writeUInt32LE(name.length + 1, 8)
  const hex = Buffer.concat([
    header,
    Buffer.from(`${name}\0`),
    Buffer.alloc(12),
    Buffer.from(content, 'latin1'),
  ]).toString('hex')
  return `{\\object\\objemb{\\*\\objdata ${hex.replaceAll(/.{60}/g, '$&\n')}}}`
}

test('objects in RTF that can run something are a danger under any name, others are a notice', async () => {
  assert.deepEqual(
    await found({
      'a.rtf': '{\\rtf1 plain}',
      'b.rtf': `{\\rtf1 ${rtfObject('Excel.Sheet.8')}}`,
      'c.doc': `{\\rtf1 ${rtfObject('Package', 'x')}}`,
      'd.txt': `{\\rt ${rtfObject('Word.Picture.8', '\0C:\\run.exe\0')}}`,
      'e.rtf': `{\\rtf1 {\\object\\objautlink\\objupdate}}`,
      'f.rtf': `{\\rtf1 ${'x'.repeat(3_000_000)}${rtfObject('Equation.3')}}`,
      'g.rtf': Buffer.concat([
        Buffer.from('{\\rtf1\\bin9 '),
        Buffer.alloc(900, 1),
        Buffer.from(`${rtfObject('OLE2Link')}}`),
      ]),
    }),
    [
      'danger embedded_object c.doc',
      'danger embedded_object d.txt',
      'danger embedded_object e.rtf',
      'danger embedded_object f.rtf',
      'danger embedded_object g.rtf',
      'notice active_content b.rtf',
      'notice type_mismatch c.doc',
      'notice type_mismatch d.txt',
    ],
  )
})

const hex = (object: string): string => /objdata ([^}]*)/.exec(object)?.[1]?.replaceAll('\n', '') ?? ''

test('objects in RTF are found through what RTF allows between their digits', async () => {
  const equation = hex(rtfObject('Equation.3'))
  const tricks: Readonly<Record<string, string>> = {
    spaces: [...equation].join(' \r\n'),
    groups: equation.replaceAll(/.{10}/g, '$&{\\*\\x}'),
    words: equation.replaceAll(/.{8}/g, '$&\\par\\b0 '),
    nested: `{${equation.slice(0, 20)}}${equation.slice(20)}`,
    ignored: equation.replaceAll(/.{10}/g, '$&{\\*\\x 41424344}'),
    escapes: equation.replaceAll(/.{10}/g, "$&\\'41"),
    hidden: `\\bin0 ${equation}`,
  }
  for (const [name, digits] of Object.entries(tricks))
    assert.deepEqual(
      await found({ 'a.rtf': `\n{\\rtf1{\\object{\\*\\objdata ${digits}}}}` }),
      ['danger embedded_object a.rtf'],
      name,
    )
  const binary = Buffer.from(equation, 'hex')
  const raw = Buffer.concat([
    Buffer.from(`{\\rtf1{\\*\\objdata\\bin${binary.length} `),
    binary,
    Buffer.from('}}'),
  ])
  assert.ok((await found({ 'a.rtf': raw })).includes('danger embedded_object a.rtf'))
})

test('files in RTF objects are examined, templates and fields are a notice', async () => {
  const native = ole10Native('a.js', 'go()').toString('latin1')
  // The size of the native data is part of it.
  const packaged = rtfObject('Package', '')
    .replaceAll('\n', '')
    .replace(/0{8}}}$/, '')
  assert.deepEqual(
    await found({
      'a.rtf': `{\\rtf1 ${packaged}${Buffer.from(native, 'latin1').toString('hex')}}}}`,
      'b.rtf': `{\\rtf1 ${rtfObject('Word.Document.8', `\0\0\0\0${compound({ WordDocument: 'x', Macros: vbaProject({ M: CODE }) }).toString('latin1')}`)}}`,
      'c.rtf': '{\\rtf1{\\*\\template http://example.com/a.dot}}',
      'd.rtf': "{\\rtf1{\\*\\template \\u104?\\'74\\u116?p://example.com/a}}",
      'e.rtf': '{\\rtf1{\\*\\template C:\\\\a.dot}}',
      'f.rtf': '{\\rtf1{\\field{\\*\\fldinst {DD}{\\b EAUTO c:\\\\x}}}}',
      'g.rtf': '{\\rtf1{\\field{\\*\\fldinst PAGE}}}',
      'h.rtf': '{\\rtf1{\\*\\template \\\\\\\\server\\\\a.dot}}',
    }),
    [
      'danger embedded_object a.rtf',
      'danger executable_content a.rtf/a.js',
      'danger macros b.rtf/object 1',
      'notice active_content b.rtf',
      'notice active_content c.rtf',
      'notice active_content d.rtf',
      'notice active_content f.rtf',
      'notice active_content h.rtf',
    ],
  )
})

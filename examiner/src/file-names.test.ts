import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOf, deflated, openXml, zipOf, zipOfEntries } from '../test/evidence-samples.ts'
import { codes, examine } from '../test/examine.ts'
import { escapeInvisible } from './findings.ts'

const named = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name, index) => [name, `content ${index}\n`]))

test('a direction override in a name is a blocker that lists the code points', async () => {
  const disguised = 'invoice\u202efdp.txt'
  const { blockers } = await examine({
    'bill\u202efdp.txt': 'loose',
    'e.zip': zipOf({
      [disguised]: 'packed',
      'a\u2067.txt': 'goes on',
      'in.zip': zipOf({ [disguised]: 'kept' }),
    }),
  })
  assert.deepEqual(
    blockers.map(({ code, path, message }) => `${code} ${path}: ${message.replace(/^[^.]*\. /, '')}`),
    [
      'name_direction bill\\u202efdp.txt: It contains U+202E.',
      'name_direction e.zip/a\\u2067.txt: It contains U+2067.',
      'name_direction e.zip/in.zip/invoice\\u202efdp.txt: It contains U+202E.',
      'name_direction e.zip/invoice\\u202efdp.txt: It contains U+202E.',
    ],
  )
})

test('unclosed and right-to-left direction controls are all found', async () => {
  const marks = [...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069']
  const pairs = ['\u202bx\u202c', '\u202dx\u202c', '\u202ex\u202c', '\u2067x\u2069', '\u2068x\u202ey\u2069']
  const names = [...marks, ...pairs, '\u2068x/y\u2069'].map((mark, index) => `${index} ${mark}.txt`)
  const { blockers } = await examine({ 'e.zip': zipOf(named(...names)) })
  assert.equal(blockers.length, names.length)
  assert.ok(blockers.every(({ code }) => code === 'name_direction'))
})

test('names in any script are accepted, and the report lists their invisible characters', async () => {
  const { blockers, classificationReport } = await examine({
    'e.zip': zipOf(
      named(
        'Chat with \u202a+49 170 1234567\u202c.txt',
        'Photos from \u2068Anna\u2069.txt',
        'Screenshot at 1.00.00\u202fPM.txt',
        '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.txt',
        '\u05d3\u05d5\u05d7\u200f 2026.txt',
        '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u2764\ufe0f.txt',
        '\u0e23\u0e32\u0e22\u0e07\u0e32\u0e19.txt',
        'soft\u00adhyphen.txt',
      ),
    ),
  })
  assert.deepEqual(blockers, [])
  const { files } = classificationReport as { files: { path: string; notes: string[] }[] }
  const noted = files.flatMap(({ notes }) => notes.map((note) => note.replace(/^.*: /, ''))).toSorted()
  assert.deepEqual(noted, [
    'U+00AD',
    'U+200C',
    'U+200D, U+FE0F',
    'U+200F',
    'U+202A, U+202C',
    'U+2068, U+2069',
  ])
})

const paths = async (files: Parameters<typeof examine>[0]) =>
  (await examine(files)).files.map(({ path }) => path)

test('of several files, each archive is unpacked into a folder of its name; one alone is unpacked in place', async () => {
  const a = zipOf(named('x.txt', 'in/y.txt'))
  assert.deepEqual(await paths({ 'a.zip': a }), ['data/in/y.txt', 'data/x.txt'])
  assert.deepEqual(await paths({ 'item-1/a.zip': a }), ['data/item-1/in/y.txt', 'data/item-1/x.txt'])
  const b = zipOf(named('x.txt'))
  assert.deepEqual(await paths({ 'a.ZIP': a, 'item-1/b.zip': b, 'c..zip': b, 'x.txt': 'x' }), [
    'data/a/in/y.txt',
    'data/a/x.txt',
    'data/c..zip/x.txt',
    'data/item-1/b/x.txt',
    'data/x.txt',
  ])
  assert.deepEqual(codes(await examine({ 'a.zip': b, 'a/x.txt': 'x' })), ['name_collision a/x.txt'])
  const long = zipOf(named(`${'d'.repeat(250)}/`.repeat(4).slice(0, -1)))
  assert.deepEqual(codes(await examine({ [`${'z'.repeat(40)}.zip`]: long })), [])
  assert.match(codes(await examine({ [`${'z'.repeat(40)}.zip`]: long, 'x.txt': 'x' })).join(), /^name_/)
})

test('names that differ only in invisible characters collide', async () => {
  assert.deepEqual(codes(await examine({ 'e.zip': zipOf(named('a.txt', 'a\u200b.txt', 'b.txt')) })), [
    'name_collision e.zip/a\\u200b.txt',
  ])
  assert.equal(escapeInvisible('a\u200b\u{e0041}\u2028'), 'a\\u200b\\u{e0041}\\u2028')
})

test('names are converted to normalization form C, and the report says so', async () => {
  const { blockers, classificationReport } = await examine({ 'Cafe\u0301.txt': 'loose' })
  assert.deepEqual(blockers, [])
  const { files } = classificationReport as { readonly files: readonly Readonly<Record<string, unknown>>[] }
  assert.deepEqual(
    files.map(({ path, notes }) => ({ path, notes })),
    [{ path: 'data/Caf\u00e9.txt', notes: ['name converted to Unicode normalization form C'] }],
  )
})

test('path traversal in a part of a document is a blocker', async () => {
  const found = codes(
    await examine({ 'a.docx': openXml('docx', { '../../x.txt': 'x', 'word/con.xml': '<a/>' }) }),
  )
  assert.deepEqual(found, ['name_traversal a.docx/../../x.txt'])
})

test('messages quote names unchanged', async () => {
  const { blockers } = await examine({
    'e.zip': zipOf({
      'a/b.txt': '1',
      a: '2',
      'in.zip': zipOfEntries(deflated('x', 'x'), deflated('X', 'y')),
    }),
    'sums.sha256': `${'0'.repeat(64)}  c.txt\n`,
    'c.txt': 'c',
    'd.docx': damaged(openXml('docx'), 'word/document.xml'),
  })
  const messages = blockers.map(({ message }) => message).join('\n')
  for (const quoted of [
    ': e.zip/a.',
    'Inside it, x and X ',
    ' sums.sha256 says ',
    'Part word/document.xml: ',
  ])
    assert.ok(messages.includes(quoted), quoted)
})

/** Changes one byte in the content of an entry. */
function damaged(archive: Uint8Array, name: string): Uint8Array {
  const copy = Buffer.from(archive)
  const at = copy.indexOf(bytesOf(name)) + name.length + 3
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

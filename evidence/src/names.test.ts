import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bytesOf, deflated, openXml, zipOf, zipOfEntries } from '../test/evidence-samples.ts'
import { codes, evidenceStore } from '../../server/test/evidence-store.ts'
import { showable } from './rules.ts'

let store: Awaited<ReturnType<typeof evidenceStore>>
before(async () => void (store = await evidenceStore()))
after(() => store[Symbol.asyncDispose]())

const named = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name, index) => [name, `content ${index}\n`]))

test('a name that reads as another is a blocker, loose, packed and packed twice, and what it holds is named', async () => {
  const turned = 'invoice\u202efdp.txt'
  const { blockers } = await store.examine({
    'bill\u202efdp.txt': 'loose',
    'e.zip': zipOf({ [turned]: 'packed', 'a\u2067.txt': 'goes on', 'in.zip': zipOf({ [turned]: 'kept' }) }),
  })
  assert.deepEqual(
    blockers.map(({ code, path, message }) => `${code} ${path}: ${message.replace(/^[^.]*\. /, '')}`),
    [
      'name_direction bill\\u202efdp.txt: It holds U+202E.',
      'name_direction e.zip/a\\u2067.txt: It holds U+2067.',
      'name_direction e.zip/in.zip/invoice\\u202efdp.txt: It holds U+202E.',
      'name_direction e.zip/invoice\\u202efdp.txt: It holds U+202E.',
    ],
  )
})

test('each mark that turns the direction of writing is found, where it is not ended or goes from right to left', async () => {
  const marks = [...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069']
  const pairs = ['\u202bx\u202c', '\u202dx\u202c', '\u202ex\u202c', '\u2067x\u2069', '\u2068x\u202ey\u2069']
  const names = [...marks, ...pairs, '\u2068x/y\u2069'].map((mark, index) => `${index} ${mark}.txt`)
  const { blockers } = await store.examine({ 'e.zip': zipOf(named(...names)) })
  assert.equal(blockers.length, names.length)
  assert.ok(blockers.every(({ code }) => code === 'name_direction'))
})

test('names of all scripts pass, with what their programs put into them, and the report says what does not show', async () => {
  const { blockers, classificationReport } = await store.examine({
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

test('two names that differ by what does not show are one name', async () => {
  assert.deepEqual(codes(await store.examine({ 'e.zip': zipOf(named('a.txt', 'a\u200b.txt', 'b.txt')) })), [
    'name_collision e.zip/a\\u200b.txt',
  ])
  assert.equal(showable('a\u200b\u{e0041}\u2028'), 'a\\u200b\\u{e0041}\\u2028')
})

test('a name in the other normalization form is brought into form C, and the report of a loose file says so too', async () => {
  const { blockers, classificationReport } = await store.examine({ 'Cafe\u0301.txt': 'loose' })
  assert.deepEqual(blockers, [])
  assert.match(JSON.stringify(classificationReport), /"data\/Caf\u00e9\.txt".*normalization form C/)
})

test('a part of a document that reaches for other places is a blocker', async () => {
  const found = codes(
    await store.examine({ 'a.docx': openXml('docx', { '../../x.txt': 'x', 'word/con.xml': '<a/>' }) }),
  )
  assert.deepEqual(found, ['name_traversal a.docx/../../x.txt'])
})

test('no message changes a name', async () => {
  const { blockers } = await store.examine({
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
  for (const said of [': e.zip/a.', 'In it, x and X ', ' in sums.sha256 ', 'The part word/document.xml: '])
    assert.ok(messages.includes(said), said)
})

/** With one wrong byte in the content of an entry. */
function damaged(archive: Uint8Array, name: string): Uint8Array {
  const copy = Buffer.from(archive)
  const at = copy.indexOf(bytesOf(name)) + name.length + 3
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

import assert from 'node:assert/strict'
import { wordsIn } from './words.ts'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { binderInput, evidence, objectsOf, sha256, structureOf, textOf } from '../test/binder-fixture.ts'
import { needs } from '../../test/kit/needs.ts'
import { fontLibrary } from './fonts/typefaces.ts'
import { BODY, type Layout, PAPER, startLayout } from './layout.ts'
import { binderMaker } from './make-binder.ts'
import { pdfDocument } from './pdf/pdf-document.ts'
import { sharedParts } from './shared-parts.ts'

const loadGlyphs = fontLibrary()
const { make: makeBinder } = binderMaker()

const kit = (name: string, changes: Parameters<typeof binderInput>[0] = {}): ReturnType<typeof binderInput> =>
  binderInput({
    kitId: `kit_${name}`,
    jobId: `job_${name}`,
    scope: `Scope ${name}`,
    verifyUrl: `https://seal.example/verify/kit_${name}`,
    files: [evidence(`data/${name}.csv`), evidence('reports/report.json')],
    ...changes,
  })

const folders = (name: string, count: number): ReturnType<typeof evidence>[] =>
  Array.from({ length: count }, (_, index) => evidence(`data/${name} ${index}/file.csv`))

test('a binder is the same whether or not others with its parts were made before', async () => {
  const inputs = [
    kit('first'),
    kit('other', { scope: 'A scope that is so long that it takes two lines on the cover of the binder' }),
    kit('third', { verifyUrl: `https://seal.example/${'long/'.repeat(60)}` }),
    kit('fourth', {
      files: [evidence('data/one.csv'), evidence('data/two.csv'), evidence('other/three.csv')],
    }),
    kit('fifth', { label: 'Q4', supplier: { workspace_id: 'ws_1', name: 'Acme' } }),
  ]
  for (const input of inputs) await makeBinder(input)
  const here: string[] = []
  for (const input of inputs.toReversed()) here.unshift(sha256(await makeBinder(input)))
  for (const [at, input] of inputs.entries()) assert.equal(here[at], await hashAlone(input), input.kitId)
})

test('a binder of the same shape has nothing of the kit before', needs('pdftotext'), async () => {
  const [, text] = [await textOf(await makeBinder(kit('one'))), await textOf(await makeBinder(kit('two')))]
  for (const shown of ['kit_two', 'job_two', 'Scope two', 'two.csv', sha256('data/two.csv')])
    assert.ok(text.includes(shown), shown)
  for (const other of ['kit_one', 'job_one', 'Scope one', 'one.csv', sha256('data/one.csv')])
    assert.ok(!text.includes(other), other)
})

test('alternative texts and links are those of the kit', needs('pdfinfo'), async () => {
  await makeBinder(kit('one'))
  const structure = await structureOf(await makeBinder(kit('two')))
  assert.match(structure, /https:\/\/seal\.example\/verify\/kit_two/)
  assert.doesNotMatch(structure, /kit_one/)
})

test('bookmarks have the folders of the kit, also in a long outline', needs('qpdf'), async () => {
  for (const count of [2, 30]) {
    await makeBinder(kit('one', { files: folders('first', count) }))
    const objects = await objectsOf(await makeBinder(kit('one', { files: folders('other', count) })))
    const titles = [...objects.matchAll(/"\/Title": "u:(data\/[^"]*)"/g)].map(([, title]) => title)
    const expected = folders('other', count).map(({ path }) => path.slice(0, -'file.csv'.length))
    assert.deepEqual(new Set(titles), new Set(expected))
  }
})

test('a fixed part is drawn once for each place, and anew on a page where it does not fit', async () => {
  const parts = sharedParts()
  let drawn = 0
  const draw = (layout: Layout): void =>
    layout.fixed('a part for this test', () => {
      drawn++
      for (let line = 0; line < 30; line++) layout.paragraph('A line.', BODY)
    })
  const drawAt = async (y: number): Promise<{ readonly pages: number; readonly y: number }> => {
    const glyphs = await loadGlyphs({ regular: [], strong: [], mono: [] })
    const document = pdfDocument(
      {
        title: '',
        author: '',
        subject: '',
        madeAt: '2026-11-15T03:07:50.123Z',
        language: 'en',
        size: PAPER,
      },
      parts,
    )
    const layout = startLayout(document, glyphs, parts, wordsIn('en'))
    layout.y = y
    draw(layout)
    document.finish()
    return { pages: document.pages.length, y: layout.y }
  }
  const first = await drawAt(100)
  assert.deepEqual([await drawAt(100), drawn], [first, 1])
  await drawAt(101)
  assert.equal(drawn, 2)
  assert.equal((await drawAt(600)).pages, 2)
  assert.equal((await drawAt(600)).pages, 2)
  assert.equal(drawn, 4)
})

async function hashAlone(input: ReturnType<typeof binderInput>): Promise<string> {
  const program = `
    import { binderMaker } from './make-binder.ts'
    import { sha256 } from '../test/binder-fixture.ts'
    console.log(sha256(await binderMaker().make({ ...JSON.parse(process.argv[1]), images: async () => undefined })))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program, JSON.stringify(input)],
    { cwd: import.meta.dirname },
  )
  return stdout.trim()
}

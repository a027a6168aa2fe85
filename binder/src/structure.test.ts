import assert from 'node:assert/strict'
import { test } from 'node:test'
import { binderInput, evidence, objectsOf, structureOf } from '../test/binder-fixture.ts'
import { needs } from '../../test/kit/needs.ts'
import { binderMaker } from './make-binder.ts'

const { make: makeBinder } = binderMaker()

const NAMES = [
  'تقرير 2026.pdf',
  'דוח (סופי).pdf',
  'รายงานน้ำ.pdf',
  'हिन्दी.pdf',
  '隐私政策.pdf',
  '👨\u200d👩\u200d👧.pdf',
  '𐎀.pdf',
]

const input = (): ReturnType<typeof binderInput> =>
  binderInput({
    scope: 'مراجعة Acme السنوية',
    files: [...NAMES.map((name) => evidence(`data/${name}`)), evidence('data/logo.png', 'image/png')],
  })

test(
  'a screen reader gets headings, tables, lists, links and contents, in order',
  needs('pdfinfo'),
  async () => {
    const lines = outline(await structureOf(await makeBinder(input())))
    assert.deepEqual(
      lines.filter((line) => /^H\d /.test(line)),
      [
        'H1 مراجعة Acme السنوية',
        'H2 What this proves, and what it does not',
        'H3 A kit that passes verification proves',
        'H3 It does not prove',
        'H3 The limits of this service in full',
        'H2 How to verify',
        'H3 In a browser',
        'H3 On the command line',
        'H3 By hand',
        'H3 Confirm the key of the issuer',
        'H2 Inventory',
        'H3 data/',
      ],
    )
    assert.ok(lines.indexOf('TOC') < lines.indexOf('H2 What this proves, and what it does not'))
    assert.deepEqual(
      lines.filter((line) => line.startsWith('TOCI ')),
      [
        'TOCI What this proves, and what it does not page 2',
        'TOCI How to verify page 3',
        'TOCI Inventory page 4',
      ],
    )
    assert.ok(lines.includes('Link https://seal.example.com/verify'))
    assert.equal(lines.filter((line) => line === 'LI').length, 9)
  },
)

test('facts and files are rows of tables with header cells', needs('pdfinfo'), async () => {
  const lines = outline(await structureOf(await makeBinder(input())))
  const issuer = lines.indexOf('TH Row Issuer')
  assert.deepEqual(lines.slice(issuer - 1, issuer + 2), [
    'TR',
    'TH Row Issuer',
    'TD https://seal.example.com',
  ])
  const header = lines.indexOf('TH Column No.')
  assert.deepEqual(lines.slice(header - 2, header + 5), [
    'Table',
    'TR',
    ...['No.', 'Name', 'SHA-256', 'Type', 'Size'].map((label) => `TH Column ${label}`),
  ])
  for (const name of NAMES) {
    const at = lines.indexOf(`TD ${name}`)
    assert.equal(lines[at - 2], 'TR', name)
    assert.match(lines[at - 1] ?? '', /^TD \d$/)
    assert.equal(lines[at + 1], `TD ${evidence(`data/${name}`).sha256}`)
    assert.deepEqual(lines.slice(at + 2, at + 4), ['TD PDF document', 'TD 1,234 B'])
  }
})

test('headers, footers and lines are not part of the structure', needs('pdfinfo'), async () => {
  const structure = await structureOf(await makeBinder(input()))
  assert.doesNotMatch(structure, /Integrity and issuance evidence only|\d \/ \d|continued/)
})

test('a paragraph that continues on the next page is one element', needs('pdfinfo'), async () => {
  const long = '很'.repeat(200)
  const structure = await structureOf(
    await makeBinder(binderInput({ scope: `${long} ${long} ${long}`.repeat(8) })),
  )
  assert.equal(outline(structure).filter((line) => line.startsWith('H1 ')).length, 1)
})

test('the QR code has an alternative text; title and language are set', needs('qpdf'), async () => {
  const objects = JSON.stringify(JSON.parse(await objectsOf(await makeBinder(input()))))
  assert.match(objects, /"\/Alt":"u:QR code of https:\/\/seal\.example\.com\/verify"/)
  assert.match(objects, /"\/Lang":"u:en"/)
  assert.match(objects, /"\/Title":"u:Evidence binder: مراجعة Acme السنوية"/)
  assert.match(objects, /"\/DisplayDocTitle":true/)
  assert.match(objects, /"\/Marked":true/)
})

/** One line per element, with its text: `TH Row Issuer`. */
function outline(structure: string): readonly string[] {
  const lines: string[] = []
  for (const line of structure.split('\n')) {
    const element = /^ *([A-Z][A-Za-z0-9]*)(:| \((block|inline)\))?$/.exec(line)?.[1]
    const scope = /^ *\/Scope \/(\w+)$/.exec(line)?.[1]
    const text = /^ *"(.*)"$/.exec(line)?.[1]
    if (element !== undefined) lines.push(element)
    else if (scope !== undefined || text !== undefined) lines.push(`${lines.pop()} ${scope ?? text?.trim()}`)
  }
  return lines
}

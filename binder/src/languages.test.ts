import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '@kitseal/kit/internal'
import { binderInput, evidence, missingTool, sha256, textOf } from '../test/binder-fixture.ts'
import { formatExactBytes, formatList } from './format-values.ts'
import { binderMaker } from './make-binder.ts'
import { textsIn, wordsIn } from './texts/index.ts'

const { make } = binderMaker()
const skip = await missingTool('pdftotext')

const INPUT = {
  files: [evidence('data/a.csv', 'text/csv', 12_345_678), evidence('data/b/c.pdf')],
  findings: [{ paths: ['data/a.csv'], message: 'The file is empty.', acknowledged: false }],
  items: [{ id: 'CC6.1', title: 'Users', files: [] }],
  provenance: [
    {
      paths: 'all files',
      source: 'supplier',
      statement: 'stated',
      collected_at: '2026-11-12',
      query: 'all',
    } as const,
  ],
}

test(
  'a binder is in its language, with every character, after binders in other languages',
  { skip },
  async () => {
    for (const language of ['en', 'ja', 'de', 'fr', 'es', 'pt-BR', 'en', 'ja'] as const) {
      const { binder: t } = wordsIn(language)
      const text = flat(await textOf(await make(binderInput({ ...INPUT, language }))))
      for (const expected of [
        t.introduction,
        t.meaning.boundary,
        t.verify.keyText,
        t.checklist.lead,
        t.findings.notices,
        t.inventory.columns.size,
      ])
        assert.ok(text.includes(flat(expected)), `${language}: ${expected}`)
      assert.ok(!text.includes(flat(t.inventory.missing)), language)
      assert.ok(!text.includes('‹U+'), language)
      const other = wordsIn(language === 'en' ? 'ja' : 'en').binder
      assert.ok(!text.includes(flat(other.introduction)), language)
    }
  },
)

test('without a language, a binder is in English', async () => {
  const english = sha256(await make(binderInput()))
  assert.equal(sha256(await make(binderInput({ language: 'en' }))), english)
  assert.notEqual(sha256(await make(binderInput({ language: 'es' }))), english)
})

const size = (bytes: number, language: Language): string => formatExactBytes(bytes, wordsIn(language))

test('sizes have the decimal sign, the unit and the plural of the language', () => {
  assert.equal(size(1500, 'en'), '1.5 KB (1,500 bytes)')
  assert.equal(size(1500, 'fr').normalize('NFKC'), '1,5 ko (1 500 octets)')
  assert.deepEqual([size(1, 'en'), size(326, 'de'), size(1, 'fr')], ['1 byte', '326 Bytes', '1 octet'])
})

test('every language replaces what English replaces', () => {
  for (const language of ['de', 'fr', 'es', 'pt-BR', 'ja'] as const)
    assert.deepEqual(placeholders(language).toSorted(), placeholders('en').toSorted(), language)
})

test('the parts of a list are separated as the language does it', () => {
  assert.deepEqual([formatList(['A', 'B']), formatList(['A', 'B'], 'ja')], ['A, B', 'A、B'])
})

/** Lines break anywhere in Japanese. */
const flat = (text: string): string => text.normalize('NFKC').replaceAll(/\s+/g, '')

const placeholders = (language: Language): readonly string[] =>
  [...textsIn(wordsIn(language).binder)].map((text) => (text.match(/\{\w+\}/g) ?? []).toSorted().join())

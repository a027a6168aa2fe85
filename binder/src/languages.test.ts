import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '@kitseal/kit/internal'
import { binderInput, evidence, sha256, textOf } from '../test/binder-fixture.ts'
import { needs } from '../../test/kit/needs.ts'
import { binderMaker } from './make-binder.ts'
import { formatExactBytes, wordsIn } from './words.ts'

const { make } = binderMaker()

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
  needs('pdftotext'),
  async () => {
    for (const language of ['en', 'ja', 'de', 'fr', 'es', 'pt-BR', 'en', 'ja'] as const) {
      const { t } = wordsIn(language)
      const text = flat(await textOf(await make(binderInput({ ...INPUT, language }))))
      for (const expected of [
        t('binder.introduction'),
        t('binder.meaning.boundary'),
        t('binder.verify.keyText'),
        t('binder.checklist.lead'),
        t('binder.findings.notices'),
        t('binder.inventory.columns.size'),
      ])
        assert.ok(text.includes(flat(expected)), `${language}: ${expected}`)
      assert.ok(!text.includes(flat(t('binder.inventory.missing'))), language)
      assert.ok(!text.includes('‹U+'), language)
      const other = wordsIn(language === 'en' ? 'ja' : 'en')
      assert.ok(!text.includes(flat(other.t('binder.introduction'))), language)
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

/** Lines break anywhere in Japanese. */
const flat = (text: string): string => text.normalize('NFKC').replaceAll(/\s+/g, '')

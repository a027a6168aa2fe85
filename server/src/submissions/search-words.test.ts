import assert from 'node:assert/strict'
import { test } from 'node:test'
import { termsOf, wordsIn } from './submission-words.ts'

const finds = (query: string, text: string): boolean => {
  const words = [...wordsIn([text])]
  return termsOf(query)?.every((term) => words.some((word) => word.startsWith(term))) ?? false
}

test('a file is found by the start of any word in its name, whatever the case, accents and separators', () => {
  for (const [query, name] of [
    ['payroll', 'hr/2026-Payroll_export.XLSX'],
    ['pay', '2026payroll.csv'],
    ['payroll', 'PayrollQ3.csv'],
    ['q3', 'PayrollQ3.csv'],
    ['payrollq3', 'PayrollQ3.csv'],
    ['Payroll 2026.xlsx', '2026/payroll.xlsx'],
    ['uber', 'Überprüfung.pdf'],
    ['ÜBER', 'u\u0308berprüfung.pdf'],
    ['soc2', 'SOC2-report.pdf'],
    ['iam', 'IAMRoles.json'],
    ['明細', '給与明細.pdf'],
    ['тест', 'Тестовый файл.txt'],
  ] as const)
    assert.ok(finds(query, name), `${query} finds ${name}: ${[...wordsIn([name])].join(' ')}`)
})

test('a file is not found by another word, or by the middle of one', () => {
  for (const [query, name] of [
    ['roll', 'payroll.csv'],
    ['payroll 2025', 'payroll-2026.csv'],
    ['tax', 'payroll.csv'],
  ] as const)
    assert.ok(!finds(query, name), `${query} finds ${name}`)
})

test('a text without a word of two characters has no terms', () => {
  for (const text of ['%', 'e_', '  ', 'a b', '🧾']) assert.equal(termsOf(text), undefined, text)
})

test('long and hostile texts have few and short words', () => {
  const [word = ''] = wordsIn(['a'.repeat(100_000)])
  assert.equal(word.length, 40)
  assert.ok(wordsIn(['漢'.repeat(10_000)]).size <= 31)
  assert.equal(termsOf('word '.repeat(1000))?.length, 1)
  assert.equal(termsOf(Array.from({ length: 100 }, (_, index) => `word${index}`).join(' '))?.length, 8)
})

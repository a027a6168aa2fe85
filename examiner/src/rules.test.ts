import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PAGE, PLAIN, withLists } from '../test/write-reference.ts'
import { acceptProblem, findingRecord, isBlocking } from './findings.ts'
import { type RuleCode, RULES } from './rules.ts'

const page = readFileSync(PAGE, 'utf8')

test('docs/reference/evidence-rules.md lists every rule by its class with what it says unless its name does, and extensions of files that are examined (node examiner/test/write-reference.ts)', () => {
  assert.equal(page, withLists(page), 'stale: node examiner/test/write-reference.ts')
  for (const [code, { message }] of Object.entries(RULES))
    assert.ok(page.includes(PLAIN.test(code) ? `\`${code}\`` : `- \`${code}\`: ${message}\n`), code)
  for (const ending of ['.pdf', '.xml', '.gif', '.py']) assert.ok(page.includes(`\`${ending}\``), ending)
})

test('damage blocks unless it is acknowledged, a notice never blocks, and a danger always does', () => {
  for (const code of Object.keys(RULES) as RuleCode[]) {
    const plain = findingRecord('a', { code })
    const accepted = findingRecord('a', { code }, new Set([code]))
    const { class: kind } = RULES[code]
    assert.equal(isBlocking(plain), kind !== 'notice', code)
    assert.equal(isBlocking(accepted), kind === 'danger', code)
    assert.equal(accepted.acknowledged, kind !== 'danger', code)
    assert.equal(
      acceptProblem(code),
      kind === 'danger' ? `${code} is a danger and cannot be accepted` : undefined,
    )
  }
  assert.equal(acceptProblem('no_such'), '"no_such" is not a finding code')
  assert.equal(acceptProblem('toString'), '"toString" is not a finding code')
})

test('every rule has a message and a remedy, in full sentences', () => {
  for (const [code, { message, remedy }] of Object.entries(RULES)) {
    assert.match(code, /^[a-z]+(?:_[a-z]+)*$/)
    for (const text of [message, remedy]) assert.match(text, /^[A-Z].*\.$/s, code)
  }
})

test('every rule is used', () => {
  const sources = globSync('**/*.ts', { cwd: import.meta.dirname }).filter(
    (path) => !path.endsWith('.test.ts') && path !== 'rules.ts',
  )
  const text = sources.map((path) => readFileSync(new URL(path, import.meta.url), 'utf8')).join('')
  assert.deepEqual(
    Object.keys(RULES).filter((code) => !text.includes(`'${code}'`)),
    [],
  )
})

test('control characters in names are escaped, and messages are bounded', () => {
  const { path, message } = findingRecord('a\u0000\u202eb\ud800', {
    code: 'empty_file',
    detail: 'x'.repeat(5000),
  })
  assert.equal(path, 'a\\u0000\\u202eb\ufffd')
  assert.ok(message.length < 1400)
  assert.equal(findingRecord(null, { code: 'empty_submission' }).path, null)
})

// Own process: the texts of a page are loaded once, here in Japanese.
import assert from 'node:assert/strict'
import { test } from 'node:test'

// A page in Japanese.
Object.assign(globalThis, { document: {}, location: { search: '?lang=ja' } })
const { loadTexts, rules } = await import('../src/texts/index.ts')
const { detailText, ruleText, spoken } = await import('../src/evidence/finding-text.ts')
await loadTexts()

const FINDING = {
  code: 'empty_file',
  message: 'The file is empty, and a file of this type cannot be. It has 0 bytes.',
  remedy: 'Upload the file with its content, or leave it out.',
}

test('a finding is said in the language of the page, and its detail as the service says it', async () => {
  const { rules: loaded = rules } = await import('../src/texts/index.ts')
  const { message, remedy } = loaded?.empty_file ?? FINDING
  assert.doesNotMatch(message, /empty/)
  assert.deepEqual(spoken(FINDING), { ...FINDING, message: `${message} It has 0 bytes.`, remedy })
  assert.equal(ruleText(FINDING), message)
  assert.equal(detailText(FINDING), 'It has 0 bytes.')
})

test('a rule that the page does not know stays as the service says it', () => {
  for (const code of ['of_a_newer_service', 'toString'])
    assert.deepEqual(spoken({ ...FINDING, code }), { ...FINDING, code })
  assert.equal(
    ruleText({ ...FINDING, code: 'of_a_newer_service' }),
    'The file is empty, and a file of this type cannot be.',
  )
})

// Own process: the texts of a page are loaded once, here in Japanese.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@kitseal/client'

// A page in Japanese.
Object.assign(globalThis, { document: {}, location: { search: '?lang=ja' } })
const { loadTexts } = await import('../src/texts/index.ts')
const { messageOf, supplierMessageOf } = await import('../src/error-message.ts')
const { detailText, ruleText, spoken } = await import('../src/evidence/finding-text.ts')
await loadTexts()

const FINDING = {
  code: 'empty_file',
  message: 'The file is empty, and a file of this type cannot be. It has 0 bytes.',
  remedy: 'Upload the file with its content, or leave it out.',
}

test('a finding is said in the language of the page, with its detail', async () => {
  const { evidenceTexts } = await import('../src/texts/index.ts')
  const { message = '', remedy } = evidenceTexts?.rules.empty_file ?? {}
  assert.match(message, /空/)
  assert.deepEqual(spoken(FINDING), { ...FINDING, message: `${message}サイズは0バイトです。`, remedy })
  assert.equal(ruleText(FINDING), message)
  assert.equal(detailText(FINDING), 'サイズは0バイトです。')
})

test('a rule that the page does not know stays as the service says it', () => {
  for (const code of ['of_a_newer_service', 'toString'])
    assert.deepEqual(spoken({ ...FINDING, code }), { ...FINDING, code })
  assert.equal(
    ruleText({ ...FINDING, code: 'of_a_newer_service' }),
    'The file is empty, and a file of this type cannot be.',
  )
})

const error = (code: string): ApiError =>
  new ApiError('The service says it in English.', { status: 400, code, requestId: '' })

test('an error of the service is said in the language of the page, and one without a text as the service says it', async () => {
  const { errors, texts } = await import('../src/texts/index.ts')
  assert.ok(errors !== undefined)
  assert.equal(messageOf(error('mail_off')), errors.mail_off)
  assert.equal(supplierMessageOf(error('mail_off')), errors.mail_off)
  assert.equal(supplierMessageOf(error('link_not_found')), texts.request.problems.link_not_found)
  for (const code of ['body_invalid', 'of_a_newer_service', 'toString'])
    assert.equal(supplierMessageOf(error(code)), 'The service says it in English.')
})

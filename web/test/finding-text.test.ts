// Own process: the texts of a page are loaded once, here in Japanese.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@kitseal/client'
import { pageTexts } from '../page-texts.ts'

// A page in Japanese.
Object.assign(globalThis, { document: {}, location: { search: '?lang=ja' } })
const { known, setTexts, t } = await import('../src/core/texts.ts')
const words = await import('../src/core/verifier-words.ts')
const { messageOf } = await import('../src/core/error-message.ts')
const { supplierMessageOf } = await import('../src/outside/request/supplier-api.ts')
const { detailText, ruleText, spoken } = await import('../src/core/finding-text.ts')
setTexts(pageTexts('request', 'ja'))
await words.loadVerifierWords()

const FINDING = {
  code: 'empty_file',
  message: 'The file is empty, and a file of this type cannot be. It has 0 bytes.',
  remedy: 'Upload the file with its content, or leave it out.',
}

test('a finding is said in the language of the page, with its detail', () => {
  const { message = '', remedy } = words.evidenceTexts?.rules.empty_file ?? {}
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

test('an error of the service is said in the language of the page, and one without a text as the service says it', () => {
  assert.equal(messageOf(error('mail_off')), known('error.mail_off'))
  assert.equal(supplierMessageOf(error('mail_off')), known('error.mail_off'))
  assert.equal(supplierMessageOf(error('link_not_found')), t('request.problems.link_not_found'))
  for (const code of ['body_invalid', 'of_a_newer_service', 'toString'])
    assert.equal(supplierMessageOf(error(code)), 'The service says it in English.')
})

// Own process: the texts of a page are loaded once, here in Japanese.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@kitseal/client'
import { pageTexts } from '../page-texts.ts'

// A page in Japanese.
Object.assign(globalThis, { document: {}, location: { search: '?lang=ja' } })
const { known, setTexts, t } = await import('../src/core/texts.ts')
const { messageOf } = await import('../src/core/fetch-json.ts')
const { supplierMessageOf } = await import('../src/outside/request/supplier-api.ts')
const { detailText, ruleText, spoken } = await import('../src/core/findings.ts')
const texts = pageTexts('request', 'ja')
setTexts(texts)

const FINDING = {
  code: 'executable_content',
  message: 'The file is a program, contains one, or has the extension of one. The name ends in .exe.',
  remedy: 'Remove programs.',
  args: { detail: { key: 'detail.endsIn', args: { extension: 'exe' } } },
}

test('a finding is said in the language of the page, with its detail', () => {
  const rule = texts['finding.executable_content.message'] ?? ''
  assert.match(rule, /プログラム/)
  assert.deepEqual(spoken(FINDING), {
    ...FINDING,
    message: `${rule}名前の末尾が「.exe」です。`,
    remedy: texts['finding.executable_content.remedy'],
  })
  assert.equal(ruleText(FINDING), rule)
  assert.equal(detailText(FINDING), '名前の末尾が「.exe」です。')
})

test('what the page does not know stays as the service says it', () => {
  const { args: _, ...older } = FINDING
  const newer = { ...FINDING, args: { detail: { key: 'detail.ofANewerService', args: {} } } }
  const nested = {
    ...FINDING,
    args: { detail: { key: 'detail.contains', args: { what: newer.args.detail } } },
  }
  for (const one of [{ ...FINDING, code: 'of_a_newer_service' }, older, newer, nested])
    assert.deepEqual(spoken(one), one)
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

// Own process: the texts of a page are loaded once, here in German.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toApiError } from '@kitseal/client/internal'
import { errorResponse } from '../../server/src/http/error-response.ts'
import { Refusal, type RefusalCode, type RefusalDetails } from '../../server/src/refusals.ts'
import { pageTexts } from '../page-texts.ts'

Object.assign(globalThis, { document: {}, location: { search: '?lang=de' } })
const { setTexts } = await import('../src/core/texts.ts')
const { messageOf } = await import('../src/core/fetch-json.ts')
setTexts(pageTexts('request', 'de'))

const ENGLISH = 'The service says it in English.'

/** What a page shows when the service refuses. */
function shown(code: RefusalCode, args: RefusalDetails['args'] = {}): string {
  const refusal = new Refusal(code, ENGLISH, { args })
  const body = JSON.stringify(errorResponse(code, refusal.message, 'req_1', refusal))
  return messageOf(toApiError('/', refusal.status, body, new Headers(), 0))
}

test('a refusal is said in the language of the page, with its values', () => {
  assert.equal(
    shown('rate_limited', { what: 'attempts', seconds: 1 }),
    'Das waren zu viele Versuche. Versuchen Sie es in 1 Sekunde noch einmal.',
  )
  assert.match(shown('storage_limit_reached', { of: 'request', bytes: 1_234_567 }), /1\.234\.567 Byte/)
  assert.match(shown('share_expired', { expires: '2026-03-05T12:00:00Z' }), /am 05\.03\.2026 abgelaufen/)
})

test('a value is text: no message, no markup, nothing invisible, and not long', () => {
  for (const item of ['{x, plural, other {#}}', "'{x}'", '<b>fett</b>', '{"key":"kit.boundary","args":{}}'])
    assert.equal(
      shown('request_item_locked', { item }),
      `Über „${item}“ ist bereits entschieden. Die Position lässt sich erst ändern, wenn sie zurückgegeben wird.`,
    )
  assert.match(shown('request_item_locked', { item: 'exe\u202egpj' }), /„exe\\u202egpj“/)
  assert.ok(shown('request_item_locked', { item: 'x'.repeat(5000) }).length < 700)
})

test('a refusal whose values are missing or unfit is shown as the service says it', () => {
  assert.equal(shown('rate_limited', { what: 'attempts' }), ENGLISH)
  assert.equal(shown('rate_limited'), ENGLISH)
  assert.equal(shown('share_expired', { expires: 'soon' }), ENGLISH)
})

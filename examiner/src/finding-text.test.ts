import assert from 'node:assert/strict'
import { test } from 'node:test'
import { englishTexts, type Values } from '@kitseal/kit/internal'
import messages from '../../texts/findings.generated.ts'
import { findingRecord } from './findings.ts'
import { detailText, findingIn, ruleText } from './finding-text.ts'
import { detailOf, detailsOf, type Finding } from './rules.ts'

const german = englishTexts({ ...messages['en'], ...messages['de'] })
const find = (key: string, args?: Values): string | undefined => german.find(key, args)
const said = (code: Finding['code'], detail?: Finding['detail']): string =>
  detailText(findingRecord('a', { code, detail }), find)

const line = (number: number, start: string) =>
  detailOf('detail.line', { line: number, what: detailOf('thing.settings', { name: start }) })

const own = (key: string): string | undefined =>
  key.startsWith('finding.') ? messages['en']?.[key] : undefined

test('a detail is said with the rule: numbers and names stay, and messages in it are translated', () => {
  const list = detailsOf([line(1, 'x=…'), line(3, 'y=…')])
  const finding = findingRecord('a', { code: 'possible_secret', detail: list })
  assert.equal(
    finding.message,
    'The file may contain a secret. Line 1: password or key in settings x=…; line 3: password or key in settings y=…',
  )
  const { message, remedy } = findingIn(finding, find)
  assert.equal(
    message,
    `${find('finding.possible_secret.message')} Zeile 1: Passwort oder Schlüssel in Einstellungen x=…; Zeile 3: Passwort oder Schlüssel in Einstellungen y=…`,
  )
  assert.equal(remedy, find('finding.possible_secret.remedy'))
})

test('a detail that is only in English is quoted, and a finding without a detail has none', () => {
  assert.equal(said('scan_failed', 'it is gone'), 'Technische Angabe auf Englisch: „it is gone“.')
  assert.equal(said('link'), '')
})

test('arguments are data: invisible characters are escaped, long ones cut, and braces are only text', () => {
  const name = `{count, plural, other {#}}\u202e${'x'.repeat(5000)}`
  const { args, message } = findingRecord('a', {
    code: 'name_collision',
    detail: detailOf('detail.otherFile', { name }),
  })
  const shown = String(args.detail?.args?.['name'])
  assert.ok(shown.startsWith('{count, plural, other {#}}\\u202exxx') && shown.length < 1300)
  assert.ok(message.length < 1400)
  assert.match(said('name_collision', detailOf('detail.otherFile', { name: '{x}' })), /\{x\}/)
})

test('a page in English takes the detail from the message', () => {
  const finding = findingRecord('a', { code: 'macros', detail: detailOf('detail.vba') })
  assert.equal(ruleText(finding, own), 'The Office file contains macros.')
  assert.equal(detailText(finding, own), 'It contains a VBA project.')
})

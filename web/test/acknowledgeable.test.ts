import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finding } from '../src/core/findings.ts'
import { acknowledgeable } from '../src/console/new/acknowledgeable.ts'
import { pageTexts } from '../page-texts.ts'
import { setTexts, t } from '../src/core/texts.ts'

setTexts(pageTexts('console', 'en'))

const finding = (code: string, path: string | null, kind: Finding['class'] = 'damage'): Finding => {
  return { code, class: kind, path, message: 'm', remedy: 'r', acknowledged: false }
}

const label = (count: number): string => t('console.new.accept.items.label', { count })

test('a missing profile item is not offered as a damaged file', () => {
  const { files, items } = acknowledgeable([
    finding('malformed_pdf', 'a.pdf'),
    finding('profile_item_missing', null),
    finding('malformed_pdf', 'b.pdf'),
    finding('profile_item_missing', null),
  ])
  assert.deepEqual(files, [{ code: 'malformed_pdf', rule: 'm', count: 2 }])
  assert.deepEqual(items, [{ code: 'profile_item_missing', rule: 'm', count: 2 }])
  assert.match(t('console.new.accept.files.title'), /damaged files/)
  assert.doesNotMatch(`${t('console.new.accept.items.title')} ${label(1)} ${label(2)}`, /file/)
})

test('dangers and notices are not offered', () => {
  const none = acknowledgeable([
    finding('executable_content', 'a.exe', 'danger'),
    finding('empty_submission', null, 'danger'),
    finding('script_content', 'a.sh', 'notice'),
  ])
  assert.deepEqual(none, { secrets: [], files: [], items: [] })
})

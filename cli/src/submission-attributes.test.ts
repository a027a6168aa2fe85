import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributesIn, metadataProblems } from './submission-attributes.ts'

const attributesOf = (values: Readonly<Record<string, readonly string[]>>) =>
  attributesIn((name) => values[name] ?? [])

test('options become members of the submission, and absent ones are left out', () => {
  const metadata = ['owner=ann', 'query=a=b', 'empty=']
  assert.deepEqual(attributesOf({ tag: ['q3', 'finance'], 'external-id': ['JIRA-77'], metadata }), {
    external_id: 'JIRA-77',
    tags: ['q3', 'finance'],
    metadata: { owner: 'ann', query: 'a=b', empty: '' },
  })
  assert.deepEqual(attributesOf({ series: ['Access review'] }), { series: 'Access review' })
  assert.deepEqual(attributesOf({}), {})
})

test('metadata without a name or given twice is a usage error', () => {
  assert.deepEqual(metadataProblems(['a=1', 'b=2']), [])
  assert.match(metadataProblems(['owner']).join(), /must be NAME=TEXT/)
  assert.match(metadataProblems(['=x']).join(), /must be NAME=TEXT/)
  assert.match(metadataProblems(['a=1', 'a=2']).join(), /a is given twice/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILE_TYPES } from '../../examiner/src/file-types.ts'
import { profiles } from '../src/texts/en/console/profiles.ts'

const { fileTypes, checklist } = profiles

test('every type that the profile editor offers exists, with the same name as in findings', () => {
  const titles = new Map(FILE_TYPES.map(({ id, title }) => [id, title]))
  for (const [id, name] of Object.entries(fileTypes)) assert.equal(titles.get(id), name, id)
})

test('an item says which files it wants in words', () => {
  assert.equal(checklist.wanted(['PDF', 'Word document'], undefined), 'PDF or Word document.')
  assert.match(
    checklist.wanted(['PDF', 'Word document'], 90),
    /^PDF or Word document, not older than 90 days\. /,
  )
  assert.match(checklist.wanted([], 1), /^Not older than 1 day\. /)
})

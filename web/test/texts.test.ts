import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { EVENT_TYPES } from '../../server/src/audit/event-types.ts'
import { FILE_TYPES } from '../../examiner/src/file-types.ts'
import { pageTexts } from '../page-texts.ts'
import { below, setTexts } from '../src/core/texts.ts'

setTexts(pageTexts('console', 'en'))

const source = path.join(import.meta.dirname, '../src')

/** Text between tags or in visible attributes. */
const SHOWN = /(?<!=)>\s*([A-Z][a-z]+[^<>{}\n]*)\s*<|\b(?:title|label|placeholder|aria-label|alt)="([^"]+)"/g

const shownTexts = (code: string): readonly string[] =>
  Array.from(code.matchAll(SHOWN), ([, between, attribute]) => between ?? attribute ?? '')

test('components contain no text: all texts are in texts/, ready for translation', () => {
  const found = globSync('**/*.tsx', { cwd: source }).flatMap((file) =>
    shownTexts(readFileSync(path.join(source, file), 'utf8')).map((text) => `${file}: ${text}`),
  )
  assert.deepEqual(found, [])
})

test('text in a component is detected', () => {
  assert.deepEqual(shownTexts('<p>Try again</p><button title="Close">{x}</button>'), ['Try again', 'Close'])
})

test('every audit action has a text', () => {
  assert.deepEqual(
    below('console.audit.actions')
      .map(([action]) => action)
      .toSorted(),
    Object.keys(EVENT_TYPES).toSorted(),
  )
})

test('every type that the profile editor offers exists, with the same name as in findings', () => {
  const titles = new Map(FILE_TYPES.map(({ id, title }) => [id, title]))
  for (const [id, name] of below('console.fileTypes')) assert.equal(titles.get(id), name, id)
})

test('every administration command that a page names is in the reference of the command line', () => {
  const root = path.join(import.meta.dirname, '../..')
  const reference = readFileSync(path.join(root, 'docs/reference/cli.md'), 'utf8')
  const texts = globSync('texts/*/{console,public}.json', { cwd: root }).map((file) =>
    readFileSync(path.join(root, file), 'utf8'),
  )
  const named = texts.flatMap((text) => text.match(/kitseal (?:admin|audit|trust) [a-z-]+/g) ?? [])
  assert.deepEqual(
    [...new Set(named)].filter((command) => !reference.includes(command)),
    [],
  )
})

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { AUDIT_ACTIONS } from '../../server/src/workspaces/audit-trail.ts'
import { audit } from '../src/texts/en/console/audit.ts'

const source = path.join(import.meta.dirname, '../src')

/** Words between tags, or in attributes that are shown or read out. */
const SHOWN = /(?<!=)>\s*([A-Z][a-z]+[^<>{}\n]*)\s*<|\b(?:title|label|placeholder|aria-label|alt)="([^"]+)"/g

const shownTexts = (code: string): readonly string[] =>
  Array.from(code.matchAll(SHOWN), ([, between, attribute]) => between ?? attribute ?? '')

test('no component holds a text: all of them are in texts/, so that another language can be added', () => {
  const found = globSync('**/*.tsx', { cwd: source }).flatMap((file) =>
    shownTexts(readFileSync(path.join(source, file), 'utf8')).map((text) => `${file}: ${text}`),
  )
  assert.deepEqual(found, [])
})

test('a text in a component is caught', () => {
  assert.deepEqual(shownTexts('<p>Try again</p><button title="Close">{x}</button>'), ['Try again', 'Close'])
})

test('everything that the service writes into a trail has a sentence, and nothing else has', () => {
  assert.deepEqual(Object.keys(audit.actions).toSorted(), AUDIT_ACTIONS.toSorted())
})

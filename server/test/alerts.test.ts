import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { RECORDED } from './alert-faults.ts'
import { promtool, readRules, RULES, skipWithoutPromtool, TESTS } from './alert-tests.ts'

const skip = skipWithoutPromtool
if (skip !== false) console.log(`skipped: ${skip}`)

test('the alert rules are valid', { skip }, () => {
  const result = promtool('check', 'rules', RULES)
  assert.ok(result?.ok, result?.output)
})

test(
  'with the metrics recorded during each fault its alerts fire, and with those of a healthy service none',
  { skip },
  () => {
    const result = promtool('test', 'rules', TESTS)
    assert.ok(result?.ok, result?.output)
  },
)

test('every fault is recorded', () => {
  const { tests } = parse(readFileSync(TESTS, 'utf8')) as { tests: readonly { name: string }[] }
  const names = new Set(tests.map(({ name }) => name))
  for (const [name] of RECORDED) assert.ok(names.has(name), name)
})

test('every alert says what happened and what to do, and the guide explains it', () => {
  const guide = readFileSync(new URL('../../docs/how-to/monitor.md', import.meta.url), 'utf8')
  for (const { alert, annotations } of readRules()) {
    assert.ok(annotations['summary'] && annotations['description'], alert)
    assert.match(guide, new RegExp(`^- \`${alert}\`: `, 'm'))
  }
})

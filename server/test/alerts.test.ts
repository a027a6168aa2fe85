import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { needs } from '../../test/kit/needs.ts'

const pathOf = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url))
const RULES = pathOf('deploy/prometheus/alerts.yaml')
const TESTS = pathOf('deploy/prometheus/alerts.test.yaml')

const { skip } = needs('promtool')

function promtool(...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
}

test('the alert rules are valid', { skip }, () => promtool('check', 'rules', RULES))

test(
  'with the metrics recorded during each fault its alerts fire, and with those of a healthy service none',
  { skip },
  () => promtool('test', 'rules', TESTS),
)

test('every alert says what happened and what to do, and the guide explains it', () => {
  const guide = readFileSync(pathOf('docs/how-to/look-after-the-service.md'), 'utf8')
  const { groups } = parse(readFileSync(RULES, 'utf8')) as Rules
  const rules = groups.flatMap((group) => group.rules)
  assert.ok(rules.length > 5)
  for (const { alert, annotations } of rules) {
    assert.ok(annotations['summary'] && annotations['description'], alert)
    assert.match(guide, new RegExp(`^- \`${alert}\`: `, 'm'))
  }
})

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string
      readonly annotations: Readonly<Record<string, string>>
    }[]
  }[]
}

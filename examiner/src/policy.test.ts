import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOf } from '../test/evidence-samples.ts'
import { examine, noticed } from '../test/examine.ts'
import { bothPolicies, classProblem, classUnder, OPEN_POLICY } from './policy.ts'
import { parseProfile } from './profile/profile.ts'
import { RULES, type RuleCode } from './rules.ts'

test('a policy can make every finding stricter and none looser', () => {
  for (const [code, { class: own }] of Object.entries(RULES)) {
    for (const asked of ['notice', 'damage', 'danger'] as const) {
      const policy = { evidence: 'open', classes: { [code]: asked } } as const
      const order = ['notice', 'damage', 'secret', 'danger']
      const stricter = order.indexOf(asked) > order.indexOf(own) ? asked : own
      assert.equal(classUnder(policy, code as RuleCode), stricter)
      const isLooser = order.indexOf(asked) < order.indexOf(own)
      if (!code.startsWith('more_')) assert.equal(classProblem(code, asked) !== undefined, isLooser, code)
    }
  }
  assert.match(classProblem('no_such_code', 'danger') ?? '', /not a finding code/)
  assert.match(classProblem('malformed_pdf', 'fatal') ?? '', /must be danger, damage or notice/)
})

test('of two policies, the stricter one counts for each code', () => {
  const plan = { evidence: 'open', classes: { script_content: 'danger', link: 'danger' } } as const
  const profile = { evidence: 'examined_only', classes: { script_content: 'damage' } } as const
  const both = bothPolicies(plan, profile)
  assert.equal(both.evidence, 'examined_only')
  assert.equal(classUnder(both, 'script_content'), 'danger')
  assert.deepEqual(bothPolicies(OPEN_POLICY, OPEN_POLICY), OPEN_POLICY)
})

const profile = (members: object) =>
  parseProfile(
    bytesOf(JSON.stringify({ profile: 'strict', title: 't', description: 'd', items: [], ...members })),
  )

test('a profile has a policy, which acknowledgement does not override, and the report states it', async () => {
  const parsed = profile({ evidence_policy: 'examined_only', finding_classes: { script_content: 'danger' } })
  assert.ok(parsed.ok)
  const files = { 'a.sh': '#!/bin/sh\n', 'b.mp3': Buffer.from('494433040000000000', 'hex') }
  const accept = ['script_content', 'unsupported_type']
  const result = await examine(files, { profile: parsed.value, accept })
  assert.deepEqual(noticed(result), ['danger script_content a.sh', 'danger unsupported_type b.mp3'])
  assert.deepEqual((result.intakeReport as Record<string, unknown>)['policy'], {
    evidence_policy: 'examined_only',
    finding_classes: { script_content: 'danger' },
  })
})

function problems(members: object): string {
  const parsed = profile(members)
  return parsed.ok ? '' : parsed.problems.join()
}

test('a profile with a looser class, an unknown code or an unknown policy is rejected', () => {
  assert.match(problems({ finding_classes: { link: 'notice' } }), /link is danger; a policy can only/)
  assert.match(problems({ finding_classes: { nothing: 'danger' } }), /not a finding code/)
  assert.match(problems({ finding_classes: [] }), /must be an object/)
  assert.match(problems({ evidence_policy: 'closed' }), /must be open or examined_only/)
})

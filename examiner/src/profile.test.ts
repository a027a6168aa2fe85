import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { SubmissionProvenance } from '@kitseal/kit/internal'
import { pdf, zipOf } from '../test/evidence-samples.ts'
import { codes, examine } from '../test/examine.ts'
import { FILE_TYPES } from './file-types.ts'
import { matchesGlob, type ConfirmedFile, exampleOf, statedDate } from './profile/match-profile.ts'
import { loadProfiles } from '../node/load-profiles.ts'
import { DEFAULT_PROFILE, parseProfile, type Profile } from './profile/profile.ts'

const PROFILES_FOLDER = join(import.meta.dirname, '../profiles')
const schema = JSON.parse(readFileSync(join(PROFILES_FOLDER, '../../spec/schemas/profile.json'), 'utf8'))
const matchesSchema = new Ajv2020().compile(schema)
const parse = (value: unknown) => parseProfile(Buffer.from(JSON.stringify(value)))

const item = { id: 'report', title: 'The report', paths: ['**/*report*'], types: ['pdf'] }
const sample = { profile: 'sample', title: 'A sample', description: 'For this test.', items: [item] }

function profileOf(...items: readonly object[]): Profile {
  const parsed = parse({ ...sample, items })
  if (!parsed.ok) throw new Error(parsed.problems.join())
  return parsed.value
}

test('the shipped profiles are valid, and default.json is the built-in default', () => {
  const profiles = loadProfiles()
  assert.deepEqual(
    [...profiles.keys()],
    ['access-review', 'default', 'iso-27001-annex-a', 'soc-2-common-criteria', 'vendor-security-review'],
  )
  assert.deepEqual(profiles.get('default'), DEFAULT_PROFILE)
  for (const file of readdirSync(PROFILES_FOLDER).filter((name) => name.endsWith('.json'))) {
    const ok = matchesSchema(JSON.parse(readFileSync(join(PROFILES_FOLDER, file), 'utf8')))
    assert.ok(ok, `${file}: ${JSON.stringify(matchesSchema.errors)}`)
  }
  assert.deepEqual(
    schema.$defs.item.properties.types.items.enum,
    FILE_TYPES.map(({ id }) => id),
  )
})

test('the parser and the schema reject the same profiles, and the parser lists every problem', () => {
  const bad: readonly unknown[] = [
    [],
    {},
    { ...sample, profile: 'Not A Name' },
    { ...sample, extra: 1 },
    { ...sample, title: '' },
    { ...sample, items: [{ ...item, paths: [] }] },
    { ...sample, items: [{ ...item, types: ['exe'] }] },
    { ...sample, items: [{ ...item, min_files: -1 }] },
    { ...sample, items: [{ ...item, max_age_days: 0 }] },
    { ...sample, items: [{ ...item, colour: 'red' }] },
    { ...sample, items: [{ ...item, description: '' }] },
    { ...sample, items: [{ ...item, example: 1 }] },
    { ...sample, items: [{ ...item, controls: [''] }] },
    { ...sample, items: ['text'] },
  ]
  assert.ok(matchesSchema(sample) && parse(sample).ok)
  for (const value of bad) {
    assert.equal(matchesSchema(value), false, JSON.stringify(value))
    assert.equal(parse(value).ok, false, JSON.stringify(value))
  }
  const parsed = parse({ profile: 'X', items: [{ id: 'a', title: 't', paths: [1], min_files: -1 }] })
  assert.ok(!parsed.ok && parsed.problems.length === 5, JSON.stringify(parsed))
  assert.ok(!parse({ ...sample, items: [item, item] }).ok, 'duplicate item id')
})

test('a missing item is a blocker that says what to add', async () => {
  const profile = profileOf(item, { id: 'logs', title: 'Logs', paths: ['logs/*.log'], min_files: 2 })
  const files = { 'e.zip': zipOf({ 'x/Report-1.PDF': pdf(), 'logs/a.log': 'a', 'other/b.log': 'b' }) }
  const confirmed = [{ item: 'report', path: 'x/Report-1.PDF' }]
  const { blockers, intakeReport } = await examine(files, { profile, confirmed })
  assert.deepEqual(codes({ blockers }), ['profile_item_missing '])
  assert.match(
    blockers[0]?.message ?? '',
    /"Logs" \(logs\) requires 2 files, such as logs\/file\.log; 1 found/,
  )
  const { items } = (intakeReport as unknown as { profile: { items: Record<string, unknown>[] } }).profile
  assert.deepEqual(
    items.map(({ id, met, matched }) => [id, met, matched]),
    [
      ['report', true, [{ path: 'data/x/Report-1.PDF' }]],
      ['logs', false, [{ path: 'data/logs/a.log' }]],
    ],
  )
})

test('a file whose name matches is a suggestion until a person confirms it', async () => {
  const profile = profileOf({ id: 'decisions', title: 'Review decisions', paths: ['**/*review*'] })
  const files = { 'Access Review Policy.pdf': pdf(), 'other.pdf': pdf() }
  const report = async (confirmed: readonly ConfirmedFile[]) => {
    const { blockers, intakeReport } = await examine(files, { profile, confirmed })
    const [found] = (intakeReport as unknown as { profile: { items: Record<string, unknown>[] } }).profile
      .items
    return { blockers, met: found?.['met'], matched: found?.['matched'], suggested: found?.['suggested'] }
  }
  const suggested = await report([])
  assert.match(
    suggested.blockers[0]?.message ?? '',
    /0 found\. The name of Access Review Policy\.pdf matches, and nobody has confirmed it/,
  )
  const path = 'Access Review Policy.pdf'
  assert.deepEqual([suggested.met, suggested.matched, suggested.suggested], [false, [], [`data/${path}`]])
  const { blockers, ...met } = await report([{ item: 'decisions', path }])
  assert.deepEqual([blockers, met], [[], { met: true, matched: [{ path: `data/${path}` }], suggested: [] }])
  assert.equal((await report([{ item: 'another', path }])).met, false, 'confirmed for another item')
  assert.equal((await report([{ item: 'decisions', path: 'other.pdf' }])).met, true, 'whatever its name')
})

test('a file in a folder with the ID of an item is for that item', async () => {
  const profile = profileOf({ id: 'board-minutes', title: 'Minutes' })
  assert.deepEqual(codes(await examine({ 'board-minutes/scan1.txt': 'x' }, { profile })), [])
  assert.deepEqual(codes(await examine({ 'board-minutes.txt': 'x' }, { profile })), ['profile_item_missing '])
  const typed = profileOf({ ...item, paths: ['nothing'] })
  assert.deepEqual(codes(await examine({ 'report/scan1.txt': 'x' }, { profile: typed })), [
    'profile_item_missing ',
  ])
})

test('no message to a person contains a pattern', async () => {
  for (const profile of loadProfiles().values()) {
    const { blockers } = await examine({ 'x.txt': 'x' }, { profile })
    for (const { message, remedy } of blockers) assert.doesNotMatch(message + remedy, /[*?]/)
    for (const one of profile.items)
      assert.ok(one.description !== undefined && one.example !== undefined, one.id)
  }
  for (const [pattern, example] of [
    ['**/*access*', 'access.pdf'],
    ['logs/*.log', 'logs/file.log'],
    ['**/policies/**', 'policies/file.pdf'],
    ['**', 'file.pdf'],
  ] as const)
    assert.equal(exampleOf({ id: 'x', paths: [pattern], types: [] }), example)
})

test('the example of every item of the shipped profiles matches it', async () => {
  for (const profile of loadProfiles().values())
    for (const one of profile.items) {
      const only = { ...profile, items: [{ ...one, types: [], minFiles: 1, maxAgeDays: undefined }] }
      const { blockers } = await examine({ [one.example ?? '']: 'x' }, { profile: only })
      const missing = blockers.find(({ code }) => code.startsWith('profile_'))
      assert.match(missing?.message ?? 'in a folder: matches', /matches/, `${profile.profile} ${one.id}`)
    }
})

test('a file of another type does not count, and an optional item may be missing', async () => {
  const profile = profileOf(item, { ...item, id: 'maybe', min_files: 0 })
  assert.deepEqual(codes(await examine({ 'report.txt': 'x' }, { profile })), ['profile_item_missing '])
})

test('age is counted from the stated provenance, where it has a date, and not from the path', async () => {
  const profile = profileOf({ ...item, max_age_days: 90 })
  const verdict = async (provenance: SubmissionProvenance, name = 'report.pdf'): Promise<readonly string[]> =>
    codes(
      await examine({ [`report/${name}`]: pdf() }, { profile, now: '2026-06-30T12:00:00.000Z', provenance }),
    )
  const period = { from: '2026-01-01', to: '2026-03-29' }
  assert.deepEqual(await verdict({ collected_at: '2026-06-01' }), [])
  assert.deepEqual(await verdict({ collected_at: '2026-06-01' }, 'report 2020-01-01.pdf'), [])
  assert.deepEqual(await verdict({ collected_at: '2025-06-01' }, 'report 2026-06-01.pdf'), [
    'profile_item_too_old ',
  ])
  // Evidence about an old period is old, also if it was collected today.
  assert.deepEqual(await verdict({ collected_at: '2026-06-30', period }), ['profile_item_too_old '])
  assert.deepEqual(await verdict({ period: { from: '2026-04-01', to: '2026-06-30T23:00:00-02:00' } }), [])
  assert.deepEqual(await verdict({ period: { from: '2026-06-01', to: '2027-06-01' } }), [
    'profile_item_too_old ',
  ])
  assert.deepEqual(await verdict({ system: 'AWS' }), ['profile_item_undated '])
  const files = { 'report/report.pdf': { collected_at: '2026-06-29' } }
  assert.deepEqual(await verdict({ collected_at: '2020-01-01', files }), [])
})

test('age is counted from the date in the path', async () => {
  const profile = profileOf({ ...item, max_age_days: 90 })
  const verdict = async (name: string): Promise<readonly string[]> =>
    codes(await examine({ [`report/${name}`]: pdf() }, { profile, now: '2026-06-30T12:00:00.000Z' }))
  assert.deepEqual(await verdict('report 2026-05-01.pdf'), [])
  assert.deepEqual(await verdict('report 2026-04-01.pdf'), [])
  assert.deepEqual(await verdict('report 2026-03-30.pdf'), ['profile_item_too_old '])
  assert.deepEqual(await verdict('report 2027-01-01.pdf'), ['profile_item_too_old '])
  assert.deepEqual(await verdict('report.pdf'), ['profile_item_undated '])
  assert.deepEqual(await verdict('report 2026-13-45.pdf'), ['profile_item_undated '])
  assert.equal(statedDate('data/2025-01-01/q 2026_02_03 v120260405.pdf'), '2026-02-03')
})

test('patterns ignore case and match in bounded time', () => {
  assert.ok(matchesGlob('a/b/C.pdf', '**/*.PDF'))
  assert.ok(matchesGlob('c.pdf', '**/*.pdf'))
  assert.ok(matchesGlob('a/b/c', 'a/**'))
  assert.ok(matchesGlob('a/x-b-y', 'a/*b*'))
  assert.ok(!matchesGlob('a/b/c.pdf', '*.pdf'))
  assert.ok(!matchesGlob('a/b/c', 'a/?'))
  const startCpu = process.cpuUsage()
  assert.ok(!matchesGlob(`${'a'.repeat(1000)}b`, `${'*a'.repeat(99)}c`))
  assert.ok(!matchesGlob('a/'.repeat(500), `${'**/'.repeat(60)}b`))
  assert.ok(process.cpuUsage(startCpu).user < 2_000_000, 'microseconds of CPU time')
})

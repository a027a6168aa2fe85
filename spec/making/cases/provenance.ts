import { BOUNDARY } from '../../../kit/src/contract.ts'
import type { JsonValue } from '../../../kit/src/encoding/strict-json.ts'
import { PROVENANCE_PATH, PROVENANCE_VERSION } from '../../../kit/src/provenance.ts'
import { ARTIFACTS, type Case, fails, json, passes, repacked, sealed } from '../case.ts'
import { LETTER } from '../draft.ts'

type Members = Readonly<Record<string, JsonValue>>

const AT = '2026-05-05T09:29:00.000Z'
const supplier = (members: Members): Members => ({
  paths: 'all files',
  source: 'supplier',
  statement: 'stated',
  ...members,
})
const token: Members = {
  paths: 'all files',
  source: 'ci_token',
  statement: 'verified',
  issuer: 'https://token.actions.githubusercontent.com',
  repository: 'acme/app',
  ref: 'refs/heads/main',
  commit: '5d41402abc4b2a76b9719d911017c592a1b2c3d4',
  workflow: 'acme/app/.github/workflows/evidence.yml@refs/heads/main',
  run: '4711',
  attempt: '1',
}
const upload: Members = {
  paths: [LETTER],
  source: 'upload',
  statement: 'verified',
  at: AT,
  route: 'api',
  protocol: 'tus',
  workspace_id: 'ws_1',
  key_id: 'key_1',
  key_name: 'CI',
}
const recognised: Members = {
  paths: [LETTER],
  source: 'recognised',
  statement: 'stated',
  format: 'ocsf',
  tool: 'Prowler',
  version: '5.9',
  target: 'account 123456789012',
  time: '2026-05-05T09:00:00',
  counts: [{ name: 'pass', count: 412 }],
  summary: 'Prowler 5.9 · account 123456789012 · 412 pass',
}
const stated = supplier({
  collector: { name: 'Prowler', version: '5.9', command: 'prowler aws\n  --output-formats json-ocsf' },
  collected_at: '2026-05-05T11:00:00+02:00',
  period: { from: '2026-04-01', to: '2026-04-30T23:59:59.5Z' },
  system: 'AWS account 123456789012',
  query: 'SELECT *\n\tFROM users',
})
const ENTRIES: readonly Members[] = [
  token,
  upload,
  { paths: [LETTER], source: 'service', statement: 'verified', at: AT },
  {
    paths: 'all files',
    source: 'confirmed_address',
    statement: 'verified',
    address: 'a@b.example',
    confirmed_at: AT,
  },
  stated,
  { paths: 'all files', source: 'client', statement: 'stated', name: 'kitseal', version: '0.1.0' },
  recognised,
]

const report = (entries: readonly JsonValue[], more: Members = {}): Members => ({
  provenance_version: PROVENANCE_VERSION,
  entries,
  boundary: BOUNDARY,
  ...more,
})

const document = (name: string, value: JsonValue, entries?: number, verified?: number): Case => ({
  name,
  kind: 'provenance',
  expected:
    entries === undefined ? { accepted: false } : { accepted: true, entries, verified: verified ?? 0 },
  content: json(value),
})

export const goodProvenance: readonly Case[] = [
  document('a-provenance-report-with-a-name-alone-is-accepted', report([supplier({ name: 'Ann Meier' })]), 1),
  document('a-provenance-report-with-every-source-is-accepted', report(ENTRIES), ENTRIES.length, 4),
  document('a-provenance-report-without-entries-is-accepted', report([]), 0),
  document(
    'a-provenance-report-with-a-period-of-one-day-is-accepted',
    report([supplier({ period: { from: '2026-04-01T12:00:00Z', to: '2026-04-01' } })]),
    1,
  ),
]

const bad = (what: string, ...entries: readonly JsonValue[]): Case =>
  document(`a-provenance-report-with-${what}-is-malformed`, report(entries))

export const badProvenance: readonly Case[] = [
  document('a-provenance-report-of-another-version-is-malformed', report([], { provenance_version: '2' })),
  document('a-provenance-report-that-is-a-list-is-malformed', [report([])]),
  document('a-provenance-report-without-a-list-is-malformed', report([], { entries: {} })),
  bad('a-name-of-two-lines', supplier({ name: 'Ann\nMeier' })),
  bad('a-verified-name', supplier({ name: 'Ann Meier', statement: 'verified' })),
  bad('an-unknown-source', { ...stated, source: 'auditor' }),
  bad('an-entry-that-is-text', 'all files'),
  bad('an-unknown-member', { ...token, actor: 'octocat' }),
  bad('a-supplier-who-claims-to-be-verified', { ...stated, statement: 'verified' }),
  bad('a-tool-that-claims-to-be-verified', { ...recognised, statement: 'verified' }),
  bad('a-token-without-an-issuer', {
    paths: 'all files',
    source: 'ci_token',
    statement: 'verified',
    repository: 'acme/app',
  }),
  bad('an-unknown-route', { ...upload, route: 'post' }),
  bad('a-local-upload-time', { ...upload, at: '2026-05-05T09:29:00' }),
  bad('a-path-outside-data', { ...upload, paths: ['binder.pdf'] }),
  bad('a-path-twice', { ...upload, paths: [LETTER, LETTER] }),
  bad('no-paths', { ...upload, paths: [] }),
  bad('paths-of-other-text', { ...upload, paths: 'some files' }),
  bad('an-empty-statement', supplier({})),
  bad('a-period-that-ends-before-it-begins', supplier({ period: { from: '2026-05-01', to: '2026-04-30' } })),
  bad('a-period-without-an-end', supplier({ period: { from: '2026-05-01' } })),
  bad('a-day-that-does-not-exist', supplier({ collected_at: '2026-02-30' })),
  bad('a-time-without-a-zone', supplier({ collected_at: '2026-02-28T12:00:00' })),
  bad('a-collector-without-a-name', supplier({ collector: { version: '1' } })),
  bad('an-unknown-member-of-the-collector', supplier({ collector: { name: 'x', host: 'y' } })),
  bad('a-line-break-in-a-name', supplier({ collector: { name: 'a\nb' } })),
  bad('a-character-that-turns-text-around', supplier({ system: 'a\u202eb' })),
  bad('an-empty-text', supplier({ system: '' })),
  bad('a-text-that-is-too-long', supplier({ system: '😀'.repeat(501) })),
  bad('a-count-that-is-negative', { ...recognised, counts: [{ name: 'pass', count: -1 }] }),
]

const sealedWith = (name: string, value: JsonValue, provenance: number | null): Case =>
  sealed(name, { artifacts: (files) => files.set(PROVENANCE_PATH, json(value)) }, { ...passes(), provenance })

export const kitsWithProvenance: readonly Case[] = [
  sealedWith('a-kit-with-a-provenance-report-reports-its-entries', report(ENTRIES), ENTRIES.length),
  sealedWith(
    'a-malformed-provenance-report-is-not-used',
    report([{ ...stated, statement: 'verified' }]),
    null,
  ),
  sealedWith(
    'a-provenance-report-about-a-file-that-is-not-in-the-kit-is-not-used',
    report([{ ...upload, paths: ['data/other.txt'] }]),
    null,
  ),
]

export const changedProvenance: readonly Case[] = [
  sealed(
    'a-changed-provenance-report-fails',
    {
      artifacts: (files) => files.set(PROVENANCE_PATH, json(report([stated]))),
      packed: (files) => files.set(PROVENANCE_PATH, json(report([token]))),
    },
    fails(['artifact_hash_mismatch'], ARTIFACTS),
  ),
  repacked(
    'a-provenance-report-that-was-added-fails',
    (files) => files.set(PROVENANCE_PATH, json(report([token]))),
    fails(['artifact_unlisted'], ARTIFACTS),
  ),
]

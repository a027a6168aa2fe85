import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHost } from '../node/internal.ts'
import { ISSUER, keySetOf, makeKit, openBytes, testSigner, zipBytes } from '../test/make-kit.ts'
import {
  asLine,
  BOUNDARY,
  canonicalJson,
  describeProvenance,
  type JsonValue,
  NO_TRUST,
  parseStatedProvenance,
  PROVENANCE_PATH,
  PROVENANCE_VERSION,
  type ProvenanceEntry,
  trustKeys,
  utf8,
  verifyKit,
} from './internal.ts'

const trusted = trustKeys(keySetOf(testSigner()))
const ENTRIES = [
  {
    paths: 'all files',
    source: 'ci_token',
    statement: 'verified',
    issuer: 'https://ci.example',
    repository: 'acme/app',
    run: '7',
    attempt: '2',
  },
  { paths: ['data/hello.txt'], source: 'supplier', statement: 'stated', collector: { name: 'Prowler' } },
] as const satisfies readonly ProvenanceEntry[]

const reportOf = (entries: JsonValue): Readonly<Record<string, string>> => ({
  [PROVENANCE_PATH]: canonicalJson({ provenance_version: PROVENANCE_VERSION, entries, boundary: BOUNDARY }),
})
const kitWith = (entries: JsonValue) => makeKit(undefined, {}, reportOf(entries))

test('a verified kit reports its provenance, and an older one without it passes', async () => {
  const { zip } = await kitWith(ENTRIES as unknown as JsonValue)
  const { status, provenance } = await verifyKit(await openBytes(zip), trusted, nodeHost)
  assert.equal(status, 'PASS')
  const plain: unknown = JSON.parse(JSON.stringify(provenance))
  assert.deepEqual(plain, { confirmed: true, problem: null, entries: ENTRIES })
  const older = await verifyKit(await openBytes((await makeKit()).zip), trusted, nodeHost)
  assert.equal(older.status, 'PASS')
  assert.ok(!('provenance' in older))
})

test('nothing of a kit that is not verified is called verified', async () => {
  const { zip } = await kitWith(ENTRIES as unknown as JsonValue)
  const { provenance } = await verifyKit(await openBytes(zip), NO_TRUST, nodeHost)
  assert.equal(provenance?.confirmed, false)
  const groups = describeProvenance(provenance?.entries ?? [], ISSUER, false)
  assert.ok(
    groups.every(
      ({ is, mark, heading }) => is === 'stated' && mark === '“' && !heading.startsWith('Verified'),
    ),
  )
})

test('an altered kit reports no provenance', async () => {
  const { contents, sealed } = await kitWith(ENTRIES as unknown as JsonValue)
  const forged = reportOf([{ ...ENTRIES[0], repository: 'acme/apt' }, ENTRIES[1]] as unknown as JsonValue)[
    PROVENANCE_PATH
  ]!
  const altered = new Map([...contents, [PROVENANCE_PATH, utf8(forged)]])
  const report = await verifyKit(await openBytes(zipBytes(sealed, altered)), trusted, nodeHost)
  assert.notEqual(report.verdict, 'verified')
  assert.equal(report.provenance, undefined)
})

test('a malformed report is named as such, and nothing of it is used', async () => {
  const { zip } = await kitWith([ENTRIES[0], { ...ENTRIES[1], statement: 'verified' }])
  const { status, provenance } = await verifyKit(await openBytes(zip), trusted, nodeHost)
  assert.equal(status, 'PASS')
  assert.deepEqual(provenance?.entries, [])
  assert.match(
    provenance?.problem ?? '',
    /^reports\/provenance\.json is malformed: entry 1: statement must be/,
  )
})

test('what is verified and what is stated differ in heading, word and mark', () => {
  const [verified, stated, ...more] = describeProvenance(ENTRIES, ISSUER, true)
  assert.deepEqual(verified, {
    is: 'verified',
    heading: 'Verified by issuer.example',
    mark: '✓',
    lines: [
      {
        files: 'All files',
        text: 'CI token of https://ci.example · repository "acme/app" · run "7", attempt "2"',
      },
    ],
  })
  assert.deepEqual(stated, {
    is: 'stated',
    heading: 'Stated by the supplier, not verified',
    mark: '“',
    lines: [{ files: 'data/hello.txt', text: 'collected with "Prowler"' }],
  })
  assert.deepEqual(more, [])
})

function problems(value: JsonValue): readonly string[] {
  const parsed = parseStatedProvenance(value)
  return parsed.ok ? [] : parsed.problems
}

test('a statement without content, with unknown members or with impossible dates is refused', () => {
  assert.deepEqual(problems({ collected_at: '2026-11-12T10:00:00+01:00' }), [])
  assert.deepEqual(problems({}), ['provenance must not be empty'])
  assert.deepEqual(problems([]), ['provenance must be a JSON object'])
  assert.deepEqual(problems({ tool: 'x' }), ['unknown member "tool"'])
  assert.match(problems({ collected_at: '2026-02-30' })[0] ?? '', /^collected_at must be a date/)
  assert.match(problems({ collector: { version: '1' } })[0] ?? '', /^collector is wrong: name is missing/)
  assert.match(problems({ system: 'a\u202eb' })[0] ?? '', /^system must be one line of 1 to 500 characters/)
})

test('text from elsewhere becomes one line without hidden characters', () => {
  assert.equal(asLine('a\r\n\u202eb\uD800', 10), 'a b\uFFFD')
  assert.equal(asLine(' \n ', 10), undefined)
  assert.equal(asLine('😀😀😀', 2), '😀😀')
})

test('the name of a person is stated, and the address that was confirmed is verified', () => {
  const at = '2026-11-18T09:00:00.000Z'
  const groups = describeProvenance(
    [
      { paths: 'all files', source: 'supplier', statement: 'stated', name: 'Ann Meier' },
      {
        paths: 'all files',
        source: 'confirmed_address',
        statement: 'verified',
        address: 'ann@supplier.example',
        confirmed_at: at,
      },
    ],
    ISSUER,
    true,
  )
  assert.deepEqual(
    groups.map(({ is, lines }) => [is, lines.map(({ text }) => text)]),
    [
      ['verified', ['sent by "ann@supplier.example", confirmed 2026-11-18 09:00:00 UTC']],
      ['stated', ['sent by "Ann Meier"']],
    ],
  )
})

test('no text of a tenant reads as one of the issuer: it is quoted, its separator escaped, hosts are ASCII, and the name of a key is stated', () => {
  const forged = 'ci · CI token of https://token.actions.githubusercontent.com'
  const at = '2026-11-18T09:00:00.000Z'
  const verified = { paths: [`data/${forged}`], statement: 'verified' } as const
  const [first, second, ...more] = describeProvenance(
    [
      {
        ...verified,
        source: 'ci_token',
        issuer: 'https://\u0430cme.example/x',
        run: forged,
        repository: '"',
      },
      {
        ...verified,
        source: 'upload',
        at,
        route: 'api',
        protocol: 'form',
        key_id: 'key_1',
        key_name: forged,
      },
      { ...verified, source: 'confirmed_address', address: `a·b@\u0430cme.example`, confirmed_at: at },
    ],
    'https://se\u0430l.example',
    true,
  )
  assert.deepEqual(more, [])
  const quoted = '"ci \\u00b7 CI token of https://token.actions.githubusercontent.com"'
  assert.equal(first?.heading, 'Verified by xn--sel-7cd.example')
  assert.deepEqual(
    first.lines.map(({ text }) => text),
    [
      `CI token of https://xn--cme-5cd.example/x · repository "\\"" · run ${quoted}`,
      'uploaded 2026-11-18 09:00:00 UTC · through the API · key key_1',
      'sent by "a\\u00b7b@xn--cme-5cd.example", confirmed 2026-11-18 09:00:00 UTC',
    ],
  )
  assert.ok(first.lines.every(({ files }) => files === quoted.replace('"', '"data/')))
  assert.deepEqual([second?.is, second?.lines.map(({ text }) => text)], ['stated', [`key named ${quoted}`]])
})

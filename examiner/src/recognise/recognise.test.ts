import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import {
  ALL_FILES,
  BOUNDARY,
  type JsonValue,
  parseProvenance,
  PROVENANCE_VERSION,
} from '@kitseal/kit/internal'
import { zipOf } from '../../test/evidence-samples.ts'
import { examine } from '../../test/examine.ts'
import { TOOL_OUTPUTS } from '../../test/tool-outputs.ts'
import { Budget } from '../budget.ts'
import { DEFAULT_LIMITS } from '../limits.ts'
import { isSecretScanner, type RecognisedOutput } from './recognise.ts'
import { startRecognising } from './recognise.ts'

const OUTPUTS = Object.entries(TOOL_OUTPUTS)
const { content: PROWLER, summary: PROWLER_SUMMARY } = TOOL_OUTPUTS['Prowler OCSF'] ?? {
  content: '',
  summary: '',
}

function recognise(content: string | Uint8Array): RecognisedOutput | undefined {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const reader = startRecognising(bytes.subarray(0, 8192), bytes.length, () => true)
  for (let at = 0; at < bytes.length; at += 4096) reader?.push(bytes.subarray(at, at + 4096))
  return reader?.end()
}

const summaryOf = (content: string | Uint8Array): string | undefined => recognise(content)?.summary

suite('the output of a tool', () => {
  for (const [name, { content, summary }] of OUTPUTS)
    test(`has a summary: ${name}`, () => {
      assert.equal(summaryOf(content), summary)
      assertInShape(recognise(content))
    })

  test('is recognised by its content, whatever its name', async () => {
    const { files } = await examine({ 'a.txt': PROWLER, 'prowler.ocsf.json': '[]', 'b.json': PROWLER })
    assert.deepEqual(
      files.map(({ recognised }) => recognised?.summary),
      [PROWLER_SUMMARY, PROWLER_SUMMARY, undefined],
    )
  })

  test('is recognised in archives', async () => {
    const { files } = await examine({ 'all.zip': zipOf({ 'a/scan.json': PROWLER }) })
    assert.deepEqual(
      files.map(({ path, recognised }) => [path, recognised?.summary]),
      [['data/a/scan.json', PROWLER_SUMMARY]],
    )
  })

  test('is recognised in gzip', async () => {
    const { files } = await examine({
      'scan.json.gz': gzipSync(PROWLER),
      'damaged.json.gz': gzipSync(PROWLER.slice(0, -9)),
    })
    assert.deepEqual(
      files.map(({ recognised }) => recognised?.summary),
      [undefined, PROWLER_SUMMARY],
    )
  })

  test('may have a byte order mark or be in UTF-16', () => {
    for (const [name, { content, summary }] of OUTPUTS) {
      const text = content.replace(/ encoding="[^"]*"/, '')
      assert.equal(summaryOf(Buffer.from(`\ufeff${text}`)), summary, name)
      assert.equal(summaryOf(Buffer.from(`\ufeff${text}`, 'utf16le')), summary, name)
    }
  })

  test('that quotes secrets is known as such', () => {
    const scanners = OUTPUTS.filter(([, { content }]) => isSecretScanner(recognise(content)))
    assert.deepEqual(
      scanners.map(([name]) => name),
      ['gitleaks'],
    )
    const trivy = JSON.stringify({ SchemaVersion: 2, ArtifactName: '.', Results: [{ Secrets: [{}] }] })
    assert.equal(isSecretScanner(recognise(trivy)), true)
    assert.equal(isSecretScanner(undefined), false)
  })
})

suite('no summary', () => {
  test('of a file that is cut off', () => {
    for (const [name, { content }] of OUTPUTS) {
      const isCut = (at: number): boolean =>
        !/[\n\r]$/.test(content.slice(0, at)) && content.slice(at).trim() !== ''
      // A line of a text may end anywhere. Its last one is needed.
      const from = /^[{[<]/.test(content) ? 1 : content.trimEnd().lastIndexOf('\n') + 2
      for (let at = from; at < content.length; at += Math.ceil(content.length / 60))
        if (isCut(at) && !/^[\]}]\s*[[{]/.test(content.slice(at - 1)))
          assert.equal(summaryOf(content.slice(0, at)), undefined, `${name} at ${at}`)
    }
  })

  const LOOKALIKES: Readonly<Record<string, string>> = {
    'a clean run that proves no scan': '[]',
    'no run at all': 'null',
    'notifications of S3':
      '{"Records":[{"eventVersion":"2.1","eventSource":"aws:s3","eventTime":"2026-01-01T00:00:00Z","userIdentity":{}}]}',
    'a benchmark without a result': '<Benchmark xmlns="http://checklists.nist.gov/xccdf/1.2"/>',
    'the results of NUnit': '<test-run><testsuite/></test-run>',
    'JUnit with a namespace': '<testsuite xmlns="urn:x"/>',
    'Masscan, which imitates Nmap': '<nmaprun scanner="masscan"><runstats/></nmaprun>',
    'a scan by Nmap that was stopped': '<nmaprun scanner="nmap" start="1794463811"></nmaprun>',
    'a report by Lynis that is not finished': '# Lynis Report\nlynis_version=3.1.2\nwarning[]=a\n',
    'findings of several tools': PROWLER.replace('"Prowler"', '"Other"'),
    'text after the output': `${PROWLER} and more`,
    'a document with entities':
      '<!DOCTYPE testsuite [<!ENTITY a "b">]><testsuite name="&a;"><testcase/></testsuite>',
    'an entity that is not declared': '<testsuite name="&a;"><testcase/></testsuite>',
    'JSON that is nested too deeply': `{"bomFormat":"CycloneDX","specVersion":"1.5","x":${'['.repeat(300)}${']'.repeat(300)}}`,
    'XML that is nested too deeply': `<testsuite>${'<testsuite>'.repeat(200)}${'</testsuite>'.repeat(200)}</testsuite>`,
    'a count that is not a list': '{"bomFormat":"CycloneDX","specVersion":"1.5","components":-5}',
    'a status that is not a text': PROWLER.replace('"PASS"', '-1'),
  }
  for (const [name, content] of Object.entries(LOOKALIKES))
    test(`of ${name}`, () => assert.equal(summaryOf(content), undefined))

  test('of bytes that are not UTF-8', () => {
    const bytes = Buffer.from(PROWLER)
    bytes[bytes.indexOf('example')] = 0xff
    assert.equal(summaryOf(bytes), undefined)
  })

  test('of JSON that is too large to read as a whole', () => {
    assert.equal(summaryOf(PROWLER.padEnd(16 * 1024 * 1024)), PROWLER_SUMMARY)
    assert.equal(summaryOf(PROWLER.padEnd(16 * 1024 * 1024 + 1)), undefined)
  })

  test('once a submission has used its share', () => {
    const { takeRecognising } = new Budget(DEFAULT_LIMITS, 0)
    assert.equal(takeRecognising(100 * 1024 * 1024), true)
    assert.equal(takeRecognising(100 * 1024 * 1024), false)
    assert.equal(
      startRecognising(Buffer.from(PROWLER), PROWLER.length, () => false),
      undefined,
    )
  })
})

const withTarget = (uid: string, version = '5'): RecognisedOutput | undefined =>
  recognise(
    JSON.stringify([
      {
        class_uid: 2004,
        metadata: { product: { name: 'Prowler', version } },
        cloud: { account: { uid } },
        status_code: 'PASS',
      },
    ]),
  )

const withTime = (time: unknown): string | undefined =>
  recognise(JSON.stringify([{ ...(JSON.parse(PROWLER) as object[])[0], time }]))?.time

suite('what a file says about itself', () => {
  test('is shown in one line without invisible characters', () => {
    assert.equal(withTarget('a\u202eb\u0000c\nd\u200b')?.target, 'account a b c d')
    assert.equal(withTarget('\u2066')?.target, 'account')
    assert.equal(withTarget('x'.repeat(5000))?.target?.length, 120)
    assert.equal(withTarget('x'.repeat(50_000))?.target, undefined)
  })

  test('contains no secret', () => {
    const key = `AKIA${'Q3EGRUKMFPXWZ2LA'}`
    assert.equal(withTarget(key)?.target, undefined)
    assert.equal(withTarget('1', key)?.version, undefined)
    assert.equal(withTarget('https://anna:word@host/')?.target, 'account https://host/')
  })

  test('has a time with its zone, in seconds or milliseconds, or without a zone as written', () => {
    assert.equal(withTime(1794463811), '2026-11-12T06:10:11Z')
    assert.equal(withTime(1794463811000), '2026-11-12T06:10:11Z')
    assert.equal(withTime('1794463811'), '2026-11-12T06:10:11Z')
    assert.equal(withTime('2026-11-12T06:10:11.123+0100'), '2026-11-12T06:10:11+01:00')
    assert.equal(withTime('2026-11-12 06:10:11'), '2026-11-12T06:10:11')
    for (const time of [
      0,
      -5,
      1e300,
      '0001-01-01T00:00:00Z',
      '2026-02-31T00:00:00Z',
      '12.11.2026',
      'IST',
      {},
      null,
    ])
      assert.equal(withTime(time), undefined, JSON.stringify(time))
  })

  test('is never wrong in shape, whatever characters it has', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 })
    fc.assert(fc.property(text, text, (uid, version) => assertInShape(withTarget(uid, version))))
  })

  test('is never wrong in shape, whatever is in the file', () => {
    const odd = fc.oneof(
      fc.constantFrom(null, -1, 1e308, '', '\u202e', '__proto__', [], {}, [[]], true),
      fc.jsonValue({ maxDepth: 3 }),
      fc.constant(JSON.parse('{"__proto__": {"name": "x"}, "constructor": 1}') as unknown),
    )
    const documents = OUTPUTS.filter(([, { content }]) => /^[{[]/.test(content)).flatMap(
      ([, { content }]) => {
        try {
          return [JSON.parse(content) as unknown]
        } catch {
          return []
        }
      },
    )
    fc.assert(
      fc.property(fc.constantFrom(...documents), fc.nat(), odd, (document, place, value) => {
        assertInShape(recognise(JSON.stringify(replaced(document, place, value))))
      }),
      { numRuns: 3000 },
    )
  })

  test('is read in time, however a file is made', () => {
    const long = 4 * 1024 * 1024
    const hostile = [
      `SPDXVersion: SPDX-2.3\nSPDXID: SPDXRef-DOCUMENT\nPackageName: a${' '.repeat(long)}b\n`,
      `# Lynis Report\nlynis_version=3${' '.repeat(long)}x\nfinish=true\n`,
      JSON.stringify({
        spdxVersion: 'SPDX-2.3',
        SPDXID: 'SPDXRef-DOCUMENT',
        creationInfo: { creators: [`Tool: ${'a-1'.repeat(long / 3)}!`] },
      }),
      `<testsuite><${'x'.repeat(long / 4)}>${'<a/>'.repeat(long / 8)}</${'x'.repeat(long / 4)}></testsuite>`,
      `<testsuite name="${'x'.repeat(long)}">${'<testcase/>'.repeat(long / 20)}</testsuite>`,
      `{"Records":${'[{"Records":'.repeat(90)}1${'}]'.repeat(90)}}`,
      `{"bomFormat":"CycloneDX",${'"specVersion":"1.5",'.repeat(long / 40)}"x":[${'[],'.repeat(long / 6)}[]]}`,
      `{"payload":"${Buffer.from('['.repeat(long / 4)).toString('base64')}","payloadType":"application/vnd.in-toto+json","signatures":[]}`,
    ]
    for (const content of hostile) {
      const began = performance.now()
      recognise(content)
      assert.ok(performance.now() - began < 5000, content.slice(0, 60))
    }
  })

  test('is never wrong in shape, whatever bytes are damaged', () => {
    const contents = OUTPUTS.map(([, { content }]) => content)
    fc.assert(
      fc.property(
        fc.constantFrom(...contents),
        fc.nat(),
        fc.nat(255),
        fc.nat(40),
        (content, place, byte, length) => {
          const bytes = Buffer.from(content)
          const at = place % bytes.length
          bytes.fill(byte, at, Math.min(bytes.length, at + 1 + length))
          assertInShape(recognise(bytes))
        },
      ),
      { numRuns: 3000 },
    )
  })
})

function assertInShape(recognised: RecognisedOutput | undefined): void {
  if (recognised === undefined) return
  assert.ok(recognised.counts.every(({ count }) => Number.isSafeInteger(count) && count >= 0))
  assert.ok(recognised.summary.length < 1000)
  // It is sealed in reports/provenance.json.
  const entry = { paths: ALL_FILES, source: 'recognised', statement: 'stated', ...recognised }
  const report = { provenance_version: PROVENANCE_VERSION, entries: [entry], boundary: BOUNDARY }
  assert.deepEqual(problemsIn(parseProvenance(report as unknown as JsonValue)), [])
  for (const text of [
    recognised.summary,
    recognised.tool,
    recognised.version,
    recognised.target,
    recognised.time,
  ])
    assert.doesNotMatch(text ?? '', /[\p{Cc}\p{Cf}\u2028\u2029]/u)
}

const problemsIn = (parsed: ReturnType<typeof parseProvenance>): readonly string[] =>
  parsed.ok ? [] : parsed.problems

/** The document with one of its values replaced. */
function replaced(document: unknown, place: number, value: unknown): unknown {
  const places: (() => void)[] = []
  const copy = structuredClone({ document })
  const walk = (inside: object): void => {
    for (const [key, inner] of Object.entries(inside) as [string, unknown][]) {
      places.push(() => Object.defineProperty(inside, key, { value, enumerable: true }))
      if (typeof inner === 'object' && inner !== null) walk(inner)
    }
  }
  walk(copy)
  places[place % places.length]?.()
  return copy.document
}

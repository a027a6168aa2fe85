// Outputs of tools: the members and values that their formats have, about things that do not exist.

export interface ToolOutput {
  readonly content: string
  readonly summary: string
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)
const lines = (...values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const times = <Item>(count: number, item: Item): readonly Item[] => Array.from({ length: count }, () => item)

const ACCOUNT = '123456789012'

const prowlerFinding = (status_code: string, status = 'New') => ({
  message: 'A check of an example.',
  metadata: {
    event_code: 'iam_example',
    product: { name: 'Prowler', uid: 'prowler', vendor_name: 'Prowler', version: '5.9.0' },
    profiles: ['cloud', 'datetime'],
    version: '1.4.0',
  },
  status_code,
  status,
  class_uid: 2004,
  time: 1794463811,
  time_dt: '2026-11-12T06:10:11.000000',
  cloud: { account: { name: '', type: 'AWS Account', uid: ACCOUNT }, provider: 'aws' },
  resources: [{ uid: `arn:aws:iam::${ACCOUNT}:root` }],
})

const XCCDF_NAMESPACE = 'http://checklists.nist.gov/xccdf/1.2'
const testResult = (prefix = ''): string => {
  const rule = (result: string): string =>
    `<${prefix}rule-result idref="r"><${prefix}result>${result}</${prefix}result></${prefix}rule-result>`
  return `<${prefix}TestResult id="t" test-system="cpe:/a:redhat:openscap:1.3.7" version="0.1.65"
    start-time="2026-11-12T07:10:11+01:00" end-time="2026-11-12T07:12:11+01:00">
    <${prefix}target>web1.example</${prefix}target>
    ${['pass', 'pass', 'fail', 'notapplicable', 'notselected', 'notchecked'].map(rule).join('\n')}
    <${prefix}score maximum="100">66.6</${prefix}score></${prefix}TestResult>`
}

const oscalFinding = (state: string) => ({ target: { type: 'objective-id', status: { state } } })

const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'app.tar.gz', digest: { sha256: 'ab'.repeat(32) } }],
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: { buildType: 'https://build.example/type/v1' },
    runDetails: {
      builder: { id: 'https://build.example/builder' },
      metadata: { startedOn: '2026-11-12T06:10:11Z' },
    },
  },
}
const envelope = {
  payload: base64(JSON.stringify(statement)),
  payloadType: 'application/vnd.in-toto+json',
  signatures: [{ keyid: 'k', sig: 'c2lnbmF0dXJl' }],
}

const cloudTrailEvent = (error: object = {}) => ({
  eventVersion: '1.08',
  userIdentity: { type: 'IAMUser', accountId: ACCOUNT },
  eventTime: '2026-11-12T06:10:11Z',
  eventSource: 'iam.amazonaws.com',
  eventName: 'ListUsers',
  recipientAccountId: ACCOUNT,
  ...error,
})

/** By the name of the tool or format. */
export const TOOL_OUTPUTS: Readonly<Record<string, ToolOutput>> = {
  'Prowler OCSF': {
    content: json([
      prowlerFinding('PASS'),
      prowlerFinding('PASS'),
      prowlerFinding('FAIL'),
      prowlerFinding('FAIL', 'Suppressed'),
      prowlerFinding('MANUAL'),
    ]),
    summary: 'Prowler 5.9.0 · account 123456789012 · 12 Nov 2026 · 2 pass, 1 fail, 1 muted, 1 manual',
  },
  XCCDF: {
    content: `<?xml version="1.0" encoding="UTF-8"?>\n<cdf:Benchmark xmlns:cdf="${XCCDF_NAMESPACE}" id="b">
      <cdf:version>0.1.65</cdf:version>${testResult('cdf:')}</cdf:Benchmark>`,
    summary: 'OpenSCAP 1.3.7 · web1.example · 12 Nov 2026 · 2 pass, 1 fail, 1 not applicable, 1 not checked',
  },
  ARF: {
    content: `<arf:asset-report-collection xmlns:arf="http://scap.nist.gov/schema/asset-reporting-format/1.1">
      <arf:reports><arf:report id="x"><arf:content>${testResult().replace('<TestResult', `<TestResult xmlns="${XCCDF_NAMESPACE}"`)}
      </arf:content></arf:report></arf:reports></arf:asset-report-collection>`,
    summary: 'OpenSCAP 1.3.7 · web1.example · 12 Nov 2026 · 2 pass, 1 fail, 1 not applicable, 1 not checked',
  },
  'OSCAL JSON': {
    content: json({
      'assessment-results': {
        uuid: 'u',
        metadata: { title: 'Example', version: '3', 'oscal-version': '1.1.2' },
        'import-ap': { href: './plan.json' },
        results: [
          {
            start: '2026-11-12T06:10:11Z',
            findings: [oscalFinding('satisfied'), oscalFinding('not-satisfied'), oscalFinding('satisfied')],
          },
        ],
      },
    }),
    summary: 'OSCAL assessment results · ./plan.json · 12 Nov 2026 · 2 satisfied, 1 not satisfied',
  },
  'OSCAL XML': {
    content: `<assessment-results xmlns="http://csrc.nist.gov/ns/oscal/1.0" uuid="u"><import-ap href="#plan"/>
      <result uuid="r"><start>2026-11-12T06:10:11Z</start>
      <finding><target type="objective-id"><status state="not-satisfied"/></target></finding></result></assessment-results>`,
    summary: 'OSCAL assessment results · #plan · 12 Nov 2026 · 0 satisfied, 1 not satisfied',
  },
  'CycloneDX JSON': {
    content: json({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      version: 7,
      metadata: {
        timestamp: '2026-11-12T06:10:11Z',
        tools: { components: [{ type: 'application', name: 'syft', version: '1.4.1' }] },
        component: { type: 'application', name: 'shop', version: '2.0' },
      },
      components: [{ type: 'library', name: 'a', components: [{ type: 'library', name: 'b' }] }],
      vulnerabilities: [{ id: 'CVE-2026-0001' }],
    }),
    summary: 'syft 1.4.1 · shop 2.0 · 12 Nov 2026 · 2 components, 1 vulnerability',
  },
  'CycloneDX XML': {
    content: `<?xml version="1.0"?><bom xmlns="http://cyclonedx.org/schema/bom/1.4" version="1"><metadata>
      <timestamp>2026-11-12T06:10:11Z</timestamp><tools><tool><vendor>v</vendor><name>cdxgen</name><version>10.1</version></tool></tools>
      <component type="application"><name>shop</name></component></metadata><components>
      <component type="library"><name>a</name><components><component type="library"><name>b</name></component></components></component>
      </components></bom>`,
    summary: 'cdxgen 10.1 · shop · 12 Nov 2026 · 2 components',
  },
  'SPDX 2 JSON': {
    content: json({
      spdxVersion: 'SPDX-2.3',
      SPDXID: 'SPDXRef-DOCUMENT',
      name: 'shop',
      creationInfo: {
        creators: ['Organization: Example', 'Tool: syft-1.4.1'],
        created: '2026-11-12T06:10:11Z',
      },
      packages: times(3, { SPDXID: 'SPDXRef-a', name: 'a' }),
    }),
    summary: 'syft 1.4.1 · shop · 12 Nov 2026 · 3 packages',
  },
  'SPDX 2 text': {
    content: `SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nSPDXID: SPDXRef-DOCUMENT\nDocumentName: shop
Creator: Tool: reuse-2.1.0\nCreated: 2026-11-12T06:10:11Z\n\nPackageName: a\nSPDXID: SPDXRef-a\n`,
    summary: 'reuse 2.1.0 · shop · 12 Nov 2026 · 1 package',
  },
  'SPDX 3': {
    content: json({
      '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
      '@graph': [
        {
          type: 'CreationInfo',
          '@id': '_:c',
          specVersion: '3.0.1',
          created: '2026-11-12T06:10:11Z',
          createdUsing: ['urn:t'],
        },
        { type: 'Tool', spdxId: 'urn:t', name: 'sbom-maker' },
        { type: 'SpdxDocument', spdxId: 'urn:d', name: 'shop' },
        { type: 'software_Package', spdxId: 'urn:p', name: 'a' },
      ],
    }),
    summary: 'sbom-maker · shop · 12 Nov 2026 · 1 package',
  },
  'in-toto': {
    content: lines(statement),
    summary:
      'https://build.example/builder · https://slsa.dev/provenance/v1 for app.tar.gz · 12 Nov 2026 · 1 subject',
  },
  DSSE: {
    content: lines(envelope),
    summary:
      'https://build.example/builder · https://slsa.dev/provenance/v1 for app.tar.gz · 12 Nov 2026 · 1 subject, 1 signature',
  },
  SARIF: {
    content: json({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'CodeQL',
              semanticVersion: '2.19.3',
              rules: [{ id: 'r', defaultConfiguration: { level: 'error' } }],
            },
          },
          invocations: [{ executionSuccessful: true, endTimeUtc: '2026-11-12T06:10:11Z' }],
          versionControlProvenance: [{ repositoryUri: 'https://anna:word@git.example/shop' }],
          results: [
            { ruleId: 'r', ruleIndex: 0, message: { text: 'a' } },
            { ruleId: 'q', message: { text: 'b' } },
            { ruleId: 'r', level: 'note', message: { text: 'c' }, suppressions: [{ kind: 'inSource' }] },
            { ruleId: 'r', kind: 'pass', message: { text: 'd' } },
          ],
        },
      ],
    }),
    summary:
      'CodeQL 2.19.3 · https://git.example/shop · 12 Nov 2026 · 1 error, 1 warning, 1 suppressed, 1 pass',
  },
  JUnit: {
    content: `<?xml version="1.0"?><testsuites name="shop" tests="99" failures="0"><testsuite timestamp="2026-11-12T06:10:11">
      <testsuite name="inner"><testcase name="a"/><testcase name="b"><system-out>failure</system-out></testcase>
      <testcase name="c"><failure message="x">y</failure></testcase></testsuite>
      <testcase name="d"><error/></testcase><testcase name="e"><skipped/></testcase></testsuite></testsuites>`,
    summary: 'JUnit · shop · 12 Nov 2026 (time zone unknown) · 2 passed, 1 failed, 1 error, 1 skipped',
  },
  Trivy: {
    content: json({
      SchemaVersion: 2,
      Trivy: { Version: '0.58.0' },
      CreatedAt: '2026-11-12T06:10:11.123456789Z',
      ArtifactName: 'registry.example/shop:2.0',
      ArtifactType: 'container_image',
      Metadata: { ImageConfig: { created: '0001-01-01T00:00:00Z' } },
      Results: [
        {
          Target: 'alpine',
          Class: 'os-pkgs',
          Vulnerabilities: times(2, { VulnerabilityID: 'CVE-2026-0001' }),
        },
        { Target: 'node', Class: 'lang-pkgs' },
        {
          Target: 'Dockerfile',
          Class: 'config',
          Misconfigurations: [{ Status: 'FAIL' }, { Status: 'PASS' }],
        },
      ],
    }),
    summary:
      'Trivy 0.58.0 · registry.example/shop:2.0 · 12 Nov 2026 · 2 vulnerabilities, 1 misconfiguration, 1 other check',
  },
  Grype: {
    content: json({
      matches: times(2, { vulnerability: { id: 'CVE-2026-0001', severity: 'High' } }),
      ignoredMatches: [{ vulnerability: { id: 'CVE-2026-0002' } }],
      source: { type: 'image', target: { userInput: 'shop:2.0' } },
      descriptor: { name: 'grype', version: '0.85.0', timestamp: '2026-11-12T06:10:11.5+00:00' },
    }),
    summary: 'Grype 0.85.0 · shop:2.0 · 12 Nov 2026 · 2 matches, 1 ignored',
  },
  Nessus: {
    content: `<?xml version="1.0" ?><NessusClientData_v2><Policy><policyName>Basic</policyName></Policy><Report name="r">
      <ReportHost name="10.0.0.5"><HostProperties><tag name="HOST_START">Thu Nov 12 06:10:11 2026</tag>
      <tag name="HOST_START_TIMESTAMP">1794463811</tag></HostProperties>
      <ReportItem port="0" severity="0" pluginID="19506"><plugin_output>Information about this scan :\n\nNessus version : 10.8.3\n</plugin_output></ReportItem>
      <ReportItem port="443" severity="3" pluginID="1"/><ReportItem port="80" severity="4" pluginID="2"/></ReportHost></Report></NessusClientData_v2>`,
    summary: 'Nessus 10.8.3 · host 10.0.0.5 · 12 Nov 2026 · 1 critical, 1 high, 0 medium, 0 low, 1 info',
  },
  Nmap: {
    content: `<?xml version="1.0"?><!DOCTYPE nmaprun><nmaprun scanner="nmap" args="nmap -oX - 10.0.0.0/30" start="1794463811" version="7.95">
      <host><status state="up"/><address addr="10.0.0.1" addrtype="ipv4"/><address addr="00:00:5E:00:53:01" addrtype="mac"/>
      <ports><port portid="22"><state state="open"/></port><port portid="25"><state state="closed"/></port></ports></host>
      <host><status state="up"/><address addr="10.0.0.2"/></host>
      <runstats><finished time="1794463899"/><hosts up="9" down="9" total="18"/></runstats></nmaprun>`,
    summary: 'Nmap 7.95 · 2 hosts · 12 Nov 2026 · 2 hosts up, 1 open port',
  },
  CloudTrail: {
    content: json({ Records: [cloudTrailEvent(), cloudTrailEvent({ errorCode: 'AccessDenied' })] }),
    summary: 'AWS CloudTrail · account 123456789012 · 2 events, 1 with an error',
  },
  'CloudTrail events, as printed': {
    content: json({ Events: [{ EventId: 'e', CloudTrailEvent: JSON.stringify(cloudTrailEvent()) }] }),
    summary: 'AWS CloudTrail · account 123456789012 · 1 event, 0 with an error',
  },
  gitleaks: {
    content: json(
      times(2, {
        RuleID: 'generic',
        Description: 'd',
        Match: 'm',
        Secret: 's',
        Date: '2026-01-01T00:00:00Z',
      }),
    ),
    summary: 'gitleaks · 2 findings',
  },
}

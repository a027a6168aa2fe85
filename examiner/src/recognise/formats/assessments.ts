import {
  count,
  elements,
  isObject,
  member,
  only,
  Tally,
  UnexpectedShape,
  type Element,
  type ElementReader,
  type Recogniser,
} from '../recogniser.ts'

export const XCCDF: Recogniser = {
  format: 'XCCDF',
  mark: /checklists\.nist\.gov\/xccdf\/1\./,
  reads: 'xml',
  start: () =>
    readTestResult(
      (root, uri) => ['Benchmark', 'TestResult'].includes(root) && uri.includes('checklists.nist.gov/xccdf/'),
    ),
}

/** The Asset Reporting Format, which holds an XCCDF result among its reports. */
export const ARF: Recogniser = {
  format: 'ARF',
  mark: /<(?:[\w.-]+:)?asset-report-collection\b/,
  reads: 'xml',
  start: () =>
    readTestResult(
      (root, uri) => root === 'asset-report-collection' && uri.endsWith('/asset-reporting-format/1.1'),
    ),
}

const NAMESPACE = 'http://checklists.nist.gov/xccdf/1.'

const RESULTS = {
  pass: 'pass',
  fail: 'fail',
  error: 'error',
  unknown: 'unknown',
  notapplicable: 'not applicable',
  notchecked: 'not checked',
  notselected: 'not selected',
  informational: 'informational',
  fixed: 'fixed',
}

/** Reads the XCCDF `TestResult` in a document whose root is one of these. A benchmark without a result is no output. */
function readTestResult(isRoot: (path: string, uri: string) => boolean): ElementReader {
  const counts = new Tally('pass', 'fail')
  let results = 0
  let system: string | undefined
  let target: string | undefined
  let time: string | undefined
  return {
    open(path: string, { uri, attribute }: Element) {
      if (!path.includes('/') && !isRoot(path, uri)) throw new UnexpectedShape()
      if (!/(?:^|\/)TestResult$/.test(path) || !uri.startsWith(NAMESPACE)) return
      results++
      system = attribute('test-system')
      time = attribute('start-time') ?? attribute('end-time')
    },
    text(path, text) {
      if (path.endsWith('TestResult/target')) target = text
      // Rules that the profile leaves out were not part of the run.
      if (path.endsWith('TestResult/rule-result/result') && text !== 'notselected')
        count(counts, RESULTS, text)
    },
    end: () => (results === 1 ? { ...toolIn(system), target, time, counts } : undefined),
  }
}

/** `cpe:/a:redhat:openscap:1.3.7`, or a name. */
function toolIn(system: string | undefined) {
  const [, product, version] = /^cpe:(?:\/a|2\.3:a):[^:]+:([^:]+):([^:]+)/.exec(system ?? '') ?? []
  return product === undefined
    ? { tool: system }
    : { tool: product === 'openscap' ? 'OpenSCAP' : product, version }
}

const FORMAT = 'OSCAL assessment results'
const STATES = { satisfied: 'satisfied', 'not-satisfied': 'not satisfied' }
const shown = (): Tally => new Tally('satisfied', 'not satisfied')

/** The format names no tool of its own. */
export const OSCAL_RESULTS_JSON: Recogniser = {
  format: FORMAT,
  mark: /^\{\s*"assessment-results"/,
  reads: 'json',
  read(values) {
    const document = only(values)
    if (!isObject(document) || Object.keys(document).length !== 1) return undefined
    const assessment = member(document, 'assessment-results')
    if (typeof member(assessment, 'metadata', 'oscal-version') !== 'string') return undefined
    const results = elements(member(assessment, 'results'))
    const counts = shown()
    for (const finding of results.flatMap((result) => elements(member(result, 'findings'))))
      count(counts, STATES, member(finding, 'target', 'status', 'state'))
    return {
      target: member(assessment, 'import-ap', 'href'),
      time: member(results[0], 'start'),
      counts,
    }
  },
}

export const OSCAL_RESULTS_XML: Recogniser = {
  format: FORMAT,
  mark: /<(?:[\w.-]+:)?assessment-results\b/,
  reads: 'xml',
  start() {
    const counts = shown()
    let target: string | undefined
    let time: string | undefined
    return {
      open(path, { uri, attribute }) {
        if (uri !== 'http://csrc.nist.gov/ns/oscal/1.0') throw new UnexpectedShape()
        if (path === 'assessment-results/import-ap') target = attribute('href')
        if (path === 'assessment-results/result') time ??= attribute('start')
        if (path === 'assessment-results/result/finding/target/status')
          count(counts, STATES, attribute('state'))
      },
      text(path, text) {
        if (path === 'assessment-results/result/start') time ??= text
      },
      end: () => ({ target, time, counts }),
    }
  },
}

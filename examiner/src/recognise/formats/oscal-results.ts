import {
  count,
  elements,
  isObject,
  member,
  only,
  Tally,
  UnexpectedShape,
  type Recogniser,
} from '../recogniser.ts'

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

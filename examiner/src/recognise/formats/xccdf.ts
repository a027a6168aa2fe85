import type { Recogniser } from '../recogniser.ts'
import { readTestResult } from './test-result.ts'

export const XCCDF: Recogniser = {
  format: 'XCCDF',
  mark: /checklists\.nist\.gov\/xccdf\/1\./,
  reads: 'xml',
  start: () =>
    readTestResult(
      (root, uri) => ['Benchmark', 'TestResult'].includes(root) && uri.includes('checklists.nist.gov/xccdf/'),
    ),
}

import type { Recogniser } from '../recogniser.ts'
import { readTestResult } from './test-result.ts'

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

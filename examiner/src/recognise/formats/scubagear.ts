import { count, elements, isObject, member, only } from '../members.ts'
import type { Recogniser } from '../recogniser.ts'
import { Tally } from '../tally.ts'

const RESULTS = {
  Pass: 'pass',
  Fail: 'fail',
  Warning: 'warning',
  'N/A': 'not checked',
  Error: 'error',
  Omitted: 'omitted',
}

export const SCUBAGEAR: Recogniser = {
  format: 'ScubaGear',
  mark: /"ScubaGear"|"MetaData"/,
  reads: 'json',
  read(values) {
    const report = only(values)
    const metadata = member(report, 'MetaData')
    const results = member(report, 'Results')
    if (member(metadata, 'Tool') !== 'ScubaGear' || !isObject(results)) return undefined
    const counts = new Tally('pass', 'fail')
    for (const group of Object.values(results).flatMap(elements))
      for (const control of elements(member(group, 'Controls')))
        count(counts, RESULTS, member(control, 'Result'))
    return {
      tool: 'ScubaGear',
      version: member(metadata, 'ToolVersion'),
      target: member(metadata, 'DomainName') ?? member(metadata, 'TenantId'),
      time: member(metadata, 'TimestampZulu'),
      counts,
    }
  },
}

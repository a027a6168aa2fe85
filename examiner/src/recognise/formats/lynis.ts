import { linesAfter } from '../rows.ts'
import type { Recogniser } from '../recogniser.ts'
import { Tally } from '../tally.ts'

export const LYNIS: Recogniser = {
  format: 'Lynis',
  mark: /^# Lynis Report/,
  reads: 'text',
  read(_bytes, text) {
    const all = (name: string): readonly string[] => linesAfter(text, `${name}=`)
    const [version] = all('lynis_version')
    // A report that was not finished has fewer warnings.
    if (version === undefined || all('finish')[0] !== 'true') return undefined
    const counts = new Tally('warnings', 'suggestions')
    counts.add('warnings', all('warning[]').length)
    counts.add('suggestions', all('suggestion[]').length)
    const [host] = all('hostname')
    return {
      tool: 'Lynis',
      version,
      target: host === undefined ? undefined : `host ${host}`,
      time: all('report_datetime_start')[0],
      counts,
    }
  },
}

import { has, marked, member, oneOrMany, recordsIn } from '../members.ts'
import type { Recogniser } from '../recogniser.ts'
import { Tally } from '../tally.ts'

/** One table in JSON Lines. */
export const CLOUDQUERY: Recogniser = {
  format: 'CloudQuery',
  mark: /"_cq_id"/,
  reads: 'json',
  read(values) {
    const rows = marked(recordsIn(values), (row) =>
      ['_cq_sync_time', '_cq_parent_id'].some((name) => has(row, '_cq_id', name)),
    )
    return {
      tool: 'CloudQuery',
      target: oneOrMany(
        'source',
        rows.map((row) => member(row, '_cq_source_name')),
      ),
      time: member(rows[0], '_cq_sync_time'),
      counts: Tally.just('rows', rows.length),
    }
  },
}

import { count, oneOrMany } from '../members.ts'
import { rowsByName } from '../rows.ts'
import type { Recogniser } from '../recogniser.ts'
import { Tally } from '../tally.ts'

const STATUSES = { PASS: 'pass', FAIL: 'fail', MANUAL: 'manual', INFO: 'info', WARNING: 'warning' }

/** CSV of Prowler 3 and later, with semicolons, and of Prowler 2, with commas. */
export const PROWLER_CSV: Recogniser = {
  format: 'Prowler CSV',
  mark: /^"?(?:AUTH_METHOD"?;"?TIMESTAMP"?;"?ACCOUNT_UID"?;|PROFILE"?,"?ACCOUNT_NUM"?,)/,
  reads: 'text',
  read(bytes) {
    const rows = rowsByName(bytes)
    const counts = new Tally('pass', 'fail')
    for (const row of rows) {
      if (row.get('MUTED') === 'True') counts.add('muted')
      else count(counts, STATUSES, row.get('STATUS') ?? row.get('CHECK_RESULT'))
    }
    return {
      tool: 'Prowler',
      version: rows[0]?.get('PROWLER_VERSION'),
      target: oneOrMany(
        'account',
        rows.map((row) => row.get('ACCOUNT_UID') ?? row.get('ACCOUNT_NUM')),
      ),
      time: rows[0]?.get('TIMESTAMP'),
      counts,
    }
  },
}

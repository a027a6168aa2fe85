import { count, elements, has, marked, member, recordsIn, UnexpectedShape } from '../members.ts'
import type { Recogniser } from '../recogniser.ts'
import { Tally } from '../tally.ts'

const STATUSES = { PASS: 'pass', FAIL: 'fail', WARN: 'warn', INFO: 'info' }

/** An object with controls and totals, or a list of controls. The version in it is that of the benchmark. */
export const KUBE_BENCH: Recogniser = {
  format: 'kube-bench',
  mark: /"(?:Controls|node_type)"/,
  reads: 'json',
  read(values) {
    const controls = marked(
      recordsIn(values).flatMap((one) =>
        has(one, 'Controls', 'Totals') ? elements(member(one, 'Controls')) : [one],
      ),
      (one) => has(one, 'node_type', 'tests'),
    )
    const counts = new Tally('pass', 'fail')
    for (const group of controls.flatMap((one) => elements(member(one, 'tests')))) {
      if (!has(group, 'results')) throw new UnexpectedShape()
      for (const result of elements(member(group, 'results')))
        count(counts, STATUSES, member(result, 'status'))
    }
    return { tool: 'kube-bench', counts }
  },
}

import { count, elements, member, only } from '../members.ts'
import type { Recogniser } from '../recogniser.ts'
import { Tally } from '../tally.ts'

const STATUSES = { ok: 'ok', alarm: 'alarm', info: 'info', skip: 'skip', error: 'error' }

/** Both tools write the same, without saying which. */
export const POWERPIPE: Recogniser = {
  format: 'Steampipe or Powerpipe',
  mark: /"root_result_group"/,
  reads: 'json',
  read(values) {
    const root = only(values)
    if (member(root, 'group_id') !== 'root_result_group') return undefined
    const counts = new Tally('ok', 'alarm')
    countGroup(counts, root)
    return { target: member(root, 'title'), counts }
  },
}

function countGroup(counts: Tally, group: unknown): void {
  for (const inner of elements(member(group, 'groups'))) countGroup(counts, inner)
  for (const control of elements(member(group, 'controls'))) {
    if ((member(control, 'run_error') ?? '') !== '') counts.add('error')
    for (const result of elements(member(control, 'results')))
      count(counts, STATUSES, member(result, 'status'))
  }
}

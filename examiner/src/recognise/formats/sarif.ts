import { count, elements, member, only, Tally, UnexpectedShape, type Recogniser } from '../recogniser.ts'

const KINDS = {
  pass: 'pass',
  open: 'open',
  review: 'review',
  informational: 'informational',
  notApplicable: 'not applicable',
}
const LEVELS = { error: 'error', warning: 'warning', note: 'note', none: 'none' }

export const SARIF: Recogniser = {
  format: 'SARIF',
  mark: /"runs"|sarif/i,
  reads: 'json',
  read(values) {
    const log = only(values)
    if (member(log, 'version') !== '2.1.0') return undefined
    const runs = elements(member(log, 'runs'))
    const drivers = runs.map((run) => member(run, 'tool', 'driver'))
    const names = new Set(drivers.map((driver) => member(driver, 'name')))
    const [name] = names
    if (typeof name !== 'string') return undefined
    const [run] = runs
    const [invocation] = elements(member(run, 'invocations'))
    return {
      tool: names.size === 1 ? name : `${names.size} tools`,
      version:
        names.size === 1
          ? (member(drivers[0], 'version') ?? member(drivers[0], 'semanticVersion'))
          : undefined,
      target: member(elements(member(run, 'versionControlProvenance'))[0], 'repositoryUri'),
      time: member(invocation, 'endTimeUtc') ?? member(invocation, 'startTimeUtc'),
      counts: countResults(runs),
    }
  },
}

/** A run without a list of results says nothing about them. */
function countResults(runs: readonly unknown[]): Tally {
  const counts = new Tally()
  const listed = runs.filter((run) => Array.isArray(member(run, 'results')))
  for (const run of listed)
    for (const result of elements(member(run, 'results'))) countResult(counts, run, result)
  if (listed.length > 0 && counts.list().length === 0) counts.add('results', 0)
  return counts
}

function countResult(counts: Tally, run: unknown, result: unknown): void {
  if (typeof member(result, 'message') !== 'object') throw new UnexpectedShape()
  const kind = member(result, 'kind') ?? 'fail'
  if (elements(member(result, 'suppressions')).length > 0) counts.add('suppressed')
  else if (kind !== 'fail') count(counts, KINDS, kind)
  else count(counts, LEVELS, member(result, 'level') ?? defaultLevel(run, result))
}

function defaultLevel(run: unknown, result: unknown): unknown {
  const rules = elements(member(run, 'tool', 'driver', 'rules'))
  const index = member(result, 'ruleIndex') ?? member(result, 'rule', 'index')
  const rule = typeof index === 'number' ? rules[index] : undefined
  return member(rule, 'defaultConfiguration', 'level') ?? 'warning'
}

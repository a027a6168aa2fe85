import {
  count,
  elements,
  has,
  marked,
  member,
  oneOrMany,
  only,
  recordsIn,
  Tally,
  text,
  UnexpectedShape,
  type Recogniser,
} from '../recogniser.ts'

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
  const finished = runs.filter((run) => Array.isArray(member(run, 'results')))
  for (const run of finished)
    for (const result of elements(member(run, 'results'))) countResult(counts, run, result)
  if (finished.length > 0 && counts.list().length === 0) counts.add('results', 0)
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

const STATUSES = { PASS: 'pass', FAIL: 'fail', MANUAL: 'manual' }

/** OCSF detection findings (2004) and compliance findings (2003) as Prowler writes them. */
export const PROWLER_OCSF: Recogniser = {
  format: 'Prowler OCSF',
  mark: /"(?:product|class_uid)"/,
  reads: 'json',
  read(values) {
    const findings = marked(
      recordsIn(values),
      (one) =>
        member(one, 'metadata', 'product', 'name') === 'Prowler' &&
        [2003, 2004].includes(member(one, 'class_uid') as number),
    )
    const counts = new Tally('pass', 'fail')
    for (const one of findings) {
      // A muted finding is neither.
      if (member(one, 'status') === 'Suppressed') counts.add('muted')
      else count(counts, STATUSES, member(one, 'status_code'))
    }
    const accounts = findings.map(
      (one) => member(one, 'cloud', 'account', 'uid') ?? member(one, 'unmapped', 'cloud', 'account', 'uid'),
    )
    return {
      tool: 'Prowler',
      version: member(findings[0], 'metadata', 'product', 'version'),
      target: oneOrMany('account', accounts),
      time: member(findings[0], 'time') ?? member(findings[0], 'finding_info', 'created_time'),
      counts,
    }
  },
}

const LISTS = { Vulnerabilities: 'vulnerabilities', Secrets: 'secrets', Licenses: 'licenses' }

export const TRIVY: Recogniser = {
  format: 'Trivy',
  mark: /"SchemaVersion"\s*:\s*2\b/,
  reads: 'json',
  read(values) {
    const report = only(values)
    if (member(report, 'SchemaVersion') !== 2) return undefined
    const target = text(member(report, 'ArtifactName'))
    const counts = new Tally()
    for (const result of elements(member(report, 'Results'))) {
      // A list of packages without vulnerabilities was scanned, too.
      if (String(member(result, 'Class')).endsWith('-pkgs')) counts.add('vulnerabilities', 0)
      for (const [name, shown] of Object.entries(LISTS))
        if (has(result, name)) counts.add(shown, elements(member(result, name)).length)
      for (const check of elements(member(result, 'Misconfigurations')))
        counts.add(text(member(check, 'Status')) === 'FAIL' ? 'misconfigurations' : 'other checks')
    }
    return {
      tool: 'Trivy',
      version: member(report, 'Trivy', 'Version'),
      target,
      time: member(report, 'CreatedAt'),
      counts,
    }
  },
}

export const GRYPE: Recogniser = {
  format: 'Grype',
  mark: /"(?:matches|descriptor)"/,
  reads: 'json',
  read(values) {
    const report = only(values)
    if (member(report, 'descriptor', 'name') !== 'grype') return undefined
    const matches = member(report, 'matches')
    if (!Array.isArray(matches)) return undefined
    if (matches.some((one) => typeof member(one, 'vulnerability', 'id') !== 'string'))
      throw new UnexpectedShape()
    const ignored = elements(member(report, 'ignoredMatches'))
    const counts = new Tally('matches')
    counts.add('matches', matches.length)
    if (ignored.length > 0) counts.add('ignored', ignored.length)
    const source = member(report, 'source', 'target')
    return {
      tool: 'Grype',
      version: member(report, 'descriptor', 'version'),
      target: typeof source === 'string' ? source : member(source, 'userInput'),
      time: member(report, 'descriptor', 'timestamp'),
      counts,
    }
  },
}

/** Its records contain the secrets, and nothing about the run. */
export const GITLEAKS: Recogniser = {
  format: 'gitleaks',
  mark: /"(?:RuleID|offender)"/,
  reads: 'json',
  read(values) {
    const leaks = marked(
      recordsIn(values),
      (one) => has(one, 'RuleID', 'Secret', 'Match') || has(one, 'offender', 'rule', 'commit'),
    )
    return { tool: 'gitleaks', counts: Tally.just('findings', leaks.length) }
  },
}

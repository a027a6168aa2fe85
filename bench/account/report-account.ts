import { reportFact, reportFigure, reportTable } from '../report.ts'
import { type Account, accountFor, bareCpuMs, type DatabaseName, STEPS, TOGETHER } from './account.ts'
import { EVIDENCE_BYTES } from './small-form.ts'

/** Of the files that a kit adds to two small files, on disk. */
const KIT_BYTES = 55_000
const MOST_TIMES_BARE: Readonly<Record<DatabaseName, number>> = { SQLite: 12.5, PostgreSQL: 16 }

/** Prints what a small submission costs, step by step, beside a server that does only what nobody can leave out. */
export async function reportAccount(database: DatabaseName): Promise<void> {
  const account = await accountFor(database)
  const bareMs = await bareCpuMs(KIT_BYTES)
  reportTable(`one small submission on ${database} (2 files, 10 kB), step by step`, HEAD, rowsOf(account))
  const sums = sumsOf(account)
  const polls = account.steps.get('poll')?.statements ?? 0
  const together = sumsOf(account.together)
  reportFigure({
    what: `small submission on ${database}: processor time`,
    against: 'a bare node:http server with the same requests and bytes, one commit and one signature',
    ours: `${account.cpuMs.toFixed(1)} ms`,
    theirs: `${bareMs.toFixed(1)} ms`,
    ratio: account.cpuMs / bareMs,
    goal: { most: MOST_TIMES_BARE[database] },
  })
  reportFact(
    `one alone on ${database}`,
    `${(sums.statements - polls).toFixed(1)} statements without polls, ${sums.commits.toFixed(1)} commits, ${kB(sums.writtenBytes - EVIDENCE_BYTES)} written beside the evidence`,
  )
  reportFact(
    `each of those that ${TOGETHER.clients} clients submit at once to ${database}, with its polls`,
    `${together.statements.toFixed(1)} statements, ${together.commits.toFixed(1)} commits, ${together.syncs.toFixed(1)} syncs, ${kB(together.writtenBytes - EVIDENCE_BYTES)} written beside the evidence`,
  )
}

const kB = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`

/** Its wall time passes while the other steps work. */
const IDLE = 'between requests'
const HEAD = ['step', 'processor ms', 'wall ms', 'statements', 'commits', 'syncs', 'kB written', 'kB hashed']

function rowsOf(account: Account): readonly (readonly string[])[] {
  const sums = sumsOf(account)
  const rows = STEPS.map((step) => {
    const { cpuMs, wallMs, statements, commits, syncs, writtenBytes, hashedBytes } = account.steps.get(step)!
    return [
      step,
      cpuMs.toFixed(2),
      step === IDLE ? '' : wallMs.toFixed(2),
      ...[statements, commits, syncs].map((count) => count.toFixed(1)),
      ...[writtenBytes, hashedBytes].map((bytes) => (bytes / 1000).toFixed(1)),
    ]
  })
  const { statements, commits, syncs, writtenBytes, hashedBytes } = sums
  return [
    ...rows,
    ['other threads', (account.cpuMs - sums.cpuMs).toFixed(2), '', '', '', '', '', ''],
    [
      'in all',
      account.cpuMs.toFixed(2),
      sums.wallMs.toFixed(2),
      ...[statements, commits, syncs].map((count) => count.toFixed(1)),
      ...[writtenBytes, hashedBytes].map((bytes) => (bytes / 1000).toFixed(1)),
    ],
  ]
}

function sumsOf({ steps }: Account) {
  const sum = (
    field: 'cpuMs' | 'wallMs' | 'statements' | 'commits' | 'syncs' | 'writtenBytes' | 'hashedBytes',
  ): number => STEPS.reduce((total, step) => total + (steps.get(step)?.[field] ?? 0), 0)
  return {
    cpuMs: sum('cpuMs'),
    wallMs: sum('wallMs') - (steps.get(IDLE)?.wallMs ?? 0),
    statements: sum('statements'),
    commits: sum('commits'),
    syncs: sum('syncs'),
    writtenBytes: sum('writtenBytes'),
    hashedBytes: sum('hashedBytes'),
  }
}

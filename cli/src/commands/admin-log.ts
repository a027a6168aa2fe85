import { resolve } from 'node:path'
import type { LogStatus, RecoveredLog, Store } from '@kitseal/server'
import { rowsOf, type Shown } from '../command-line.ts'
import { confirm } from '../prompt-secret.ts'
import { pluralize, printable } from '../terminal.ts'
import { type AdminCall, done, group, onStore, refused, type Subcommand } from './admin-command.ts'

const USAGE = `usage: kitseal admin log status              show the log, its high-water mark, and what to do
       kitseal admin log repair [--from DIR] [--yes]
                                             say why the log is frozen and what will be done, and do it
       kitseal admin log export DIR          write checkpoint, tiles and entries to a folder

A log is frozen after a restore or a move, and when the database has less than was signed. Meanwhile no kit is issued.
The high-water mark says what was signed. It is stored outside the database (KITSEAL_LOG_MARK). "repair" also asks the
witnesses of KITSEAL_WITNESS_POLICY, and the log stays frozen if one of them knows more than the database.

OPTIONS

Use the settings and the user of the service, so that the same high-water mark is found.

exit codes: 0 success; 1 the log is frozen (status), or nothing was changed; 2 wrong usage`

const NO_LOG = refused('no_log', 'There is no log yet. Start the service once to create it.')

const show: Subcommand = {
  read: () =>
    onStore(async (store, { server }) => {
      const found = await server.readLogStatus(store)
      return found === undefined ? NO_LOG : describeLog(found)
    }),
}

const exportTo: Subcommand = {
  positionals: ['DIR'],
  read: ({ positionals }) => {
    const folder = resolve(positionals[0] ?? '')
    return onStore(async (store, { server }) => {
      try {
        const { checkpoint, files } = await server.exportLog(store.transparencyLog, folder)
        const { size } = checkpoint
        return done([`Exported ${leaves(size)} to ${folder} (${files} new files).`], { folder, size, files })
      } catch (error) {
        if (!(error instanceof Error) || !['ExportRefused', 'Refusal'].includes(error.name)) throw error
        return refused('export_refused', `kitseal admin log: ${error.message}`)
      }
    })
  },
}

function describeLog(found: LogStatus): Shown {
  const { origin, vkey, size, root, updatedAt, waiting, frozen, mark, witnesses } = found
  const json = {
    origin,
    vkey,
    size,
    root,
    updated_at: updatedAt,
    waiting,
    mark: { location: mark.location, highest: mark.highest, problem: mark.problem?.is ?? null },
    witnesses,
    frozen: frozen === undefined ? null : { since: frozen.at, reason: frozen.reason },
    next: nextStep(found),
  }
  return done(rowsOf(json), json, frozen === undefined)
}

interface RepairOptions {
  /** A copy of the log. */
  readonly from: string | undefined
  readonly nothingNewerWasSigned: boolean
  readonly isConfirmed: boolean
}

/** `kitseal admin log repair`: says what it sees and what it will do, and does it once that is confirmed. */
const repair: Subcommand = {
  options: {
    from: 'DIR  add the missing leaves from a copy of the log: an export, or the folder of "kitseal monitor --mirror". Its checkpoint must be signed by this log, and its leaves must continue those in the database',
    'nothing-newer-was-signed':
      'continue without a high-water mark. You assert that this log never signed anything that is not in this database. If it did, it will have two histories, and monitors report it',
    yes: 'do not ask. Without it, and without a terminal, nothing is changed',
  },
  read: (input) => {
    const from = input.value('from')
    const options: RepairOptions = {
      from: from === undefined ? undefined : resolve(from),
      nothingNewerWasSigned: input.has('nothing-newer-was-signed'),
      isConfirmed: input.has('yes'),
    }
    return onStore(async (store, call) => {
      const status = await call.server.readLogStatus(store)
      if (status === undefined) return NO_LOG
      if (!needsRepair(status))
        return done(['The log is not frozen. Nothing to repair.'], { repaired: false, size: status.size })
      const missing = whatIsMissing(status, options)
      if (missing !== undefined) return missing
      const plan = [...seen(status), ...steps(status, options)]
      if (options.isConfirmed) return perform(store, call, options, plan)
      const answer = await confirm(call.terminal, `${plan.join('\n')}\n\nContinue? [y/N] `)
      if (answer === true) return perform(store, call, options, [])
      return refused(
        'not_confirmed',
        ...(answer === undefined ? plan : []),
        'Nothing was changed. Pass --yes to confirm.',
      )
    })
  },
}

/** A log that is behind is frozen as soon as a service looks at it. */
const needsRepair = ({ frozen, mark: { problem } }: LogStatus): boolean =>
  frozen !== undefined || (problem !== undefined && problem.is !== 'missing')

/** What the operator does next. */
function nextStep(status: LogStatus): string {
  if (!needsRepair(status)) return 'Nothing to do.'
  const { size, signedSize, mark } = status
  if (mark.problem?.is === 'other_history') return OTHER_HISTORY
  if (signedSize > size) return withCopy(`at least ${leaves(signedSize)}`)
  return mark.problem?.is === 'missing' ? MARK_MISSING : 'Run "kitseal admin log repair".'
}

const withCopy = (what: string): string =>
  `Run "kitseal admin log repair --from DIR" with a copy of the log that has ${what}: an export, or the mirror of a monitor.`
const MARK_MISSING =
  'Set KITSEAL_LOG_MARK to where the service keeps it. If it is lost, run "kitseal admin log repair --nothing-newer-was-signed" once you are certain of that.'
const OTHER_HISTORY =
  'This database cannot continue the log. Find the database that the log was signed from, and use that one.'
const CODES = { ahead: 'log_behind', missing: 'mark_missing', other_history: 'log_forked' } as const

/** Why it cannot be repaired with what was given. */
function whatIsMissing(status: LogStatus, { from, nothingNewerWasSigned }: RepairOptions): Shown | undefined {
  const {
    size,
    signedSize,
    mark: { problem },
  } = status
  const stays = (code: string): Shown =>
    refused(code, ...seen(status), 'Nothing was changed.', nextStep(status))
  if (problem?.is === 'other_history') return stays(CODES.other_history)
  if (signedSize > size && from === undefined)
    return stays(problem === undefined ? 'witness_ahead' : CODES.ahead)
  return problem?.is === 'missing' && !nothingNewerWasSigned ? stays(CODES.missing) : undefined
}

function seen({ frozen, size, signedSize, mark: { problem } }: LogStatus): readonly string[] {
  const why = frozen === undefined ? problem?.text : frozen.reason
  return [
    printable(
      frozen === undefined
        ? `The log has to be frozen: ${why}.`
        : `The log is frozen since ${frozen.at}: ${why}.`,
    ),
    `The database has ${leaves(size)}. ${signedSize === 0 ? 'How many were signed is not known.' : `Signed were ${leaves(signedSize)} or more.`}`,
  ]
}

function steps({ size }: LogStatus, { from, nothingNewerWasSigned }: RepairOptions): readonly string[] {
  return [
    'This will',
    ...(from === undefined
      ? []
      : [`- add the leaves after ${size} from ${from}, if they continue what was signed`]),
    ...(nothingNewerWasSigned ? ['- start a new high-water mark, if there is none'] : []),
    '- ask the witnesses, if there are any, whether they know more',
    '- continue the log: kits are issued again',
  ]
}

async function perform(
  store: Store,
  { server, config }: AdminCall,
  { from, nothingNewerWasSigned }: RepairOptions,
  plan: readonly string[],
): Promise<Shown> {
  const before = await server.readLogStatus(store)
  if (before?.frozen === undefined && before?.mark.problem !== undefined)
    await server.freezeLog(store.db, before.mark.problem.text, store.clock)
  const recovered = from === undefined ? undefined : describeRecovery(await server.recoverLog(store, from))
  const added = recovered?.lines ?? []
  await store.signingKeys.ensureFirstKey()
  let silent: readonly string[] = []
  const result = await server.resumeLog(store, {
    nothingNewerWasSigned,
    askWitnesses: async () => {
      const answers = await server.askAllWitnesses(store, config.proof)
      silent = answers.silent
      return answers.ahead
    },
  })
  if (result.is === 'no_log') return NO_LOG
  if (result.is === 'behind_witness') {
    const isFork = result.problems.some((problem) => problem.includes('another history'))
    const next = isFork ? OTHER_HISTORY : withCopy('what the witness has')
    const stays = printable(`The log stays frozen: ${result.problems.join('; ')}.`)
    return refused(isFork ? 'log_forked' : 'witness_ahead', ...plan, ...added, stays, next)
  }
  if (result.is === 'refused')
    return refused(
      CODES[result.problem.is],
      ...added,
      `The log stays frozen: ${result.problem.text}.`,
      nextStep(result.status),
    )
  return done(
    [
      ...plan,
      ...added,
      ...silent.map((problem) => printable(`No answer from the witness ${problem}`)),
      `The log continues at ${leaves(result.status.size)}. A running service issues kits within seconds.`,
    ],
    { repaired: true, recovered: recovered?.json ?? null, size: result.status.size },
  )
}

const leaves = (count: number): string => (count === 1 ? '1 leaf' : `${count} leaves`)

const some = (count: number, line: string): readonly string[] => (count === 0 ? [] : [line])

function describeRecovery({ isAnyActive, ...json }: RecoveredLog) {
  const { from, to, kits, ended_jobs: jobs, ended_keys: ended, unknown_keys: unknown } = json
  const { unknown_receipts: receipts, erased_receipts: erased, audit_heads: heads } = json
  const lines = [
    to === from
      ? 'The copy has nothing that the database lacks.'
      : `Recovered ${leaves(to - from)}: the log has ${to} now.`,
    ...some(
      kits,
      `Already in the log, and issued when the log continues: ${pluralize(kits, 'kit')} of this database.`,
    ),
    ...some(receipts, `Issued, but not in this database: ${pluralize(receipts, 'kit')}.`),
    ...some(
      jobs.length,
      `Ended, because such a kit was issued for them: ${pluralize(jobs.length, 'job')}. Their suppliers are told to submit again.`,
    ),
    ...jobs.map((jobId) => `  ${jobId}`),
    ...some(ended.length, `Retired or revoked, because the log says so: ${ended.join(', ')}`),
    ...some(
      unknown.length,
      `Signing keys that this database does not have: ${unknown.join(', ')}. Kits signed with them do not verify until you run "kitseal admin signing-key import" with the jwks.json of such a kit.`,
    ),
    ...some(
      erased.length,
      `Erased after the backup, and back in this database: ${pluralize(erased.length, 'kit')}. Erase them again:`,
    ),
    ...erased.map((sha256) => `  receipt ${sha256}`),
    ...some(
      heads,
      `Audit logs lost events in the restore: the log has ${pluralize(heads, 'newer head')}. Earlier exports of them have more events.`,
    ),
    ...(isAnyActive ? [] : ['A new signing key was created, because none was active.']),
  ]
  return { lines, json }
}

/** `kitseal admin log`. A running service notices the change within seconds. */
export const run = group('log', USAGE, { status: show, repair, export: exportTo })

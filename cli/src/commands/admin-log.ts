import { resolve } from 'node:path'
import type { Config, LogStatus, MarkProblem, RecoveredLog, Store } from '@kitseal/server'
import { pluralize, printable } from '../terminal.ts'
import { groupOn, type Subcommand } from './admin-group.ts'
import { done, refused } from './admin-result.ts'

const USAGE = `usage: kitseal admin log status              show the log, its high-water mark, and what to do
       kitseal admin log resume              continue a frozen log that has everything that was signed
       kitseal admin log recover --from DIR  add the missing leaves from a copy of the log
       kitseal admin log export DIR          write checkpoint, tiles and entries to a folder

A log is frozen after a restore or a move, and when the database has less than was signed. Meanwhile no kit is issued.
The high-water mark says what was signed. It is stored outside the database (KITSEAL_LOG_MARK). "resume" also asks the
witnesses of KITSEAL_WITNESS_POLICY, and changes nothing if one of them knows more than the database.

  --from DIR                   an export, or the folder of "kitseal monitor --mirror". Its checkpoint must be signed by
                               this log, and its leaves must continue those in the database
  --nothing-newer-was-signed   resume without a high-water mark. You assert that this log never signed anything that is
                               not in this database. If it did, it will have two histories, and monitors will report it
  --data DIR                   the service's data (default: KITSEAL_DATA, or ./data), unless KITSEAL_DATABASE_URL is set
  --json                       print the result as JSON

Use the settings and the user of the service, so that the same high-water mark is found.

exit codes: 0 success; 1 the log is frozen (status), or nothing was changed; 2 wrong usage`

type Opened = Store & Pick<Config, 'proof'>

const status: Subcommand<Opened> = {
  read: () => async (store) => {
    const { readLogStatus } = await import('@kitseal/server')
    const found = await readLogStatus(store)
    if (found === undefined) return NO_LOG
    const { frozen, mark } = found
    const lines = [
      `origin   ${found.origin}`,
      `key      ${found.vkey}`,
      `size     ${leaves(found.size)}, since ${found.updatedAt}`,
      `root     ${found.root}`,
      `waiting  ${leaves(found.waiting)}`,
      `mark     ${markText(found)}`,
      `         ${mark.location}`,
      ...found.witnesses.map((witness) => `witness  ${witnessText(witness)}`),
      `frozen   ${frozen === undefined ? 'no' : `since ${frozen.at}: ${frozen.reason}`}`,
      '',
      nextStep(found),
    ]
    return done(lines, toJson(found), frozen === undefined)
  },
}

const resume: Subcommand<Opened> = {
  options: { 'nothing-newer-was-signed': 'flag' },
  read: (input) => async (store) => {
    const { askAllWitnesses, resumeLog } = await import('@kitseal/server')
    let silent: readonly string[] = []
    const result = await resumeLog(store, {
      nothingNewerWasSigned: input.has('nothing-newer-was-signed'),
      askWitnesses: async () => {
        const asked = await askAllWitnesses(store, store.proof)
        silent = asked.silent
        return asked.ahead
      },
    })
    if (result.is === 'no_log') return NO_LOG
    const { size } = result.status
    if (result.is === 'not_frozen')
      return done(['The log is not frozen. Nothing was changed.'], { resumed: false, size })
    if (result.is === 'resumed')
      return done(
        [
          ...silent.map((problem) => printable(`No answer from the witness ${problem}`)),
          `The log continues at ${leaves(size)}. A running service issues kits within seconds.`,
        ],
        { resumed: true, size },
      )
    if (result.is === 'behind_witness')
      return refused(
        'witness_ahead',
        printable(`The log stays frozen: ${result.problems.join('; ')}.`),
        NEXT_STEPS.ahead,
      )
    return refused(
      REFUSALS[result.problem.is],
      `The log stays frozen: ${result.problem.text}.`,
      NEXT_STEPS[result.problem.is],
    )
  },
}

const recover: Subcommand<Opened> = {
  options: { from: 'one' },
  read: (input) => {
    const from = input.value('from')
    if (from === undefined) input.reject('--from is required')
    return async (store) => {
      const { recoverLog } = await import('@kitseal/server')
      const recovered = await recoverLog(store, resolve(from ?? ''))
      return done(recoveredLines(recovered), recoveredJson(recovered))
    }
  },
}

const exportTo: Subcommand<Opened> = {
  positionals: ['DIR'],
  read: ({ positionals }) => {
    const folder = resolve(positionals[0] ?? '')
    return async (store) => {
      const { exportLog } = await import('@kitseal/server')
      try {
        const { checkpoint, files } = await exportLog(store.transparencyLog, folder)
        return done([`Exported ${leaves(checkpoint.size)} to ${folder} (${files} new files).`], {
          folder,
          size: checkpoint.size,
          files,
        })
      } catch (error) {
        if (!(error instanceof Error) || !['ExportRefused', 'Refusal'].includes(error.name)) throw error
        return refused('export_refused', `kitseal admin log: ${error.message}`)
      }
    }
  },
}

/** `kitseal admin log`. A running service notices the change within seconds. */
export const run = groupOn(
  async (config) => {
    const store = await (await import('@kitseal/server')).openStore(config)
    return { ...store, proof: config.proof }
  },
  'log',
  USAGE,
  { status, resume, recover, export: exportTo },
)

const NO_LOG = refused('no_log', 'There is no log yet. Start the service once to create it.')

const REFUSALS = { ahead: 'log_behind', missing: 'mark_missing', other_history: 'log_forked' } as const

const NEXT_STEPS: Readonly<Record<MarkProblem['is'], string>> = {
  ahead:
    'Run "kitseal admin log recover --from DIR" with a newer copy of the log: an export, or the mirror of a monitor.',
  missing:
    'Set KITSEAL_LOG_MARK to where the service keeps it. If it is lost, run "kitseal admin log resume --nothing-newer-was-signed" once you are certain of that.',
  other_history:
    'This database cannot continue the log. Find the database that the log was signed from, and use that one.',
}

function nextStep({ frozen, mark: { problem } }: LogStatus): string {
  if (problem !== undefined && (frozen !== undefined || problem.is !== 'missing'))
    return NEXT_STEPS[problem.is]
  return frozen === undefined ? 'Nothing to do.' : 'Run "kitseal admin log resume".'
}

function markText({ mark: { highest } }: LogStatus): string {
  if (highest.length > 1) return `two histories of ${leaves(highest[0]?.size ?? 0)}`
  return highest[0] === undefined ? 'none' : leaves(highest[0].size)
}

function witnessText({ name, size, cosigned_at, problem }: LogStatus['witnesses'][number]): string {
  const cosigned = cosigned_at === null ? 'nothing cosigned' : `${leaves(size)}, cosigned at ${cosigned_at}`
  return printable(problem === null ? `${name}: ${cosigned}` : `${name}: ${cosigned}. ${problem}`)
}

function toJson(found: LogStatus): object {
  const { origin, vkey, size, root, updatedAt, waiting, frozen, mark, witnesses } = found
  return {
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
}

const leaves = (count: number): string => (count === 1 ? '1 leaf' : `${count} leaves`)
const some = (count: number, line: string): readonly string[] => (count === 0 ? [] : [line])

function recoveredLines({
  from,
  to,
  kits,
  unknownReceipts,
  endedJobs,
  keys,
  erased,
  auditHeads,
}: RecoveredLog): readonly string[] {
  return [
    `Recovered ${leaves(to - from)}: the log has ${to} now.`,
    ...some(
      kits,
      `Already in the log, and issued after you resume: ${pluralize(kits, 'kit')} of this database.`,
    ),
    ...some(unknownReceipts, `Issued, but not in this database: ${pluralize(unknownReceipts, 'kit')}.`),
    ...some(
      endedJobs.length,
      `Ended, because such a kit was issued for them: ${pluralize(endedJobs.length, 'job')}. Their suppliers are told to submit again.`,
    ),
    ...endedJobs.map((jobId) => `  ${jobId}`),
    ...some(keys.ended.length, `Retired or revoked, because the log says so: ${keys.ended.join(', ')}`),
    ...some(
      keys.unknown.length,
      `Signing keys that this database does not have: ${keys.unknown.join(', ')}. Kits signed with them do not verify with the key set of this service.`,
    ),
    ...some(
      erased.length,
      `Erased after the backup, and back in this database: ${pluralize(erased.length, 'kit')}. Erase them again:`,
    ),
    ...erased.map((sha256) => `  receipt ${sha256}`),
    ...some(
      auditHeads,
      `Audit logs lost events in the restore: the log has ${pluralize(auditHeads, 'newer head')}. Earlier exports of them have more events.`,
    ),
    ...(keys.isAnyActive ? [] : ['No signing key is active. Run "kitseal admin signing-key rotate".']),
    'The log is still frozen. Run "kitseal admin log resume".',
  ]
}

function recoveredJson({
  from,
  to,
  kits,
  unknownReceipts,
  endedJobs,
  keys,
  erased,
  auditHeads,
}: RecoveredLog): object {
  return {
    from,
    to,
    kits,
    unknown_receipts: unknownReceipts,
    ended_jobs: endedJobs,
    ended_keys: keys.ended,
    unknown_keys: keys.unknown,
    erased_receipts: erased,
    audit_heads: auditHeads,
  }
}

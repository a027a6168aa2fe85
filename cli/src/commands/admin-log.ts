import { resolve } from 'node:path'
import type { LogStatus } from '@kitseal/server'
import { printable } from '../terminal.ts'
import { groupOn, type Subcommand, done, refused } from './admin-command.ts'
import { leaves, nextStep, NO_LOG, type OpenedLog, repair } from './admin-log-repair.ts'

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

const status: Subcommand<OpenedLog> = {
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

const exportTo: Subcommand<OpenedLog> = {
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
  async (config, terminal) => {
    const store = await (await import('@kitseal/server')).openStore(config)
    return { ...store, proof: config.proof, terminal }
  },
  'log',
  USAGE,
  { status, repair, export: exportTo },
)

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

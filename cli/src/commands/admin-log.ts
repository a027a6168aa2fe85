import { resolve } from 'node:path'
import type { LogStatus } from '@kitseal/server'
import type { Shown } from '../command-line.ts'
import { printable } from '../terminal.ts'
import { done, group, onStore, refused, type Subcommand } from './admin-command.ts'
import { leaves, nextStep, NO_LOG, repair } from './admin-log-repair.ts'

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

const status: Subcommand = {
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

/** `kitseal admin log`. A running service notices the change within seconds. */
export const run = group('log', USAGE, { status, repair, export: exportTo })

function markText({ mark: { highest } }: LogStatus): string {
  if (highest.length > 1) return `two histories of ${leaves(highest[0]?.size ?? 0)}`
  return highest[0] === undefined ? 'none' : leaves(highest[0].size)
}

function witnessText({ name, size, cosigned_at, problem }: LogStatus['witnesses'][number]): string {
  const cosigned = cosigned_at === null ? 'nothing cosigned' : `${leaves(size)}, cosigned at ${cosigned_at}`
  return printable(problem === null ? `${name}: ${cosigned}` : `${name}: ${cosigned}. ${problem}`)
}

function describeLog(found: LogStatus): Shown {
  const { origin, vkey, size, root, updatedAt, waiting, frozen, mark, witnesses } = found
  const next = nextStep(found)
  const lines = [
    `origin   ${origin}`,
    `key      ${vkey}`,
    `size     ${leaves(size)}, since ${updatedAt}`,
    `root     ${root}`,
    `waiting  ${leaves(waiting)}`,
    `mark     ${markText(found)}`,
    `         ${mark.location}`,
    ...witnesses.map((witness) => `witness  ${witnessText(witness)}`),
    `frozen   ${frozen === undefined ? 'no' : `since ${frozen.at}: ${frozen.reason}`}`,
    '',
    next,
  ]
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
    next,
  }
  return done(lines, json, frozen === undefined)
}

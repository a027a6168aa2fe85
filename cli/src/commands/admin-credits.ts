import { pluralize } from '../terminal.ts'
import { done } from './admin-result.ts'
import { label, group, type Subcommand } from './admin-group.ts'
import { withWorkspace } from './with-workspace.ts'

const USAGE = `usage: kitseal admin credits grant WORKSPACE N [--note TEXT]
       kitseal admin credits show WORKSPACE

  --data DIR   the service's data (default: KITSEAL_DATA, or ./data)
  --json       print the result as JSON
  --note TEXT  a note in the credit history`

const MAX_CREDITS = 1_000_000_000

const grant: Subcommand = {
  options: { note: 'one' },
  positionals: ['WORKSPACE', 'N'],
  read: (input) => {
    const [wanted = '', text = ''] = input.positionals
    const credits = /^\d{1,10}$/.test(text) ? Number(text) : 0
    if (text !== '' && (credits < 1 || credits > MAX_CREDITS))
      input.reject(`N must be a whole number from 1 to ${MAX_CREDITS}, not ${JSON.stringify(text)}`)
    const note = label(input, 'note')
    return withWorkspace(wanted, async (admin, row) => {
      await admin.workspaces.grant(row.workspace_id, credits, note, { is: 'operator' })
      const now = (await admin.workspaces.find(row.workspace_id)) ?? row
      const json = { workspace_id: row.workspace_id, granted: credits, available: now.credits_available }
      return done(
        [
          `Granted ${pluralize(credits, 'credit')} to ${row.workspace_id}. It now has ${now.credits_available}.`,
        ],
        json,
      )
    })
  },
}

const show: Subcommand = {
  positionals: ['WORKSPACE'],
  read: ({ positionals: [wanted = ''] }) =>
    withWorkspace(wanted, async (_admin, row) => {
      const { workspace_id, credits_held: held } = row
      const available = row.credits_unlimited === 1 ? null : row.credits_available
      return done([`${available ?? 'Unlimited'} available, ${held} held by open submissions.`], {
        workspace_id,
        available,
        held,
      })
    }),
}

export const run = group('credits', USAGE, { grant, show })

import { counted, type Terminal } from '../terminal.ts'
import { done } from './admin-answer.ts'
import { label, runArea, type Verb } from './admin-area.ts'
import { inWorkspace } from './in-workspace.ts'

const USAGE = `usage: kitseal admin credits grant WORKSPACE N [--note TEXT]
       kitseal admin credits show WORKSPACE

  --data DIR   the service's data (default: KITSEAL_DATA, or ./data)
  --json       the answer as JSON
  --note TEXT  stays in the ledger with the grant
`

const MOST_CREDITS = 1_000_000_000

const grant: Verb = {
  options: { note: 'one' },
  words: ['a WORKSPACE', 'a number of credits'],
  read: (given) => {
    const [wanted = '', text = ''] = given.words
    const credits = /^\d{1,10}$/.test(text) ? Number(text) : 0
    if (text !== '' && (credits < 1 || credits > MOST_CREDITS))
      given.problem(`a grant is a whole number from 1 to ${MOST_CREDITS}, and not ${JSON.stringify(text)}`)
    const note = label(given, 'note')
    return inWorkspace(wanted, async (admin, row) => {
      await admin.workspaces.grant(row.workspace_id, credits, note, { is: 'operator' })
      const now = (await admin.workspaces.find(row.workspace_id)) ?? row
      const json = { workspace_id: row.workspace_id, granted: credits, available: now.credits_available }
      return done(
        [
          `Granted ${counted(credits, 'credit')} to ${row.workspace_id}; it now has ${now.credits_available}.`,
        ],
        json,
      )
    })
  },
}

const show: Verb = {
  options: {},
  words: ['a WORKSPACE'],
  read: ({ words: [wanted = ''] }) =>
    inWorkspace(wanted, async (_admin, row) => {
      const { workspace_id, credits_available: available, credits_held: held } = row
      return done([`${available} available, ${held} held for submissions in hand.`], {
        workspace_id,
        available,
        held,
      })
    }),
}

export const run = (args: readonly string[], terminal: Terminal): Promise<number> =>
  runArea({ name: 'credits', usage: USAGE, verbs: { grant, show } }, args, terminal)

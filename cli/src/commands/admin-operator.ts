import { EMAIL } from '../email.ts'
import type { Administration } from '@kitseal/server'
import type { Shown } from '../command-line.ts'
import { shellQuote } from '../shell-quote.ts'
import { group, type Input, type Subcommand } from './admin-group.ts'
import { done, refused } from './admin-result.ts'

const USAGE = `usage: kitseal admin operator add EMAIL      lets the person with this address look after the service in the console
       kitseal admin operator add --remove EMAIL   ends it with the next request

"kitseal admin status" lists operators. They open /console/service: checks, storage, queue, mail, backups, keys, log, workspaces and their members. They see no
evidence, labels or file names there. They must be members of some workspace, to sign in, and their address must be proved:
by single sign-on, or by a link of "kitseal admin invite". Passkeys from before that link are deleted.

  --data DIR   the service's data (default: KITSEAL_DATA, or ./data), unless KITSEAL_DATABASE_URL is set
  --json       print the result as JSON

example:
  kitseal admin operator add ann@example.com`

const add: Subcommand = {
  options: { remove: 'flag' },
  positionals: ['EMAIL'],
  read: (input) => {
    const email = emailIn(input)
    const isRemoval = input.has('remove')
    return async (admin) => {
      if (isRemoval) return remove(admin, email)
      const isNew = await admin.operators.add(email)
      const found = (await admin.operators.list()).find((each) => each.email === email)
      const workspaces = found?.workspaces ?? []
      const workspace = workspaces[0] === undefined ? 'WORKSPACE' : shellQuote(workspaces[0])
      const lines = [
        isNew ? `${email} is an operator.` : `${email} is already an operator.`,
        ...(found?.status === 'active'
          ? ['They find "Service" in the menu of the console.']
          : [
              workspaces.length === 0
                ? 'They are not a member of a workspace yet, so they cannot sign in. Send them the link of:'
                : 'Nobody has proved this address yet. They sign in with single sign-on, or with the link of:',
              `  kitseal admin invite --workspace ${workspace} --email ${shellQuote(email)} --role viewer`,
            ]),
      ]
      return done(lines, { added: isNew, ...found })
    }
  },
}

async function remove(admin: Administration, email: string): Promise<Shown> {
  if (await admin.operators.remove(email))
    return done([`${email} is no longer an operator.`], { removed: email })
  return refused(
    'no_such_operator',
    `${email} is not an operator. Nothing was changed.`,
    'Run "kitseal admin status" to list operators.',
  )
}

export const run = group('operator', USAGE, { add })

function emailIn(input: Input): string {
  const [email = ''] = input.positionals
  if (!EMAIL.test(email) || email.length > 254) input.reject('EMAIL must be an email address')
  return email.toLowerCase()
}

import { EXIT, type Terminal } from '../terminal.ts'
import { done } from './admin-answer.ts'
import { runOnly, type Verb } from './admin-area.ts'
import { inWorkspace } from './in-workspace.ts'

const USAGE = `usage: kitseal admin invite --workspace WORKSPACE --email EMAIL [--role owner|member|viewer] [--url URL] [--json]

Makes a link into the console that works once, within 7 days: whoever opens it registers a passkey and belongs to the
workspace. For somebody who belongs to it already, the link signs in on another device, and the role stays.

  --workspace WORKSPACE  by id, or by a name that only one has
  --email EMAIL          whom it is for; one open link for each address
  --role ROLE            what they may do: owner (everything), member (submit; the default), viewer (look)
  --url URL              the service's address, where it is not KITSEAL_ISSUER or this machine's KITSEAL_PORT
  --data DIR             the service's data (default: KITSEAL_DATA, or ./data; KITSEAL_DATABASE_URL where it is set)
  --json                 the answer as JSON

example:
  kitseal admin invite --workspace default --email ann@example.com --role owner
`

const ROLES = ['owner', 'member', 'viewer'] as const
const EMAIL = /^[^\s@"<>()[\]\\,;:]+@[^\s@"<>()[\]\\,;:]+$/u

const invite: Verb = {
  options: { workspace: 'one', email: 'one', role: 'one', url: 'one' },
  words: [],
  read: (given) => {
    const [wanted = '', email = '', url] = ['workspace', 'email', 'url'].map((name) => given.value(name))
    const role = ROLES.find((each) => each === (given.value('role') ?? 'member'))
    if (wanted === '') given.problem('--workspace is needed')
    if (!EMAIL.test(email) || email.length > 254) given.problem('--email takes an email address')
    if (role === undefined) given.problem(`--role takes one of ${ROLES.join(', ')}`)
    if (url !== undefined && !/^https?:\/\/[^/]/.test(url))
      given.problem('--url takes an http or https address')
    return inWorkspace(wanted, async (admin, row) => {
      const asked = { workspaceId: row.workspace_id, email, role: role ?? 'member' }
      const made = await admin.invitations.invite(asked, { is: 'operator' })
      const link = url === undefined ? admin.consoleLink(made.token) : admin.consoleLink(made.token, url)
      const text = [
        `Link for ${made.email}, ${made.role} of ${JSON.stringify(row.name)}:`,
        `  ${link}`,
        `  Works once, until ${made.expiresAt}. Whoever has it can use it: send it to nobody else.`,
      ]
      return done(text, {
        link,
        token: made.token,
        email: made.email,
        role: made.role,
        workspace_id: row.workspace_id,
        invitation_id: made.invitationId,
        expires_at: made.expiresAt,
      })
    })
  },
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    terminal.stdout.write(USAGE)
    return EXIT.ok
  }
  return runOnly({ command: 'admin invite', name: 'invite', verb: invite }, args, terminal)
}

import { EMAIL } from '../email.ts'
import { done } from './admin-result.ts'
import { single, type Subcommand } from './admin-group.ts'
import { withWorkspace } from './with-workspace.ts'

const USAGE = `usage: kitseal admin invite --workspace WORKSPACE --email EMAIL [--role owner|manager|member|viewer] [--url URL] [--json]

Creates a one-time link to the console, valid for 7 days. Opening it registers a passkey and joins the workspace.
A member who opens it signs in on another device and keeps their role.

  --workspace WORKSPACE  its ID or unique name
  --email EMAIL          the person to invite; each address has at most one open link
  --role ROLE            owner (full access), manager (programs and profiles, too),
                         member (can submit; the default) or viewer (read only)
  --url URL              the service's URL (default: KITSEAL_ISSUER, or KITSEAL_PORT on this machine)
  --data DIR             the service's data (default: KITSEAL_DATA, or ./data), unless KITSEAL_DATABASE_URL is set
  --json                 print the result as JSON

example:
  kitseal admin invite --workspace default --email ann@example.com --role owner`

const ROLES = ['owner', 'manager', 'member', 'viewer'] as const

const invite: Subcommand = {
  options: { workspace: 'one', email: 'one', role: 'one', url: 'one' },
  read: (input) => {
    const [wanted = '', email = '', url] = ['workspace', 'email', 'url'].map((name) => input.value(name))
    const role = ROLES.find((each) => each === (input.value('role') ?? 'member'))
    if (wanted === '') input.reject('--workspace is required')
    if (!EMAIL.test(email) || email.length > 254) input.reject('--email must be an email address')
    if (role === undefined) input.reject(`--role must be one of ${ROLES.join(', ')}`)
    if (url !== undefined && !/^https?:\/\/[^/]/.test(url)) input.reject('--url must be an http or https URL')
    return withWorkspace(wanted, async (admin, row) => {
      const asked = { workspaceId: row.workspace_id, email, role: role ?? 'member' }
      const created = await admin.invitations.invite(asked, { is: 'operator' })
      const link =
        url === undefined ? admin.consoleLink(created.token) : admin.consoleLink(created.token, url)
      const text = [
        `Invitation for ${created.email}, ${created.role} of ${JSON.stringify(row.name)}:`,
        `  ${link}`,
        `  Works once, until ${created.expiresAt}. Anyone who has the link can use it. Send it to this person only.`,
      ]
      return done(text, {
        link,
        token: created.token,
        email: created.email,
        role: created.role,
        workspace_id: row.workspace_id,
        invitation_id: created.invitationId,
        expires_at: created.expiresAt,
      })
    })
  },
}

export const run = single('invite', USAGE, invite)

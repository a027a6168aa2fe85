import { oneOf, type Run } from '../command-line.ts'
import { shellQuote } from '../terminal.ts'
import {
  described,
  done,
  group,
  type Input,
  onAdministration,
  refused,
  single,
  type Subcommand,
} from './admin-command.ts'
import { withWorkspace } from './admin-workspace.ts'

const INVITE = `usage: kitseal admin invite --workspace WORKSPACE --email EMAIL [--role ROLE] [--url URL]

Creates a one-time link to the console, valid for 7 days. Opening it registers a passkey and joins the workspace.
A member who opens it signs in on another device and keeps their role.

OPTIONS

example:
  kitseal admin invite --workspace default --email ann@example.com --role owner`

const ROLES = ['owner', 'manager', 'member', 'viewer'] as const

const invite: Subcommand = {
  options: {
    workspace: 'WORKSPACE  its ID or unique name',
    email: 'EMAIL  the person to invite; each address has at most one open link',
    role: 'ROLE  owner (full access), manager (programs and profiles, too), member (can submit; the default) or viewer (read only)',
    url: "URL  the service's URL (default: KITSEAL_ISSUER, or KITSEAL_PORT on this machine)",
  },
  read: (input) => {
    const [wanted, email, url] = ['workspace', 'email', 'url'].map((name) => input.value(name))
    const role = oneOf(input, 'role', ROLES) ?? 'member'
    const address = emailIn(input, '--email', email)
    input.reject(
      wanted === undefined && '--workspace is required',
      url !== undefined && !/^https?:\/\/[^/]/.test(url) && '--url must be an http or https URL',
    )
    return withWorkspace(wanted, async (admin, row) => {
      const invited = { workspaceId: row.workspace_id, email: address, role }
      const created = await admin.invitations.invite(invited, { is: 'operator' })
      const invitation = {
        link: admin.consoleLink(created.token, url),
        token: created.token,
        email: created.email,
        role: created.role,
        workspace_id: row.workspace_id,
        invitation_id: created.invitationId,
        expires_at: created.expiresAt,
      }
      return described(
        invitation,
        'The link works once. Anyone who has it can use it. Send it to this person only.',
      )
    })
  },
}

const create = single('invite', INVITE, invite)

/** Without arguments, it shows its usage. */
export const runInvite: Run = (args, terminal) => create(args.length === 0 ? ['--help'] : args, terminal)

const OPERATOR = `usage: kitseal admin operator add EMAIL [--remove]

Lets the person with this address look after the service in the console; "kitseal admin status" lists them. They open /console/service: checks, storage, queue, mail, backups, keys, log, workspaces and their members. They see no
evidence, labels or file names there. They must be members of some workspace, to sign in, and their address must be proved:
by single sign-on, or by a link of "kitseal admin invite". Passkeys from before that link are deleted.

OPTIONS`

const add: Subcommand = {
  options: { remove: 'the person is no longer an operator, from the next request' },
  positionals: ['EMAIL'],
  read: (input) => {
    const email = emailIn(input, 'EMAIL', input.positionals[0]).toLowerCase()
    const isRemoval = input.has('remove')
    return onAdministration(async ({ operators }) => {
      if (isRemoval)
        return (await operators.remove(email))
          ? done([`${email} is no longer an operator.`], { removed: email })
          : refused(
              'no_such_operator',
              `${email} is not an operator. Nothing was changed.`,
              'Run "kitseal admin status" to list operators.',
            )
      const isNew = await operators.add(email)
      const found = (await operators.list()).find((each) => each.email === email)
      const [workspace] = found?.workspaces ?? []
      const lines = [
        isNew ? `${email} is an operator.` : `${email} is already an operator.`,
        ...(found?.status === 'active'
          ? ['They find "Service" in the menu of the console.']
          : [
              workspace === undefined
                ? 'They are not a member of a workspace yet, so they cannot sign in. Send them the link of:'
                : 'Nobody has proved this address yet. They sign in with single sign-on, or with the link of:',
              `  kitseal admin invite --workspace ${shellQuote(workspace ?? 'WORKSPACE')} --email ${shellQuote(email)} --role viewer`,
            ]),
      ]
      return done(lines, { added: isNew, ...found })
    })
  },
}

export const operator = group('operator', OPERATOR, { add })

/** One address, without a name. The service accepts no other characters. */
function emailIn({ reject }: Input, name: string, email = ''): string {
  const isAddress = /^[^\s@"<>()[\]\\,;:]+@[^\s@"<>()[\]\\,;:]+$/u.test(email) && email.length <= 254
  reject(!isAddress && `${name} must be an email address`)
  return email
}

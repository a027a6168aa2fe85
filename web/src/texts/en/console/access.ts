import { counted } from '../words.ts'

/** Signing in, members and the account. */
export const access = {
  roles: {
    names: { owner: 'Owner', manager: 'Manager', member: 'Member', viewer: 'Viewer' },
    explained:
      'Viewers can read. Members can also submit evidence, request it from suppliers and share kits. Managers can also run programs and change profiles. Owners can also place legal holds, delete evidence, re-issue kits and manage API keys, members and the workspace.',
    needs: (
      permission:
        | 'submit'
        | 'shares'
        | 'comments'
        | 'requests'
        | 'programs'
        | 'profiles'
        | 'webhooks'
        | 'keys'
        | 'members'
        | 'settings'
        | 'reissue'
        | 'custody',
      role: string,
    ) => {
      const [who, what] = {
        submit: ['members, managers and owners', 'submit evidence'],
        shares: ['members, managers and owners', 'share kits'],
        profiles: ['managers and owners', 'change profiles'],
        webhooks: ['owners', 'manage webhooks'],
        keys: ['owners', 'manage API keys'],
        members: ['owners', 'manage members'],
        settings: ['owners', 'change the workspace'],
        reissue: ['owners', 're-issue kits'],
        requests: ['members, managers and owners', 'manage requests'],
        programs: ['managers and owners', 'manage programs'],
        comments: ['managers and owners', 'erase comments'],
        custody: ['owners', 'place legal holds and delete evidence'],
      }[permission]
      return `Only ${who} can ${what}. Your role is ${role}.`
    },
  },
  workspaces: {
    button: (name: string) => `Workspace ${name}`,
    byPasskey: 'Sign in with its passkey',
    settings: 'Workspace settings',
    failed: 'Could not switch the workspace',
  },
  signIn: {
    title: 'Sign in',
    heading: 'Sign in to the console',
    withPasskey: 'Sign in with a passkey',
    withOidc: (name: string) => `Sign in with ${name}`,
    noAccount: 'No account yet? Ask an owner of your workspace for an invitation link.',
    operator: 'Operators can create one with',
    operatorCommand: 'kitseal admin invite',
    unsupported:
      'Passkeys are not available here. They need HTTPS or localhost, and a browser that supports them. Ask the operator for a sign-in link.',
    dismissed: 'No passkey was used. Try again, or use a sign-in link.',
    alreadyThere: 'This device already has a passkey for you. Sign in with it.',
    noPasskey: 'The browser could not use a passkey. Try another browser, or use a sign-in link.',
    oidcProblems: {
      oidc_refused: 'Sign-in was not completed. Try again.',
      oidc_email_unverified:
        'Your email address is not verified with the sign-in provider. Verify it, then try again.',
      oidc_not_a_member:
        'You are not a member of any workspace here. Ask an owner to invite your email address.',
      oidc_unavailable: 'The sign-in provider is not responding. Try again later, or use a passkey.',
    },
  },
  choose: {
    title: 'Choose a workspace',
    lead: (email: string) => `You are ${email}. The next sign-in opens the same workspace.`,
    role: (role: string) => `Role: ${role.toLowerCase()}`,
    join: (workspace: string) => `Join ${workspace}`,
    linked:
      'Someone joined with your address and a link. If you continue, their sessions and passkeys here end, and only you can use this membership.',
  },
  invite: {
    title: 'Invitation',
    sso: 'You sign in with single sign-on, so only single sign-on can accept this invitation.',
    withOidc: (name: string) => `Continue with ${name}`,
    heading: (workspace: string) => `Join ${workspace}`,
    setUp: 'Set up kitseal',
    setUpText: 'You become the owner of this workspace.',
    organization: 'Organization',
    organizationHint: 'Kits say that they are from it. You can change it later.',
    name: 'Your name',
    email: 'Your email address',
    as: (email: string, role: string) => `${email}, role: ${role.toLowerCase()}`,
    label: 'Passkey name (optional)',
    labelHint: 'Helps you recognize this passkey later.',
    labelExample: 'Work laptop',
    makePasskey: 'Create a passkey and sign in',
    without: 'Sign in once without a passkey',
    unsupported:
      'Passkeys are not available here. They need HTTPS or localhost, and a browser that supports them. You can sign in once without one.',
    expires: 'This link works once. It expires on',
    invalid: 'This link cannot be used',
    invalidHint: 'An invitation link works once, and only until it expires. Ask for a new one.',
    noToken: {
      title: 'This link is incomplete',
      text: 'An invitation link ends with “#” and a long code. Open the complete link, or ask for a new one.',
    },
    toSignIn: 'Go to sign-in',
  },
  account: {
    lead: (email: string, role: string) => `${email}, ${role.toLowerCase()}`,
    person: {
      title: 'You',
      name: 'Your name',
      email: 'Email address',
      emailHint: 'Members see it. Mail for you goes to it. It is not verified.',
      fixed: (email: string) => `Your sign-in provider says that your address is ${email}.`,
    },
    passkeys: {
      title: 'Passkeys',
      text: 'A passkey lets you sign in with your fingerprint, face or PIN. Add one on a second device in case you lose the first.',
      none: 'You have no passkey: you signed in with a link. Add one now, or you will need a new link next time.',
      label: 'Name (optional)',
      add: 'Add a passkey',
      added: 'Added',
      used: 'last used',
      neverUsed: 'never used',
      backedUp: 'synced',
      remove: {
        action: 'Remove',
        title: (label: string) => `Remove “${label}”?`,
        text: 'You can no longer sign in with this passkey. Sessions started with it stay active.',
      },
    },
    sessions: {
      title: 'Sessions',
      text: 'Browsers where you are signed in.',
      current: 'This browser',
      methods: { passkey: 'a passkey', link: 'a link', oidc: 'single sign-on' },
      signedIn: (method: string) => `Signed in with ${method} on`,
      active: 'last active',
      end: 'Sign out',
      endOthers: 'Sign out everywhere else',
    },
  },
  members: {
    lead: 'People who can use this workspace.',
    title: 'Members',
    you: '(you)',
    never: 'Never',
    passkeys: (count: number) => counted(count, 'passkey'),
    roleOf: (email: string) => `Role of ${email}`,
    columns: { email: 'Member', role: 'Role', seen: 'Last active', actions: 'Actions' },
    remove: {
      action: 'Remove',
      title: (email: string) => `Remove ${email}?`,
      text: 'They are signed out immediately. Their submissions stay.',
      keep: 'Keep these API keys and CI systems',
      keepHint: 'The others are revoked, with the keys that they made. You answer for those that you keep.',
      key: (label: string) => `API key “${label}”`,
      federation: (label: string) => `CI system “${label}”`,
      end: 'End these shares and requests',
      endHint: 'The others stay as they are.',
      share: (label: string) => `Share of “${label}”`,
      request: (title: string) => `Request “${title}”`,
      invitations: (emails: string) => `Open invitations for ${emails} are revoked.`,
      yourself:
        'This is your own account. You are signed out immediately and need a new invitation to return.',
    },
    invite: {
      title: 'Invite a member',
      email: 'Email address',
      role: 'Role',
      action: 'Create invitation link',
      made: (email: string) => `Invitation link for ${email}`,
      madeText:
        'Send this link through a channel you trust. It is shown only once, can be used once, and expires after 7 days.',
      what: 'invitation link',
    },
    open: {
      title: 'Pending invitations',
      none: 'No pending invitations.',
      revoke: 'Revoke',
      columns: { email: 'Email', role: 'Role', by: 'Invited by', until: 'Expires', actions: 'Actions' },
    },
  },
}

import { counted } from '../../../readable.ts'

/** Getting in, and what one may do there. */
export const access = {
  roles: {
    names: { owner: 'Owner', member: 'Member', viewer: 'Viewer' },
    explained:
      'A viewer reads. A member also sends evidence. An owner also manages API keys, members and the workspace.',
    needs: (permission: 'read' | 'submit' | 'keys' | 'members' | 'settings', role: string) => {
      const what = {
        read: 'Reading',
        submit: 'Sending evidence',
        keys: 'Managing API keys',
        members: 'Inviting and changing members',
        settings: 'Changing the workspace',
      }[permission]
      const who = permission === 'submit' ? 'a member or an owner' : 'an owner'
      return `${what} is for ${who}; you are a ${role}. Ask an owner of the workspace.`
    },
  },
  signIn: {
    title: 'Sign in',
    heading: 'Sign in to the console',
    withPasskey: 'Sign in with a passkey',
    withOidc: (name: string) => `Sign in with ${name}`,
    noAccount: 'The console is for members of a workspace. Ask its owner for a link; it works once.',
    operator: 'Whoever runs the service makes one with',
    operatorCommand: 'kitseal admin invite',
    unsupported:
      'Passkeys do not work here: they need https or localhost, and a browser that knows them. Use a link from whoever runs the service.',
    dismissed: 'No passkey was used. Try again, or use a link.',
    alreadyThere: 'This device already holds a passkey for you. Sign in with it.',
    noPasskey: 'The browser could not use a passkey here. Try another browser, or use a link.',
    oidcProblems: {
      oidc_refused: 'The sign-in was not finished. Try again.',
      oidc_email_unverified: 'Your email address is not verified there. Verify it, then try again.',
      oidc_not_a_member:
        'You are not a member of a workspace here. Ask an owner to invite that email address.',
      oidc_unavailable: 'That sign-in does not answer at the moment. Try again later, or use a passkey.',
    },
  },
  invite: {
    title: 'Invitation',
    heading: (workspace: string) => `Join “${workspace}”`,
    as: (email: string, role: string) => `As ${email}, ${role.toLowerCase()}.`,
    label: 'A name for your passkey',
    labelHint: 'To tell it from others later. You may leave it empty.',
    labelExample: 'Laptop at work',
    makePasskey: 'Make a passkey and sign in',
    without: 'Sign in once without a passkey',
    unsupported:
      'Passkeys do not work here: they need https or localhost, and a browser that knows them. You can sign in once without.',
    expires: (at: string) => `The link works once, until ${at}.`,
    invalid: 'This link does not work',
    invalidHint: 'Links work once, and not for long.',
    noToken: {
      title: 'There is nothing in this link',
      text: 'An invitation ends in # and a long word. Open the whole link, or ask for another one.',
    },
    toSignIn: 'To the sign-in',
  },
  account: {
    lead: (email: string, role: string) => `${email}, ${role.toLowerCase()} of this workspace.`,
    passkeys: {
      title: 'Passkeys',
      text: 'A passkey signs you in with what unlocks your device. Have two, on two devices, so that one can be lost.',
      none: 'You have no passkey: your session came from a link. Add one now, or you need another link next time.',
      label: 'A name for it',
      add: 'Add a passkey',
      since: (day: string, used: string | undefined) =>
        `Since ${day}, ${used === undefined ? 'not used yet' : `used ${used}`}`,
      backedUp: 'synchronised by its maker',
      remove: {
        action: 'Remove',
        title: (label: string) => `Remove “${label}”?`,
        text: 'It no longer signs you in. Sessions that it began go on until they end.',
      },
    },
    sessions: {
      title: 'Sessions',
      text: 'Where you are signed in. End what you do not know.',
      current: 'this one',
      methods: { passkey: 'passkey', link: 'link', oidc: 'single sign-on' },
      since: (method: string, at: string, seen: string) => `By ${method} on ${at}, last seen ${seen}`,
      end: 'End',
      endOthers: 'End all others',
    },
  },
  members: {
    lead: 'Who may open this console, and as what.',
    title: 'Members',
    you: '(you)',
    never: 'never',
    passkeys: (count: number) => counted(count, 'passkey'),
    roleOf: (email: string) => `Role of ${email}`,
    columns: { email: 'Member', role: 'Role', seen: 'Last seen', actions: 'Actions' },
    remove: {
      action: 'Remove',
      title: (email: string) => `Remove ${email}?`,
      text: 'Their sessions end at once. What they sent stays.',
      yourself: 'That is you: your session ends at once, and only an owner can invite you again.',
    },
    invite: {
      title: 'Invite somebody',
      email: 'Email address',
      role: 'Role',
      action: 'Make a link',
      made: (email: string) => `A link for ${email}`,
      madeText:
        'Hand it over by a way that you trust. It is shown only now, works once, and ends after 7 days.',
      what: 'the link',
    },
    open: {
      title: 'Open invitations',
      none: 'None is open.',
      revoke: 'Withdraw',
      columns: { email: 'For', role: 'Role', by: 'By', until: 'Until', actions: 'Actions' },
    },
  },
}

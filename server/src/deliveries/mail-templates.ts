/** What each kind of mail is filled with. Empty text leaves its paragraph out. `link` is a URL, or a path of this service. */
export interface MailData {
  readonly invitation: Fields<'workspace' | 'role' | 'inviter' | 'link' | 'expires'>
  readonly request: Fields<'workspace' | 'title' | 'message' | 'items' | 'due' | 'link'>
  readonly reminder: Fields<'workspace' | 'title' | 'when' | 'due' | 'open' | 'link'>
  readonly period: Fields<'workspace' | 'title' | 'when' | 'message' | 'items' | 'due' | 'link'>
  readonly result: Fields<'workspace' | 'title' | 'result' | 'advice' | 'link'>
  readonly share: Fields<'workspace' | 'title' | 'note' | 'password' | 'link' | 'expires'>
  readonly key_revocation: Fields<'workspace' | 'kid' | 'revoked' | 'since' | 'kits' | 'link'>
  readonly webhook_disabled: Fields<'workspace' | 'url' | 'since' | 'problem' | 'link'>
  readonly test: Fields<'workspace' | 'issuer' | 'link'>
  readonly access_reset: Fields<'workspace' | 'operator' | 'link' | 'expires'>
}

type Fields<T extends string> = Readonly<Record<T, string>>

export type TemplateName = keyof MailData

export interface Template {
  readonly subject: string
  /** `{name}` is replaced. A paragraph with an empty value is left out. */
  readonly before: readonly string[]
  /** The button. It leads to `link`, and is left out without one. */
  readonly action: string
  readonly after: readonly string[]
  /** Whether the mail is about evidence, and so says what the service does not judge. */
  readonly boundary: boolean
}

export const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
  invitation: {
    subject: 'Invitation to {workspace}',
    before: ['{inviter} invited you to the workspace {workspace} as {role}.'],
    action: 'Accept invitation',
    after: [
      'The link works once and expires on {expires}. Anyone who has it can use it, so do not forward this mail.',
      'If you did not expect this invitation, ignore this mail.',
    ],
    boundary: false,
  },
  request: {
    subject: '{workspace} requests evidence: {title}',
    before: ['{workspace} asks you for evidence: {title}.', '{message}', 'Items: {items}.', 'Due on {due}.'],
    action: 'Open request',
    after: [
      'You need no account. Anyone who has the link can upload for you, so forward it only to people who should.',
    ],
    boundary: true,
  },
  reminder: {
    subject: 'Reminder: {title} {when}',
    before: [
      'The evidence that {workspace} requested, {title}, {when}.',
      'Due on {due}.',
      'Open items: {open}.',
    ],
    action: 'Open request',
    after: [],
    boundary: true,
  },
  period: {
    subject: '{title} {when}',
    before: ['{title} of {workspace} {when}.', '{message}', 'Your items: {items}.', 'Due on {due}.'],
    action: 'Open period',
    after: [],
    boundary: true,
  },
  result: {
    subject: '{title}: {result}',
    before: ['{title}, for {workspace}: {result}.', '{advice}'],
    action: 'Open',
    after: [],
    boundary: true,
  },
  share: {
    subject: '{workspace} shared evidence with you: {title}',
    before: ['{workspace} shared evidence with you: {title}.', '{note}', '{password}'],
    action: 'Open share',
    after: [
      'The page checks the files in your browser. You need no account.',
      'The link was made for you, and the sender sees when it is used. It expires on {expires}. Anyone who has it can open the share.',
    ],
    boundary: true,
  },
  key_revocation: {
    subject: 'Signing key revoked: {kits} of your kits are affected',
    before: [
      'The signing key {kid} was revoked on {revoked}. It signed {kits} kits of {workspace}.',
      'Its private key may be in other hands since {since}. Kits that are shown to be older stay valid.',
      'Verifiers now report these kits as signed by a revoked key. You can re-issue them with a new key.',
    ],
    action: 'Show affected kits',
    after: [],
    boundary: true,
  },
  webhook_disabled: {
    subject: 'Webhook disabled: {url}',
    before: [
      'The webhook {url} of {workspace} failed since {since} and was disabled.',
      'Last problem: {problem}',
      'No event is lost: once the receiver works again, enable the webhook, and it continues where it stopped.',
    ],
    action: 'Open workspace',
    after: [],
    boundary: false,
  },
  test: {
    subject: 'Test mail from {issuer}',
    before: [
      'You asked for this mail as an operator of {issuer} and member of {workspace}. The service can send mail.',
    ],
    action: 'Open the page of the service',
    after: [],
    boundary: false,
  },
  access_reset: {
    subject: 'Your access to {workspace} was reset',
    before: [
      'The operator {operator} deleted your passkeys for the workspace {workspace} and ended your sessions.',
      'Open the link to sign in and to add a new passkey.',
    ],
    action: 'Sign in',
    after: [
      'The link works once and expires on {expires}. Anyone who has it can use it, so do not forward this mail.',
      'If you did not ask for this, tell an owner of the workspace. The audit log names the operator.',
    ],
    boundary: false,
  },
}

/** What an API key may do. */
export const SCOPES = ['submit', 'read', 'requests', 'shares', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  submit: 'Create submissions and upload evidence.',
  read: 'Read everything that is not a secret.',
  requests: 'Ask suppliers for evidence, and run programs.',
  shares: 'Create and revoke shares.',
  admin: 'Manage API keys, webhooks, profiles and federations; place holds, delete and re-issue.',
}

/** Keys that are created without naming scopes. */
export const DEFAULT_SCOPES: readonly Scope[] = ['submit', 'read']

/** As stored: separated by spaces. */
export const writeScopes = (scopes: readonly Scope[]): string =>
  SCOPES.filter((scope) => scopes.includes(scope)).join(' ')

export function readScopes(text: string): readonly Scope[] {
  const names = text.split(' ')
  return SCOPES.filter((scope) => names.includes(scope))
}

// docs/decisions/0423

/** What an API key may do. */
export const SCOPES = ['submit', 'read', 'requests', 'shares', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Keys that are created without naming scopes. */
export const DEFAULT_SCOPES: readonly Scope[] = ['submit', 'read']

/** As stored: separated by spaces. */
export const writeScopes = (scopes: readonly Scope[]): string =>
  SCOPES.filter((scope) => scopes.includes(scope)).join(' ')

export const readScopes = (text: string): readonly Scope[] => {
  const names = text.split(' ')
  return SCOPES.filter((scope) => names.includes(scope))
}

import type { Clock } from './runtime/clock.ts'
import type { Config } from './settings/config.ts'
import { randomIdentifiers } from './runtime/identifiers.ts'
import { openStore } from './open-store.ts'
import { consolePlace, invitationLink } from './access/console-place.ts'
import { type Invitations, invitations } from './access/invitations.ts'
import { type ApiKeys, apiKeys } from './access/api-keys.ts'
import { ensureDefaultPlan, type Plans, plans } from './access/plans.ts'
import { type Workspaces, workspaces } from './access/workspaces.ts'

/** Commands of the operator, on the store of a service that may be running. They take effect at its next request. */
export interface Administration extends AsyncDisposable {
  readonly workspaces: Workspaces
  readonly keys: ApiKeys
  readonly plans: Plans
  readonly invitations: Invitations
  /** The invitation link for a token, for the console of `issuer` or of the configured service. */
  consoleLink(token: string, issuer?: string): string
}

export async function openAdministration(config: Config, given?: Clock): Promise<Administration> {
  const store = await openStore(config, { clock: given })
  const { clock } = store
  await ensureDefaultPlan(store.db, clock)
  return {
    workspaces: workspaces({ db: store.db, clock, identifiers: randomIdentifiers(clock) }),
    keys: apiKeys(store.db, clock),
    plans: plans(store.db, clock),
    invitations: invitations({ ...store, identifiers: randomIdentifiers(clock) }),
    consoleLink: (token, issuer = config.issuer ?? `http://localhost:${config.port}`) =>
      invitationLink(consolePlace(issuer), token),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

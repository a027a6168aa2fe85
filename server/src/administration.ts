import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { randomIdentifiers } from './identifiers.ts'
import { openStore } from './open-store.ts'
import { consolePlace, invitationLink } from './console/console-place.ts'
import { type Invitations, invitations } from './console/invitations.ts'
import { type ApiKeys, apiKeys } from './workspaces/api-keys.ts'
import { ensureDefaultPlan, type Plans, plans } from './workspaces/plans.ts'
import { type Workspaces, workspaces } from './workspaces/workspaces.ts'

/** What an operator does beside a running service, on the same store: the service sees it at its next request. */
export interface Administration extends AsyncDisposable {
  readonly workspaces: Workspaces
  readonly keys: ApiKeys
  readonly plans: Plans
  /** Links into the console. */
  readonly invitations: Invitations
  /** The link for a token, at the console of `issuer`, or of the service that is set up here. */
  consoleLink(token: string, issuer?: string): string
}

export async function openAdministration(
  config: Config,
  clock: Clock = systemClock,
): Promise<Administration> {
  const store = await openStore(config, { clock })
  await ensureDefaultPlan(store.db, clock)
  return {
    workspaces: workspaces({ db: store.db, clock, identifiers: randomIdentifiers() }),
    keys: apiKeys(store.db, clock),
    plans: plans(store.db, clock),
    invitations: invitations({ db: store.db, clock, identifiers: randomIdentifiers() }),
    consoleLink: (token, issuer = config.issuer ?? `http://localhost:${config.port}`) =>
      invitationLink(consolePlace(issuer), token),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

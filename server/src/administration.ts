import type { Clock } from './runtime/clock.ts'
import type { Config } from './settings/config.ts'
import { randomIdentifiers } from './runtime/identifiers.ts'
import { openStore } from './open-store.ts'
import { consolePlace, invitationLink } from './access/console-place.ts'
import { invitations } from './access/invitations.ts'
import { apiKeys } from './access/api-keys.ts'
import { operators } from './access/operators.ts'
import { ensureDefaultPlan, plans } from './access/plans.ts'
import { workspaces } from './access/workspaces.ts'

/** Commands of the operator, on the store of a service that may be running. They take effect at its next request. */
export type Administration = Awaited<ReturnType<typeof openAdministration>>

export async function openAdministration(config: Config, given?: Clock) {
  const store = await openStore(config, { clock: given })
  const { clock } = store
  await ensureDefaultPlan(store.db, clock)
  return {
    workspaces: workspaces({ db: store.db, clock, identifiers: randomIdentifiers(clock) }),
    operators: operators(store.db, clock),
    keys: apiKeys(store.db, clock),
    plans: plans(store.db, clock),
    invitations: invitations({ ...store, identifiers: randomIdentifiers(clock) }),
    /** The invitation link for a token, for the console of `issuer` or of the configured service. */
    consoleLink: (token: string, issuer = config.issuer ?? `http://localhost:${config.port}`): string =>
      invitationLink(consolePlace(issuer), token),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

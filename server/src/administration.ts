import { consolePlace, invitationLink } from './access/console-place.ts'
import {
  createKey,
  extendKey,
  findKey,
  type KeyTerms,
  listKeys,
  revokeKey,
  rotateKey,
} from './access/api-keys.ts'
import { invite, type Invited } from './access/invitations.ts'
import { changeOperator, listOperators } from './access/operators.ts'
import { ensureDefaultPlan, plans } from './access/plans.ts'
import {
  changeWorkspace,
  confirmName,
  createWorkspace,
  findWorkspace,
  grantCredits,
  listWorkspaces,
  type NewWorkspace,
  type WorkspaceChange,
} from './access/workspaces.ts'
import type { Unit } from './database/unit.ts'
import { openStore } from './open-store.ts'
import { Refusal } from './refusals.ts'
import type { Actor } from './runtime/actor.ts'
import type { Clock } from './runtime/clock.ts'
import { type ApiKeyId, randomIdentifiers, type WorkspaceId } from './runtime/identifiers.ts'
import type { Config } from './settings/config.ts'

const withoutHash = <Key extends { readonly sha256: string }>(key: Key): Omit<Key, 'sha256'> => {
  const { sha256: _, ...shown } = key
  return shown
}

const OPERATOR: Actor = { is: 'operator' }

/** Commands of the operator, on the store of a service that may be running. They take effect at its next request. */
export type Administration = Awaited<ReturnType<typeof openAdministration>>

export async function openAdministration(config: Config, given?: Clock) {
  const store = await openStore(config, { clock: given })
  const { db, units, clock, mail } = store
  await ensureDefaultPlan(db, clock)
  const identifiers = randomIdentifiers(clock)

  const write = <T>(workspaceId: WorkspaceId, actor: Actor, work: (unit: Unit) => Promise<T>): Promise<T> =>
    units.write({ workspaceId, actor }, 'administration', work)

  /** In the workspace of the key. Undefined if there is no such active key. */
  async function ofKey<T>(keyId: ApiKeyId, actor: Actor, work: (unit: Unit) => Promise<T>) {
    const found = db.selectFrom('api_keys').select('workspace_id').where('key_id', '=', keyId)
    const key = await found.executeTakeFirst()
    try {
      return key && (await write(key.workspace_id, actor, work))
    } catch (error) {
      if (error instanceof Refusal && error.code === 'key_not_found') return undefined
      throw error
    }
  }

  return {
    workspaces: {
      list: () => listWorkspaces(db),
      find: (id: WorkspaceId) => findWorkspace(db, id),
      /** With its first API key. */
      create: ({ keyLabel: label, ...asked }: NewWorkspace & { readonly keyLabel: string }, actor: Actor) =>
        write(identifiers.workspaceId(), actor, async (unit) => {
          await createWorkspace(unit, asked)
          return { workspaceId: unit.workspaceId, key: await createKey(unit, { label }) }
        }),
      update: (id: WorkspaceId, change: WorkspaceChange, actor: Actor) =>
        write(id, actor, (unit) => changeWorkspace(unit, change).then(() => true)),
      grant: (id: WorkspaceId, credits: number, note: string | undefined, actor: Actor) =>
        write(id, actor, (unit) => grantCredits(unit, credits, note)),
      confirmName: (id: WorkspaceId, name: string) => write(id, OPERATOR, (unit) => confirmName(unit, name)),
    },
    operators: {
      add: (email: string) => changeOperator(units, email, 'operator.added'),
      remove: (email: string) => changeOperator(units, email, 'operator.removed'),
      list: () => listOperators(db),
    },
    keys: {
      list: async (workspaceId: WorkspaceId) =>
        (await units.read({ workspaceId, actor: OPERATOR }, listKeys)).map((key) => withoutHash(key)),
      find: (keyId: ApiKeyId) => ofKey(keyId, OPERATOR, (unit) => findKey(unit, keyId)),
      create: (workspaceId: WorkspaceId, terms: KeyTerms, actor: Actor) =>
        write(workspaceId, actor, (unit) => createKey(unit, terms)),
      rotate: (keyId: ApiKeyId, graceMs: number, actor: Actor) =>
        ofKey(keyId, actor, (unit) => rotateKey(unit, keyId, graceMs)),
      extend: async (keyId: ApiKeyId, livesMs: number | undefined, actor: Actor) =>
        (await ofKey(keyId, actor, (unit) => extendKey(unit, keyId, livesMs).then(() => true))) === true,
      revoke: async (keyId: ApiKeyId, actor: Actor) =>
        (await ofKey(keyId, actor, (unit) => revokeKey(unit, keyId).then(() => true))) === true,
    },
    plans: plans(db, clock),
    invitations: {
      invite: ({ workspaceId, ...invited }: Invited & { readonly workspaceId: WorkspaceId }, actor: Actor) =>
        write(workspaceId, actor, (unit) => invite(unit, { mail, clock, identifiers }, invited)),
    },
    /** The invitation link for a token, for the console of `issuer` or of the configured service. */
    consoleLink: (token: string, issuer = config.issuer ?? `http://localhost:${config.port}`): string =>
      invitationLink(consolePlace(issuer), token),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

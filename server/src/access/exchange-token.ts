// docs/decisions/0424
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { FederationsTable } from '../database/access-schema.ts'
import { transact } from '../database/transact.ts'
import { readScopes, type Scope } from '../http/scopes.ts'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import { insertApiKey } from './api-keys.ts'
import { findFederation } from './federations.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import { rejected, verifySubjectToken } from './verify-subject-token.ts'

export const TOKEN_LIFE_MS = 15 * 60_000

export interface ExchangeContext {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly keys: IssuerKeys
}

export interface ExchangedToken {
  readonly text: string
  readonly workspaceId: string
  readonly scopes: readonly Scope[]
}

/** Exchanges the token of a CI system for an API key that lives 15 minutes. A token can be exchanged once. */
export async function exchangeToken(
  ctx: ExchangeContext,
  federationId: string,
  subjectToken: string,
): Promise<ExchangedToken> {
  const federation = await findFederation(ctx.db, federationId)
  if (federation === undefined) throw rejected('There is no federation with this federation_id')
  const verified = await verifySubjectToken(subjectToken, federation, ctx)
  return transact(ctx.db, async (trx) => {
    const now = timestamp(ctx.clock.now())
    await trx.deleteFrom('exchanged_tokens').where('expires_at', '<', now).execute()
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('exchanged_tokens')
      .values({ sha256: verified.sha256, expires_at: timestamp(verified.expiresAtMs) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows !== 1n) throw rejected('It was exchanged before. Get a new one')
    const scopes = readScopes(federation.scopes)
    const terms = { label: labelOf(federation, verified.subject), scopes, livesMs: TOKEN_LIFE_MS }
    const { text } = await insertApiKey(
      trx,
      ctx.clock,
      federation.workspace_id,
      { ...terms, federationId: federation.federation_id },
      { is: 'service' },
    )
    return { text, workspaceId: federation.workspace_id, scopes }
  })
}

/** Shown in the audit log. The subject comes from outside. */
const labelOf = ({ label }: FederationsTable, subject: string): string =>
  `${label}: ${subject.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')}`.slice(0, 200)

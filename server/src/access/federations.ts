import { type Static, Type } from 'typebox'
import { column, type RowOf, type StoredRow, table } from '../database/table.ts'
import type { Unit } from '../database/unit.ts'
import { type Caller, DEFAULT_SCOPES, readScopes, writeScopes } from '../http/caller.ts'
import { bodyOf, list, member, resource } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { type Problem, problem } from '../http/validate-request.ts'
import { LABEL } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import type { FederationId } from '../runtime/identifiers.ts'
import { isIssuerUrl } from './issuer-keys.ts'
import { KEY_ACCESS, Scopes, ScopesAsked } from './api-keys.ts'
import { endOfMaker, endWhatItMade, federationDetails, limitWhatItMade, makerOf } from './makers.ts'
import { requireScopes } from './may-call.ts'

export const MAX_FEDERATIONS = 50
const BODY_LIMIT_BYTES = 16 * 1024

const ClaimRule = Type.Object(
  {
    claim: Type.String({ minLength: 1, maxLength: 200, description: 'Such as `sub` or `repository`.' }),
    equals: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    prefix: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Must end with `/`, `:` or `@`.' }),
    ),
  },
  { description: 'What a claim must be: `equals` or `prefix`. Compared exactly.' },
)

/** An issuer whose tokens a workspace accepts. */
export const federations = table('federations', {
  federation_id: column.id<FederationId>('fed'),
  workspace_id: column.owner(),
  label: column.text(LABEL).doc('One line of text. It names the tokens in the audit log.'),
  issuer: column
    .text({ minLength: 1, maxLength: 500 })
    .doc('URL of the OpenID Connect issuer, exactly as in the claim `iss`.'),
  audience: column
    .text({ minLength: 1, maxLength: 500 })
    .hint('What the claim `aud` must be or contain. Default: the issuer of this service.'),
  claims: column.json(
    Type.Array(ClaimRule, { minItems: 1, maxItems: 20, description: 'All of them must match.' }),
  ),
  /** Separated by spaces. */
  scopes: column.text(),
  created_by: column
    .text()
    .nullable()
    .doc(
      'ID of the member, API key or federation that made or extended it, or `operator` or `service`. Null if unknown.',
    ),
  created_at: column.created(),
  updated_at: column.updated(),
  expires_at: column.time().nullable().doc('When the API key that made it expires. Null if it does not.'),
})
  .index(['workspace_id'])
  .index(['created_by'], 'created_by is not null')
  .missing('federation_not_found', 'Federation not found in this workspace.')

declare module '../database/schema.ts' {
  interface Database {
    readonly federations: StoredRow<typeof federations>
  }
}

export type Federation = RowOf<typeof federations>

const FederationResource = resource(
  'Federation',
  'An issuer whose tokens the workspace accepts, if their claims match.',
  federations,
  {
    without: ['scopes'],
    and: {
      scopes: member(Scopes('Scopes of the tokens.'), ({ scopes }: Federation) => readScopes(scopes)),
    },
  },
)

const FederationRequest = bodyOf('FederationRequest', 'The body of a federation.', federations, {
  required: ['label', 'issuer', 'claims'],
  optional: ['audience'],
  and: { scopes: ScopesAsked('Scopes of the tokens. A key cannot give scopes that it does not have.') },
})
type FederationRequest = NonNullable<typeof FederationRequest.sends>

interface WithIssuer {
  issuer(): string
}

const withBody = {
  access: KEY_ACCESS,
  bodyLimit: BODY_LIMIT_BYTES,
  body: FederationRequest,
  returns: FederationResource,
  check: ({ issuer, claims }: Partial<FederationRequest>) => [
    ...(typeof issuer === 'string' && !isIssuerUrl(issuer)
      ? [problem('issuer', 'must be a URL with https, without query or fragment')]
      : []),
    ...(Array.isArray(claims) ? claimProblems(claims) : []),
  ],
}

/** Which tokens of CI systems a workspace accepts. */
export const federationRoutes = [
  route('listFederations', 'GET /v1/federation', {
    access: KEY_ACCESS,
    summary: 'List federations',
    description: 'Which tokens of CI systems the workspace accepts.',
    returns: list('FederationList', 'Newest first.', FederationResource),
    read: (reader) => reader.own(federations).orderBy('created_at', 'desc').orderBy('federation_id').all(),
  }),
  route('createFederation', 'POST /v1/federation', {
    ...withBody,
    summary: 'Create a federation',
    description:
      'The workspace accepts tokens of this issuer with these claims at `POST /v1/token`. Made by an API key, it ends with that key, unless a member saves it again. Name claims that only your own jobs have, such as the repository.',
    once: 'A retry with the same key within 24 hours returns the first response.',
    codes: ['federation_limit'],
    async handle(unit, { body, caller }, { issuer }: WithIssuer) {
      await unit.db
        .deleteFrom('federations')
        .where('workspace_id', '=', unit.workspaceId)
        .where('expires_at', '<=', unit.at)
        .execute()
      const row = await unit.insert(federations, await termsOf(unit, caller, body, issuer()))
      // The event locks the workspace, so the limit holds.
      await unit.record('federation.created', row.federation_id, detailsOf(row))
      if ((await unit.own(federations).count()) > MAX_FEDERATIONS)
        throw new Refusal(
          'federation_limit',
          `A workspace has at most ${MAX_FEDERATIONS} federations. Delete one first.`,
        )
      return row
    },
  }),
  route('getFederation', 'GET /v1/federation/:federation_id', {
    access: KEY_ACCESS,
    summary: 'Get a federation',
    description:
      'The issuer, the audience and the claims that a token must have, and the scopes that it gets.',
    returns: FederationResource,
    read: (reader, { params }) => reader.own(federations).find(params.federation_id),
  }),
  route('changeFederation', 'PUT /v1/federation/:federation_id', {
    ...withBody,
    summary: 'Change a federation',
    description:
      'The member or API key that changes a federation is its maker from then on, and it ends with its maker. Tokens that it has issued keep working until they expire.',
    async handle(unit, { params, body, caller }, { issuer }: WithIssuer) {
      const { federation_id: id } = await unit.own(federations).lock(params.federation_id)
      const row = await unit.update(federations, id, await termsOf(unit, caller, body, issuer()))
      await limitWhatItMade(unit, id, row.expires_at)
      await unit.record('federation.changed', id, detailsOf(row))
      return row
    },
  }),
  route('deleteFederation', 'DELETE /v1/federation/:federation_id', {
    access: KEY_ACCESS,
    summary: 'Delete a federation',
    description: 'Also revokes the tokens that it has issued, and the keys that these made, at once.',
    async handle(unit, { params }) {
      const row = await unit.own(federations).lock(params.federation_id)
      await unit.delete(federations, row.federation_id)
      await endWhatItMade(unit, row.federation_id)
      await unit.record('federation.deleted', row.federation_id, detailsOf(row))
    },
  }),
]

/** Who sends them is its maker. */
async function termsOf(unit: Unit, caller: Caller, body: FederationRequest, issuer: string) {
  const { audience = issuer, scopes = DEFAULT_SCOPES, ...terms } = body
  requireScopes(caller, scopes)
  const created_by = makerOf(unit.acting.actor)
  const expires_at = await endOfMaker(unit, created_by)
  return { ...terms, audience, scopes: writeScopes(scopes), created_by, expires_at }
}

const detailsOf = (row: Federation) => federationDetails({ ...row, claims: JSON.stringify(row.claims) })

/** Without a separator at its end, the prefix `repo:acme` would also match `repo:acme-evil/x`. */
const ENDS_WITH_SEPARATOR = /[/:@]$/

/** Of rules that may not be as the schema says. */
function claimProblems(rules: readonly (Static<typeof ClaimRule> | null)[]): readonly Problem[] {
  return rules.flatMap((rule, at) => {
    const { equals, prefix } = rule ?? {}
    if ((equals === undefined) === (prefix === undefined))
      return [problem(`claims[${at}]`, 'must have either equals or prefix')]
    return typeof prefix !== 'string' || ENDS_WITH_SEPARATOR.test(prefix)
      ? []
      : [problem(`claims[${at}].prefix`, 'must end with "/", ":" or "@"')]
  })
}

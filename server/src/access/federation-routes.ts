import { BOUNDARY } from '@kitseal/kit/internal'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FederationsTable } from '../database/access-schema.ts'
import { type Federation, FederationRequest } from './access-schemas.ts'
import { workspaceOf } from '../http/caller.ts'
import { requireScopes } from './may-call.ts'
import { listResponse } from '../http/page-query.ts'
import { createOnce } from '../http/idempotency.ts'
import { deleted, errors, idempotencyHeader, ref } from '../http/route-schemas.ts'
import { DEFAULT_SCOPES, readScopes } from '../http/scopes.ts'
import { problem } from '../http/schema-problems.ts'
import { type ExtraCheck, validateRequest } from '../http/validate-request.ts'
import { Refusal } from '../refusals.ts'
import { type ClaimRule, claimProblems } from './claim-rules.ts'
import {
  changeFederation,
  createFederation,
  deleteFederation,
  type FederationContext,
  type FederationTerms,
  findFederation,
  listFederations,
} from './federations.ts'
import { isIssuerUrl } from './issuer-url.ts'

const BODY_LIMIT_BYTES = 16 * 1024
type OfFederation = { Params: { readonly federation_id: string } }

const checkBody: ExtraCheck = ({ issuer, claims }) => [
  ...(typeof issuer === 'string' && !isIssuerUrl(issuer)
    ? [problem('issuer', 'must be a URL with https, without query or fragment')]
    : []),
  ...(Array.isArray(claims) ? claimProblems(claims) : []),
]

/** Which tokens of other issuers a workspace accepts. */
export function registerFederationRoutes(
  app: FastifyInstance,
  ctx: FederationContext & { issuer(): string },
): void {
  const own = async (request: FastifyRequest<OfFederation>): Promise<FederationsTable> => {
    const row = await findFederation(ctx.db, request.params.federation_id)
    if (row?.workspace_id !== workspaceOf(request.caller).workspaceId)
      throw new Refusal('federation_not_found', 'Federation not found in this workspace.')
    return row
  }
  const termsOf = (request: FastifyRequest<{ Body: FederationRequest }>): FederationTerms => {
    const { audience = ctx.issuer(), scopes = DEFAULT_SCOPES, ...body } = request.body
    requireScopes(request.caller, scopes)
    return { ...body, audience, scopes, claims: body.claims as readonly ClaimRule[] }
  }
  const withBody = {
    bodyLimit: BODY_LIMIT_BYTES,
    validatorCompiler: validateRequest({ body: checkBody, named: { FederationRequest } }),
  } as const

  app.route({
    method: 'GET',
    url: '/v1/federation',
    schema: {
      operationId: 'listFederations',
      summary: 'List federations',
      description: 'Which tokens of CI systems the workspace accepts.',
      response: { 200: ref('FederationList'), ...errors(401, 403, 429) },
    },
    handler: async (request) => {
      const rows = await listFederations(ctx.db, workspaceOf(request.caller))
      return listResponse(rows.map(shown))
    },
  })

  app.route<{ Body: FederationRequest }>({
    ...withBody,
    method: 'POST',
    url: '/v1/federation',
    schema: {
      operationId: 'createFederation',
      summary: 'Create a federation',
      description:
        'The workspace accepts tokens of this issuer with these claims at `POST /v1/token`. Made by an API key, it ends with that key, unless a member saves it again. Name claims that only your own jobs have, such as the repository.',
      headers: idempotencyHeader('A retry with the same key within 24 hours returns the first response.'),
      body: ref('FederationRequest'),
      response: { 201: ref('Federation'), ...errors(400, 401, 403, 409, 413, 415, 429) },
    },
    handler: async (request, reply) => {
      const [caller, terms] = [workspaceOf(request.caller), termsOf(request)]
      return createOnce(ctx, request, reply, async (trx) => ({
        stored: shown(await createFederation(trx, ctx, caller, terms)),
      }))
    },
  })

  app.route<OfFederation>({
    method: 'GET',
    url: '/v1/federation/:federation_id',
    schema: {
      operationId: 'getFederation',
      summary: 'Get a federation',
      description:
        'The issuer, the audience and the claims that a token must have, and the scopes that it gets.',
      response: { 200: ref('Federation'), ...errors(401, 403, 404, 429) },
    },
    handler: async (request) => shown(await own(request)),
  })

  app.route<OfFederation & { Body: FederationRequest }>({
    ...withBody,
    method: 'PUT',
    url: '/v1/federation/:federation_id',
    schema: {
      operationId: 'changeFederation',
      summary: 'Change a federation',
      description:
        'The member or API key that changes a federation is its maker from then on, and it ends with its maker. Tokens that it has issued keep working until they expire.',
      body: ref('FederationRequest'),
      response: { 200: ref('Federation'), ...errors(400, 401, 403, 404, 413, 415, 429) },
    },
    handler: async (request) => {
      const old = await own(request)
      return shown(await changeFederation(ctx, workspaceOf(request.caller), old, termsOf(request)))
    },
  })

  app.route<OfFederation>({
    method: 'DELETE',
    url: '/v1/federation/:federation_id',
    schema: {
      operationId: 'deleteFederation',
      summary: 'Delete a federation',
      description: 'Also revokes the tokens that it has issued, and the keys that these made, at once.',
      response: { ...deleted, ...errors(401, 403, 404, 429) },
    },
    handler: async (request, reply) => {
      const old = await own(request)
      await deleteFederation(ctx, workspaceOf(request.caller), old)
      return reply.code(204).send()
    },
  })
}

const shown = (row: FederationsTable): Federation => ({
  federation_id: row.federation_id,
  label: row.label,
  issuer: row.issuer,
  audience: row.audience,
  claims: JSON.parse(row.claims) as Federation['claims'],
  scopes: readScopes(row.scopes),
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
  expires_at: row.expires_at,
  boundary: BOUNDARY,
})

import type { Ask, Body, CallOptions, Query } from './call.ts'

/** Methods of the client about the workspace: API keys, federations, credits and audit log. */
export function workspaceCalls(ask: Ask) {
  return {
    /** Who the API key or session belongs to, and what it may do. */
    me: (options?: CallOptions) => ask('me', {}, options),

    /** API keys of the workspace, newest first. Needs a key with the scope `admin`, as do the next three. */
    listApiKeys: (options?: CallOptions) => ask('listApiKeys', {}, options),

    /** Creates an API key. Its secret is in the response, and nowhere else; with a `notice`, the first response got lost. */
    createApiKey: (body: Body<'createApiKey'>, options?: CallOptions) =>
      ask('createApiKey', {}, { ...options, body, idempotent: true }),

    /** Creates a key with the same label, scopes and lifetime. The old one works until the grace period ends. */
    rotateApiKey: (keyId: string, body: Body<'rotateApiKey'> = {}, options?: CallOptions) =>
      ask('rotateApiKey', { key_id: keyId }, { ...options, body }),

    /** Takes effect at once. */
    revokeApiKey: (keyId: string, options?: CallOptions) => ask('revokeApiKey', { key_id: keyId }, options),

    /** Federations: which tokens of CI systems the workspace accepts. */
    listFederations: (options?: CallOptions) => ask('listFederations', {}, options),

    createFederation: (body: Body<'createFederation'>, options?: CallOptions) =>
      ask('createFederation', {}, { ...options, body, idempotent: true }),

    getFederation: (federationId: string, options?: CallOptions) =>
      ask('getFederation', { federation_id: federationId }, options),

    changeFederation: (federationId: string, body: Body<'changeFederation'>, options?: CallOptions) =>
      ask('changeFederation', { federation_id: federationId }, { ...options, body }),

    /** Also revokes the tokens that it has issued. */
    deleteFederation: (federationId: string, options?: CallOptions) =>
      ask('deleteFederation', { federation_id: federationId }, options),

    /**
     * Exchanges the token of a CI system for an API key that lives 15 minutes: `access_token`. Until the token expires, it gives
     * another key for the one that it gave before: `key`.
     */
    exchangeToken: (
      {
        federationId,
        idToken,
        key,
      }: { readonly federationId: string; readonly idToken: string; readonly key?: string | undefined },
      options?: CallOptions,
    ) => {
      const body = {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: idToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        federation_id: federationId,
        ...(key === undefined
          ? {}
          : { actor_token: key, actor_token_type: 'urn:ietf:params:oauth:token-type:access_token' as const }),
      } as const
      return ask('exchangeToken', {}, { ...options, body })
    },

    /** The workspace's credits and one page of its ledger. */
    getCredits: (query: Query<'getCredits'> = {}, options?: CallOptions) => ask('getCredits', query, options),

    /** What needs attention. */
    getOverview: (options?: CallOptions) => ask('getOverview', {}, options),

    /** The members and API keys that the audit log names. */
    getAuditPeople: (options?: CallOptions) => ask('getAuditPeople', {}, options),

    /** One page of the workspace's audit log, newest first, or with `after` oldest first and without gaps. */
    getAuditTrail: (query: Query<'getAuditTrail'> = {}, options?: CallOptions) =>
      ask('getAuditTrail', query, options),

    /** The newest event of the audit log, with the proof that it is in the transparency log. */
    getAuditHead: (options?: CallOptions) => ask('getAuditHead', {}, options),
  }
}

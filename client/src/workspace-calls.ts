import type {
  ApiKeyList,
  ApiKeyRequest,
  AuditHead,
  AuditTrail,
  CreatedApiKey,
  CreditAccount,
  Federation,
  FederationList,
  FederationRequest,
  Me,
  Operations,
  Overview,
  PersonList,
  RotatedApiKey,
  Token,
} from './api-types.generated.ts'
import { call, type CallOptions } from './call.ts'
import type { Transport } from './transport.ts'

/** Methods of the client about the workspace: API keys, federations, credits and audit log. */
export function workspaceCalls(transport: Transport) {
  return {
    /** Who the API key or session belongs to, and what it may do. */
    me: async (options?: CallOptions): Promise<Me> => (await call(transport, 'me', {}, options)).data,

    /** API keys of the workspace, newest first. Needs a key with the scope `admin`, as do the next three. */
    listApiKeys: async (options?: CallOptions): Promise<ApiKeyList> =>
      (await call(transport, 'listApiKeys', {}, options)).data,

    /** Creates an API key. Its secret is in the response, and nowhere else. */
    createApiKey: async (body: ApiKeyRequest, options?: CallOptions): Promise<CreatedApiKey> =>
      (await call(transport, 'createApiKey', {}, { ...options, body })).data,

    /** Creates a key with the same label, scopes and lifetime. The old one works until the grace period ends. */
    rotateApiKey: async (
      keyId: string,
      body: Operations['rotateApiKey']['body'] = {},
      options?: CallOptions,
    ): Promise<RotatedApiKey> =>
      (await call(transport, 'rotateApiKey', { key_id: keyId }, { ...options, body })).data,

    /** Takes effect at once. */
    revokeApiKey: async (keyId: string, options?: CallOptions): Promise<void> => {
      await call(transport, 'revokeApiKey', { key_id: keyId }, options)
    },

    /** Federations: which tokens of CI systems the workspace accepts. */
    listFederations: async (options?: CallOptions): Promise<FederationList> =>
      (await call(transport, 'listFederations', {}, options)).data,

    createFederation: async (body: FederationRequest, options?: CallOptions): Promise<Federation> =>
      (await call(transport, 'createFederation', {}, { ...options, body })).data,

    getFederation: async (federationId: string, options?: CallOptions): Promise<Federation> =>
      (await call(transport, 'getFederation', { federation_id: federationId }, options)).data,

    changeFederation: async (
      federationId: string,
      body: FederationRequest,
      options?: CallOptions,
    ): Promise<Federation> =>
      (await call(transport, 'changeFederation', { federation_id: federationId }, { ...options, body })).data,

    /** Also revokes the tokens that it has issued. */
    deleteFederation: async (federationId: string, options?: CallOptions): Promise<void> => {
      await call(transport, 'deleteFederation', { federation_id: federationId }, options)
    },

    /** Exchanges the token of a CI system for an API key that lives 15 minutes: `access_token`. */
    exchangeToken: async (
      { federationId, idToken }: { readonly federationId: string; readonly idToken: string },
      options?: CallOptions,
    ): Promise<Token> => {
      const body = {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: idToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        federation_id: federationId,
      } as const
      return (await call(transport, 'exchangeToken', {}, { ...options, body })).data
    },

    /** The workspace's credits and one page of its ledger. */
    getCredits: async (
      query: Operations['getCredits']['query'] = {},
      options?: CallOptions,
    ): Promise<CreditAccount> => (await call(transport, 'getCredits', query, options)).data,

    /** How credits were used in the last twelve months. */

    /** What needs attention, and what was issued in the last twelve months. */
    getOverview: async (options?: CallOptions): Promise<Overview> =>
      (await call(transport, 'getOverview', {}, options)).data,

    /** The members and API keys that the audit log names. */
    getAuditPeople: async (options?: CallOptions): Promise<PersonList> =>
      (await call(transport, 'getAuditPeople', {}, options)).data,

    /** One page of the workspace's audit log, newest first, or with `after` oldest first and without gaps. */
    getAuditTrail: async (
      query: Operations['getAuditTrail']['query'] = {},
      options?: CallOptions,
    ): Promise<AuditTrail> => (await call(transport, 'getAuditTrail', query, options)).data,

    /** The newest event of the audit log, with the proof that it is in the transparency log. */
    getAuditHead: async (options?: CallOptions): Promise<AuditHead> =>
      (await call(transport, 'getAuditHead', {}, options)).data,
  }
}

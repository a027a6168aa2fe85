import type {
  ApiKey,
  ApiKeyList,
  ApiKeyRequest,
  AuditHead,
  AuditTrail,
  CreatedApiKey,
  CreditAccount,
  Operations,
  RotatedApiKey,
} from './api-types.generated.ts'
import { call, type CallOptions } from './call.ts'
import type { Transport } from './transport.ts'

/** Methods of the client about the workspace: API keys, credits and audit log. */
export function workspaceCalls(transport: Transport) {
  return {
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
    revokeApiKey: async (keyId: string, options?: CallOptions): Promise<ApiKey> =>
      (await call(transport, 'revokeApiKey', { key_id: keyId }, options)).data,

    /** The workspace's credits and one page of its ledger. */
    getCredits: async (
      query: Operations['getCredits']['query'] = {},
      options?: CallOptions,
    ): Promise<CreditAccount> => (await call(transport, 'getCredits', query, options)).data,

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

import type { Operations, Share, ShareAccessList, ShareList, ShareRequest } from './api-types.generated.ts'
import { call, type CallOptions } from './call.ts'
import type { Transport } from './transport.ts'

/** Links to kits for people without an account. */
export const shareMethods = (transport: Transport) => ({
  /** Creates a link to a kit, or to some of its files, for someone without an account. Only this response has its `url`. */
  createShare: async (body: ShareRequest, options?: CallOptions): Promise<Share> =>
    // Without an idempotency key: the stored response to a first attempt would have no link.
    (await call(transport, 'createShare', {}, { ...options, body })).data,

  /** One page of shares, newest first. */
  listShares: async (
    query: Operations['listShares']['query'] = {},
    options?: CallOptions,
  ): Promise<ShareList> => (await call(transport, 'listShares', query, options)).data,

  getShare: async (shareId: string, options?: CallOptions): Promise<Share> =>
    (await call(transport, 'getShare', { share_id: shareId }, options)).data,

  /** Who used a share, and when: one page, newest first. */
  listShareAccesses: async (
    shareId: string,
    query: Operations['listShareAccesses']['query'] = {},
    options?: CallOptions,
  ): Promise<ShareAccessList> =>
    (await call(transport, 'listShareAccesses', { share_id: shareId, ...query }, options)).data,

  /** Revokes a share: its link stops working at once. */
  revokeShare: async (shareId: string, options?: CallOptions): Promise<void> => {
    await call(transport, 'revokeShare', { share_id: shareId }, options)
  },
})

import type { Ask, Body, CallOptions, Query } from './call.ts'

/** Links to kits for people without an account. */
export const shareMethods = (ask: Ask) => ({
  /** Creates a link to a kit, or to some of its files, for someone without an account. Only this response has its `url`. */
  createShare: (body: Body<'createShare'>, options?: CallOptions) =>
    // Without an idempotency key: the stored response to a first attempt would have no link.
    ask('createShare', {}, { ...options, body }),

  /** One page of shares, newest first. */
  listShares: (query: Query<'listShares'> = {}, options?: CallOptions) => ask('listShares', query, options),

  getShare: (shareId: string, options?: CallOptions) => ask('getShare', { share_id: shareId }, options),

  /** Who used a share, and when: one page, newest first. */
  listShareAccesses: (shareId: string, query: Query<'listShareAccesses'> = {}, options?: CallOptions) =>
    ask('listShareAccesses', { share_id: shareId, ...query }, options),

  /** Changes expiry, password or download limit. */
  changeShare: (shareId: string, body: Body<'changeShare'>, options?: CallOptions) =>
    ask('changeShare', { share_id: shareId }, { ...options, body }),

  /** A new link for one recipient, or for anyone. The former one stops working. */
  createShareLink: (shareId: string, body: Body<'createShareLink'>, options?: CallOptions) =>
    ask('createShareLink', { share_id: shareId }, { ...options, body }),

  /** Revokes the link of one recipient, or the one for anyone. */
  revokeShareLink: (shareId: string, query: Query<'revokeShareLink'> = {}, options?: CallOptions) =>
    ask('revokeShareLink', { share_id: shareId, ...query }, options),

  /** Revokes a share: its link stops working at once. */
  revokeShare: (shareId: string, options?: CallOptions) => ask('revokeShare', { share_id: shareId }, options),
})

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

  /** Opens a room: several kits behind one link per reviewer. Only this response has its links. */
  createRoom: (body: Body<'createRoom'>, options?: CallOptions) =>
    ask('createRoom', {}, { ...options, body }),

  /** One page of rooms, newest first. */
  listRooms: (query: Query<'listRooms'> = {}, options?: CallOptions) => ask('listRooms', query, options),

  getRoom: (roomId: string, options?: CallOptions) => ask('getRoom', { room_id: roomId }, options),

  /** Who used a room, and when: one page, newest first. */
  listRoomAccesses: (roomId: string, query: Query<'listRoomAccesses'> = {}, options?: CallOptions) =>
    ask('listRoomAccesses', { room_id: roomId, ...query }, options),

  /** Changes expiry, password or download limit. */
  changeRoom: (roomId: string, body: Body<'changeRoom'>, options?: CallOptions) =>
    ask('changeRoom', { room_id: roomId }, { ...options, body }),

  /** A new link for one reviewer, or for anyone. The former one stops working. */
  createRoomLink: (roomId: string, body: Body<'createRoomLink'>, options?: CallOptions) =>
    ask('createRoomLink', { room_id: roomId }, { ...options, body }),

  /** Revokes the link of one reviewer, or the one for anyone. */
  revokeRoomLink: (roomId: string, query: Query<'revokeRoomLink'> = {}, options?: CallOptions) =>
    ask('revokeRoomLink', { room_id: roomId, ...query }, options),

  /** Revokes a room: its links stop working at once. */
  revokeRoom: (roomId: string, options?: CallOptions) => ask('revokeRoom', { room_id: roomId }, options),

  /** Comments and questions in a room: one page, newest first. */
  listRoomComments: (roomId: string, query: Query<'listRoomComments'> = {}, options?: CallOptions) =>
    ask('listRoomComments', { room_id: roomId, ...query }, options),

  /** Comments in a room. With `reply_to`, answers. */
  commentInRoom: (roomId: string, body: Body<'commentInRoom'>, options?: CallOptions) =>
    ask('commentInRoom', { room_id: roomId }, { ...options, body }),

  /** Resolves a question, or opens it again. */
  changeRoomComment: (
    roomId: string,
    commentId: string,
    body: Body<'changeRoomComment'>,
    options?: CallOptions,
  ) => ask('changeRoomComment', { room_id: roomId, comment_id: commentId }, { ...options, body }),

  /** Erases text and author of a comment. */
  eraseRoomComment: (roomId: string, commentId: string, options?: CallOptions) =>
    ask('eraseRoomComment', { room_id: roomId, comment_id: commentId }, options),

  /** What reviewers say that they have reviewed: one page, newest first. */
  listRoomReviews: (roomId: string, query: Query<'listRoomReviews'> = {}, options?: CallOptions) =>
    ask('listRoomReviews', { room_id: roomId, ...query }, options),
})

import type { Ask, Body, CallOptions, Query } from './call.ts'

/** The methods of the client for requests, where a supplier is asked for evidence. */
export function requestMethods(ask: Ask) {
  return {
    /** Asks a supplier for evidence, item by item. `link` of the result is for the supplier, and shown once. */
    createRequest: (body: Body<'createRequest'>, options?: CallOptions) =>
      ask('createRequest', {}, { ...options, body, idempotent: true }),

    /** One page of requests, newest first. */
    listRequests: (query: Query<'listRequests'> = {}, options?: CallOptions) =>
      ask('listRequests', query, options),

    getRequest: (evidenceRequestId: string, options?: CallOptions) =>
      ask('getRequest', { evidence_request_id: evidenceRequestId }, options),

    /** Changes title, message, due date or recipients. */
    changeRequest: (evidenceRequestId: string, body: Body<'changeRequest'>, options?: CallOptions) =>
      ask('changeRequest', { evidence_request_id: evidenceRequestId }, { ...options, body }),

    /** Asks for the same items again, with nothing received. */
    copyRequest: (evidenceRequestId: string, body: Body<'copyRequest'> = {}, options?: CallOptions) =>
      ask('copyRequest', { evidence_request_id: evidenceRequestId }, { ...options, body, idempotent: true }),

    /** A new link for the supplier. Earlier ones keep working, unless it replaces them. */
    createRequestLink: (
      evidenceRequestId: string,
      body: Body<'createRequestLink'> = {},
      options?: CallOptions,
    ) => ask('createRequestLink', { evidence_request_id: evidenceRequestId }, { ...options, body }),

    /** Every link that was created so far stops working. */
    revokeRequestLinks: (evidenceRequestId: string, options?: CallOptions) =>
      ask('revokeRequestLinks', { evidence_request_id: evidenceRequestId }, options),

    /** Mails a reminder to each recipient. Fails with `mail_off` if the service sends no mail. */
    remindSupplier: (evidenceRequestId: string, options?: CallOptions) =>
      ask('remindSupplier', { evidence_request_id: evidenceRequestId }, { ...options, body: {} }),

    /** Reviews an item, takes the review back, or comments on it. */
    reviewItem: (
      evidenceRequestId: string,
      itemId: string,
      body: Body<'reviewItem'>,
      options?: CallOptions,
    ) => ask('reviewItem', { evidence_request_id: evidenceRequestId, item_id: itemId }, { ...options, body }),

    /** Accepts every item with files to review. */
    acceptRequest: (evidenceRequestId: string, options?: CallOptions) =>
      ask('acceptRequest', { evidence_request_id: evidenceRequestId }, { ...options, body: {} }),

    /** The supplier can still read the request, and change nothing. */
    closeRequest: (evidenceRequestId: string, options?: CallOptions) =>
      ask('closeRequest', { evidence_request_id: evidenceRequestId }, { ...options, body: {} }),
  }
}

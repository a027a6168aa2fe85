import type {
  EvidenceRequest,
  EvidenceRequestList,
  NewRequest,
  Operations,
  RequestLink,
} from './api-types.generated.ts'
import { call, type CallOptions } from './call.ts'
import type { Transport } from './transport.ts'

/** The methods of the client for requests, where a supplier is asked for evidence. */
export function requestMethods(transport: Transport) {
  return {
    /** Asks a supplier for evidence, item by item. `link` of the result is for the supplier, and shown once. */
    createRequest: async (body: NewRequest, options?: CallOptions): Promise<EvidenceRequest> =>
      (await call(transport, 'createRequest', {}, { ...options, body, idempotent: true })).data,

    /** One page of requests, newest first. */
    listRequests: async (
      query: Operations['listRequests']['query'] = {},
      options?: CallOptions,
    ): Promise<EvidenceRequestList> => (await call(transport, 'listRequests', query, options)).data,

    getRequest: async (evidenceRequestId: string, options?: CallOptions): Promise<EvidenceRequest> =>
      (await call(transport, 'getRequest', { evidence_request_id: evidenceRequestId }, options)).data,

    /** Changes title, message, due date, repetition or recipients. */
    changeRequest: async (
      evidenceRequestId: string,
      body: Operations['changeRequest']['body'],
      options?: CallOptions,
    ): Promise<EvidenceRequest> =>
      (
        await call(
          transport,
          'changeRequest',
          { evidence_request_id: evidenceRequestId },
          { ...options, body },
        )
      ).data,

    /** Asks for the same items again, with nothing received. */
    copyRequest: async (
      evidenceRequestId: string,
      body: Operations['copyRequest']['body'] = {},
      options?: CallOptions,
    ): Promise<EvidenceRequest> => {
      const params = { evidence_request_id: evidenceRequestId }
      return (await call(transport, 'copyRequest', params, { ...options, body, idempotent: true })).data
    },

    /** A new link for the supplier. Earlier ones keep working. */
    createRequestLink: async (evidenceRequestId: string, options?: CallOptions): Promise<RequestLink> =>
      (
        await call(
          transport,
          'createRequestLink',
          { evidence_request_id: evidenceRequestId },
          { ...options, body: {} },
        )
      ).data,

    /** Every link that was created so far stops working. */
    revokeRequestLinks: async (evidenceRequestId: string, options?: CallOptions): Promise<void> => {
      await call(transport, 'revokeRequestLinks', { evidence_request_id: evidenceRequestId }, options)
    },

    /** Reminds the supplier, by mail if the service sends mail. The link in the result is new. */
    remindSupplier: async (evidenceRequestId: string, options?: CallOptions): Promise<RequestLink> =>
      (
        await call(
          transport,
          'remindSupplier',
          { evidence_request_id: evidenceRequestId },
          { ...options, body: {} },
        )
      ).data,

    /** Accepts an item, reopens it, or comments on it. */
    reviewItem: async (
      evidenceRequestId: string,
      itemId: string,
      body: Operations['reviewItem']['body'],
      options?: CallOptions,
    ): Promise<EvidenceRequest> => {
      const params = { evidence_request_id: evidenceRequestId, item_id: itemId }
      return (await call(transport, 'reviewItem', params, { ...options, body })).data
    },

    /** Accepts every item. */
    acceptRequest: async (evidenceRequestId: string, options?: CallOptions): Promise<EvidenceRequest> =>
      (
        await call(
          transport,
          'acceptRequest',
          { evidence_request_id: evidenceRequestId },
          { ...options, body: {} },
        )
      ).data,

    /** The supplier can still read the request, and change nothing. */
    closeRequest: async (evidenceRequestId: string, options?: CallOptions): Promise<EvidenceRequest> =>
      (
        await call(
          transport,
          'closeRequest',
          { evidence_request_id: evidenceRequestId },
          { ...options, body: {} },
        )
      ).data,
  }
}

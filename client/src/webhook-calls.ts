import type {
  Operations,
  Webhook,
  WebhookAttempt,
  WebhookAttemptList,
  WebhookList,
  WebhookRequest,
  WebhookUpdate,
} from './api-types.generated.ts'
import { call, type CallOptions } from './call.ts'
import type { Transport } from './transport.ts'

/** The calls for webhooks. They need an API key with the scope `admin`. */
export function webhookCalls(transport: Transport) {
  return {
    /** Sends events to a URL. Only this result has the `secret`. */
    createWebhook: async (body: WebhookRequest, options?: CallOptions): Promise<Webhook> =>
      (await call(transport, 'createWebhook', {}, { ...options, body })).data,

    listWebhooks: async (options?: CallOptions): Promise<WebhookList> =>
      (await call(transport, 'listWebhooks', {}, options)).data,

    getWebhook: async (webhookId: string, options?: CallOptions): Promise<Webhook> =>
      (await call(transport, 'getWebhook', { webhook_id: webhookId }, options)).data,

    /** Changes URL, types or description, or enables and disables a webhook. */
    changeWebhook: async (webhookId: string, body: WebhookUpdate, options?: CallOptions): Promise<Webhook> =>
      (await call(transport, 'changeWebhook', { webhook_id: webhookId }, { ...options, body })).data,

    deleteWebhook: async (webhookId: string, options?: CallOptions): Promise<void> => {
      await call(transport, 'deleteWebhook', { webhook_id: webhookId }, options)
    },

    /** Replaces the secret. During the grace period both sign. Only this result has the new `secret`. */
    rotateWebhookSecret: async (
      webhookId: string,
      body: Operations['rotateWebhookSecret']['body'] = {},
      options?: CallOptions,
    ): Promise<Webhook> =>
      (await call(transport, 'rotateWebhookSecret', { webhook_id: webhookId }, { ...options, body })).data,

    /** Sends all events after a `seq` again. */
    replayWebhook: async (webhookId: string, after: number, options?: CallOptions): Promise<Webhook> => {
      const params = { webhook_id: webhookId }
      return (await call(transport, 'replayWebhook', params, { ...options, body: { after } })).data
    },

    /** Sends a test event and returns the result. */
    pingWebhook: async (webhookId: string, options?: CallOptions): Promise<WebhookAttempt> =>
      (await call(transport, 'pingWebhook', { webhook_id: webhookId }, options)).data,

    /** One page of the delivery log, newest first. */
    listWebhookAttempts: async (
      webhookId: string,
      query: Operations['listWebhookAttempts']['query'] = {},
      options?: CallOptions,
    ): Promise<WebhookAttemptList> =>
      (await call(transport, 'listWebhookAttempts', { webhook_id: webhookId, ...query }, options)).data,
  }
}

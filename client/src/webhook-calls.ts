import type { Ask, Body, CallOptions, Query } from './call.ts'

/** The calls for webhooks. They need an API key with the scope `admin`. */
export function webhookCalls(ask: Ask) {
  return {
    /** Sends events to a URL. Only this result has the `secret`; with a `notice`, the first response got lost. */
    createWebhook: (body: Body<'createWebhook'>, options?: CallOptions) =>
      ask('createWebhook', {}, { ...options, body, idempotent: true }),

    listWebhooks: (options?: CallOptions) => ask('listWebhooks', {}, options),

    getWebhook: (webhookId: string, options?: CallOptions) =>
      ask('getWebhook', { webhook_id: webhookId }, options),

    /** Changes URL, types or description, or enables and disables a webhook. */
    changeWebhook: (webhookId: string, body: Body<'changeWebhook'>, options?: CallOptions) =>
      ask('changeWebhook', { webhook_id: webhookId }, { ...options, body }),

    deleteWebhook: (webhookId: string, options?: CallOptions) =>
      ask('deleteWebhook', { webhook_id: webhookId }, options),

    /** Replaces the secret. During the grace period both sign. Only this result has the new `secret`. */
    rotateWebhookSecret: (webhookId: string, body: Body<'rotateWebhookSecret'> = {}, options?: CallOptions) =>
      ask('rotateWebhookSecret', { webhook_id: webhookId }, { ...options, body }),

    /** Sends all events after a `seq` again. */
    replayWebhook: (webhookId: string, after: number, options?: CallOptions) =>
      ask('replayWebhook', { webhook_id: webhookId }, { ...options, body: { after } }),

    /** Sends a test event and returns the result. */
    pingWebhook: (webhookId: string, options?: CallOptions) =>
      ask('pingWebhook', { webhook_id: webhookId }, options),

    /** One page of the delivery log, newest first. */
    listWebhookAttempts: (
      webhookId: string,
      query: Query<'listWebhookAttempts'> = {},
      options?: CallOptions,
    ) => ask('listWebhookAttempts', { webhook_id: webhookId, ...query }, options),
  }
}

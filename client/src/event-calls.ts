import type { EventList, Operations } from './api-types.generated.ts'
import { call, type CallOptions } from './call.ts'
import type { Transport } from './transport.ts'

export type WorkspaceEvent = EventList['events'][number]

export interface EventsOptions extends CallOptions {
  /** Starts after this `seq`; by default with the first event. */
  readonly after?: number | undefined
  /** Waits for more events instead of ending after the newest. */
  readonly follow?: boolean | undefined
}

const PAGE = 1000
const POLL_EVERY_MS = 1000

/** The calls for events. */
export function eventCalls(transport: Transport) {
  const listEvents = async (
    query: Operations['listEvents']['query'] = {},
    options?: CallOptions,
  ): Promise<EventList> => (await call(transport, 'listEvents', query, options)).data

  async function* events({ after = 0, follow = false, signal }: EventsOptions = {}): AsyncGenerator<
    WorkspaceEvent,
    void
  > {
    for (let last = after; ;) {
      const page = await listEvents({ after: last, limit: PAGE }, { signal })
      yield* page.events
      last = page.last_seq
      if (page.events.length > 0) continue
      if (!follow) return
      await transport.platform.wait(POLL_EVERY_MS, signal)
    }
  }

  return {
    /** One page of events, oldest first and without gaps. */
    listEvents,

    /** All events after `after`, oldest first and without gaps. With `follow`, it waits for more until `signal` is aborted. */
    events,
  }
}

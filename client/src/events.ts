import type { Event, EventData, EventList } from './api-types.generated.ts'
import { caller, type CallOptions, endpoint, type Query } from './call.ts'
import { readStream } from './multipart.ts'
import { send, type Transport } from './transport.ts'

/** An event by its type: check `type`, and `data` is what this type has. Ignore types that you do not know. */
export type WorkspaceEvent = { readonly [Type in keyof EventData]: EventOf<Type> }[keyof EventData]
export type EventOf<Type extends keyof EventData> = Omit<Event, 'type' | 'data'> & {
  readonly type: Type
  readonly data: EventData[Type]
}

export type EventPage = Omit<EventList, 'data'> & { readonly data: readonly WorkspaceEvent[] }

export interface EventsOptions extends CallOptions {
  /** Starts after this `seq`; by default with the first event. */
  readonly after?: number | undefined
  /** Waits for more events instead of ending after the newest. */
  readonly follow?: boolean | undefined
}

const PAGE = 1000
const POLL_EVERY_MS = 1000

/** The methods for events. */
export function eventMethods(transport: Transport) {
  const ask = caller(transport)
  const listEvents = (query: Query<'listEvents'> = {}, options?: CallOptions) =>
    ask('listEvents', query, options) as Promise<EventPage>
  return {
    /** One page of events, oldest first and without gaps. */
    listEvents,

    /** All events after `after`, oldest first and without gaps. With `follow`, it waits for more until `signal` is aborted. */
    events: async function* (options: EventsOptions = {}): AsyncGenerator<WorkspaceEvent, void> {
      const { after = 0, follow = false, signal } = options
      for (let last = after; ;) {
        const page = await listEvents({ after: last, limit: PAGE }, { signal })
        yield* page.data
        last = page.last_seq
        if (page.next_cursor !== null) continue
        if (!follow) return
        await transport.platform.wait(POLL_EVERY_MS, signal)
      }
    },

    /**
     * Events as they happen, until the service ends the stream. By default from now on. Reconnect with the last `seq` as `after`.
     * Resolves once the stream is open.
     */
    streamEvents: async (
      query: Query<'streamEvents'> = {},
      options: CallOptions = {},
    ): Promise<AsyncIterable<WorkspaceEvent>> => {
      const headers = { accept: 'text/event-stream', ...options.headers }
      const request = { ...endpoint('streamEvents', query), ...options, headers }
      const { body } = await send(transport, request)
      return eventsIn(body ?? new Blob([]).stream())
    },
  }
}

/** Server-sent events: blocks of lines, with JSON in `data`. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<WorkspaceEvent, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of readStream(body)) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data !== undefined) yield JSON.parse(data) as WorkspaceEvent
    }
  }
}

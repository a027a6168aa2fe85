import { createConsoleClient, IN_BACKGROUND } from '@kitseal/client/console'

/** This service, with the session of the member. Queries retry on their own. */
export const api = createConsoleClient({ baseUrl: location.origin, retry: { attempts: 1 } })

/** For a request that does not count as user activity. */
export const QUIETLY = { headers: IN_BACKGROUND } as const

/** For a request that must not take effect twice, however often it is sent. */
export const once = (key: string) => ({ headers: { 'idempotency-key': key } }) as const

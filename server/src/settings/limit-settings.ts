import { LIMITS } from './limits.ts'
import type { Setting } from './setting.ts'

/** How much a node takes on, and for how long. */
export const LIMIT_SETTINGS = [
  {
    name: 'KITSEAL_LEASE_SECONDS',
    fallback: '30',
    takes: '2 to 3600',
    meaning: 'Seconds until the job of an unresponsive worker is taken over by another.',
  },
  {
    name: 'KITSEAL_MAX_ATTEMPTS',
    fallback: '5',
    takes: '1 to 100',
    meaning: 'Attempts before a job fails.',
  },
  {
    name: 'KITSEAL_MAX_QUEUE',
    fallback: '10000',
    takes: '1 to 10000000',
    meaning: 'Jobs that may wait before new ones are rejected with 503.',
  },
  {
    name: 'KITSEAL_MAX_IN_FLIGHT',
    fallback: String(LIMITS.inFlight.value),
    takes: '1 to 100000',
    meaning: 'Concurrent requests before more are rejected with 503.',
  },
  {
    name: 'KITSEAL_MAX_IN_FLIGHT_PER_ADDRESS',
    fallback: undefined,
    fallbackText: LIMITS.inFlightPerAddress.fallback,
    takes: '1 to 100000',
    meaning: 'Concurrent requests of one address before more are rejected with 429.',
  },
  {
    name: 'KITSEAL_MIN_FREE_BYTES',
    fallback: undefined,
    fallbackText: LIMITS.freeSpace.fallback,
    takes: '0 to 999999999999999',
    meaning: 'Free space kept on local disks. Below it, uploads are rejected with 507.',
  },
  {
    name: 'KITSEAL_REQUEST_TIMEOUT_SECONDS',
    fallback: '30',
    takes: '1 to 3600',
    meaning: 'Seconds for a request to arrive. For uploads: seconds without any data.',
  },
  {
    name: 'KITSEAL_STOP_TIMEOUT_SECONDS',
    fallback: '30',
    takes: '1 to 3600',
    meaning: 'Seconds that a shutdown waits for running requests and jobs.',
  },
] as const satisfies readonly Setting[]

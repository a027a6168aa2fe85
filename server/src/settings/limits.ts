import type { RefusalCode } from '../refusals.ts'

/** A limit on what strangers can cause. docs/reference/limits.md shows the table. */
export interface Limit {
  readonly what: string
  /** Undefined if `what` says it. */
  readonly per?: string
  /** As shown to people; `value` is the number that the code uses. */
  readonly fallback: string
  readonly value?: number
  /** A setting or a member of a plan; undefined if it is fixed. */
  readonly setting?: string
  /** Of the response; undefined if there is none. */
  readonly code?: RefusalCode
  /** What happens instead of a response with a code. */
  readonly effect?: string
}

export const LIMITS = {
  inFlightPerAddress: {
    what: 'requests in flight',
    per: 'address',
    fallback: 'a tenth of `KITSEAL_MAX_IN_FLIGHT`, at least 50',
    code: 'rate_limited',
  },
  inFlight: {
    what: 'requests in flight whose body has arrived',
    per: 'node',
    fallback: '1,000',
    value: 1000,
    setting: 'KITSEAL_MAX_IN_FLIGHT',
    code: 'overloaded',
  },
  connections: {
    what: 'open connections, without a trusted proxy',
    per: 'address',
    fallback: '4 times the requests in flight',
    value: 4,
  },
  slowBody: {
    what: 'a body slower than 1 KB a second over 30 s',
    fallback: 'cut',
    value: 1000,
    code: 'request_timeout',
  },
  kitUploads: {
    what: 'kits being uploaded to `POST /v1/verify/kit`',
    per: 'node',
    fallback: '20, half for one address',
    value: 20,
    code: 'overloaded',
  },
  kitChecks: {
    what: 'kits being verified by `POST /v1/verify/kit`',
    per: 'node',
    fallback: '4, half for one address',
    value: 4,
  },
  openIntake: {
    what: 'jobs created without an API key',
    per: 'address and day',
    fallback: '200, and 5,000 in all',
    code: 'rate_limited',
  },
  openIntakeKits: {
    what: 'age of a kit created without an API key',
    fallback: '7 days',
    setting: 'KITSEAL_OPEN_INTAKE_TTL_DAYS',
    code: 'kit_expired',
  },
  linkStorage: {
    what: 'bytes stored through a request',
    per: 'link',
    fallback: 'twice the upload limit of the plan',
    value: 2,
    setting: 'upload_limit_bytes',
    code: 'storage_limit_reached',
  },
  workspaceStorage: {
    what: 'bytes uploaded to submissions that are not deleted or expired',
    per: 'workspace',
    fallback: 'none',
    setting: 'storage_limit_bytes',
    code: 'storage_limit_reached',
  },
  mails: {
    what: 'mails to people who are not members',
    per: 'workspace and day',
    fallback: '500',
    value: 500,
    setting: 'mails_per_day',
    effect: 'the mail is `failed`',
  },
  mailsToRecipient: {
    what: 'mails to one person who is not a member',
    per: 'workspace and day',
    fallback: '5',
    value: 5,
    effect: 'the mail is `failed`',
  },
  corrections: {
    what: 'rounds that a supplier starts before the last one is sent back',
    per: 'request and day',
    fallback: '10',
    value: 10,
    code: 'rate_limited',
  },
  freeSpace: {
    what: 'free space that uploads leave',
    per: 'disk',
    fallback: 'the smaller of 1 GiB and 5 %',
    value: 0.05,
    setting: 'KITSEAL_MIN_FREE_BYTES',
    code: 'storage_full',
  },
} as const satisfies Record<string, Limit>

/** What nobody has to set. docs/reference/limits.md shows the table. */
const FIXED = {
  leaseSeconds: {
    value: 30,
    what: 'seconds until the task of a node that does not respond is taken over by another',
  },
  maxAttempts: { value: 5, what: 'attempts before a job fails' },
  maxQueue: { value: 10_000, what: 'jobs that may wait before new ones get 503 `overloaded`' },
  requestTimeoutSeconds: {
    value: 30,
    what: 'seconds for a request to arrive; for uploads, without any data',
  },
  stopTimeoutSeconds: { value: 30, what: 'seconds that a shutdown waits for requests and jobs' },
  databaseConnections: { value: 10, what: 'PostgreSQL connections for requests, per node' },
  proofWaitMs: {
    value: 2000,
    what: 'milliseconds that a kit waits for witnesses and time-stamps, unless `KITSEAL_PROOF` requires them',
  },
  checkpointIntervalMs: {
    value: 1000,
    what: 'milliseconds between checkpoints that witnesses and time-stamp authorities are asked for',
  },
  scrubBytesPerSecond: { value: 2_097_152, what: 'bytes a second that the background scrub reads' },
  orphanGraceHours: {
    value: 24,
    what: 'hours until an object that was stored and never accepted is deleted',
  },
  inFlightPerAddress: { value: 50, what: 'requests in flight that one address may have at least' },
  openIntakeJobs: {
    value: { perAddress: 200, inAll: 5000 },
    what: 'jobs a day without an API key, by one address and in all',
  },
} as const

export const FIXED_LIMITS: Readonly<
  Record<string, { readonly value: number | object; readonly what: string }>
> = FIXED

type Widened<T> = T extends number ? number : { readonly [N in keyof T]: number }
/** Tests pass others. */
export type Constants = { readonly [N in keyof typeof FIXED]: Widened<(typeof FIXED)[N]['value']> }

export const CONSTANTS: Constants = Object.fromEntries(
  Object.entries(FIXED).map(([name, { value }]) => [name, value]),
) as unknown as Constants

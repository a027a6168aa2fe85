import { randomBytes } from 'node:crypto'
import {
  type Certificate,
  parseTimeStamp,
  TIME_STAMP_LIMIT_BYTES,
  type TimeStamp,
  TimeStampFormatError,
  utf8,
  verifyTimeStamp,
  parseCertificates,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { nonceHex, timeStampRequest } from './time-stamp-request.ts'
import { type SignedHead, CLOCK_TOLERANCE_MS, describeReply, postLimited } from './ask-witness.ts'
import { readFileSync } from 'node:fs'
import type { ProofConfig } from '../settings/config.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/logger.ts'

/** The time-stamp authorities that the operator chose. Can be sent to another thread. */
export interface TimeStampAuthorities {
  /** Tried in this order. */
  readonly urls: readonly string[]
  /** Undefined if the operator gave none: then anyone could have answered. */
  readonly roots: readonly Certificate[] | undefined
}

export type AuthorityAnswer =
  /** The whole response, as it goes into kits. */
  | { readonly is: 'stamped'; readonly timeStamp: Uint8Array }
  | { readonly is: 'failed'; readonly problem: string }

export interface AuthorityOptions {
  readonly roots: TimeStampAuthorities['roots']
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly signal: AbortSignal
}

const HEADERS = { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' }

/** Asks an authority to stamp the text of a checkpoint (RFC 3161). Never throws for what the authority does. */
export async function askAuthority(
  url: string,
  { note, committedAt }: SignedHead,
  { roots, now, signal }: AuthorityOptions,
): Promise<AuthorityAnswer> {
  const text = utf8(note.text)
  const nonce = randomBytes(16)
  const body = Uint8Array.from(timeStampRequest(nodeHost.digest(text), nonce))
  const reply = await postLimited(url, { body, headers: HEADERS, limitBytes: TIME_STAMP_LIMIT_BYTES, signal })
  if (typeof reply === 'string') return failed(reply)
  if (reply.status !== 200) return failed(describeReply(reply, 'KITSEAL_TSA_URL'))
  const timeStamp = parse(reply.body)
  if (typeof timeStamp === 'string') return failed(timeStamp)
  if (timeStamp.nonce !== nonceHex(nonce)) return failed('its answer is to another request')
  const status = await verifyTimeStamp(timeStamp, text, roots, nodeHost)
  if (status.is === 'mismatch') return failed('its time-stamp is not for this checkpoint')
  if (status.is === 'invalid' || status.is === 'untrusted')
    return failed(`its time-stamp is ${status.is}: ${status.why}`)
  if (timeStamp.time > now() + CLOCK_TOLERANCE_MS || timeStamp.time < committedAt - CLOCK_TOLERANCE_MS)
    return failed(`its time, ${new Date(timeStamp.time).toISOString()}, is wrong. Compare the clocks.`)
  return { is: 'stamped', timeStamp: reply.body }
}

const failed = (problem: string) => ({ is: 'failed', problem }) as const

function parse(bytes: Uint8Array): TimeStamp | string {
  try {
    return parseTimeStamp(bytes)
  } catch (error) {
    if (error instanceof TimeStampFormatError) return `its answer is not a time-stamp: ${error.message}`
    throw error
  }
}

/** The file that KITSEAL_TSA_ROOTS names cannot be used. */
class TimeStampRootsError extends Error {
  override readonly name = 'TimeStampRootsError'

  constructor(file: string, problem: string) {
    super(`the certificates in ${file} (KITSEAL_TSA_ROOTS) cannot be used: ${problem}`)
  }
}

/** Undefined if none are configured. Throws TimeStampRootsError. */
export function readAuthorities({
  authorities: urls,
  authorityRoots: file,
}: Pick<ProofConfig, 'authorities' | 'authorityRoots'>): TimeStampAuthorities | undefined {
  if (urls.length === 0) return undefined
  return { urls, roots: file === undefined ? undefined : readRoots(file) }
}

function readRoots(file: string): readonly Certificate[] {
  try {
    return parseCertificates(readFileSync(file))
  } catch (error) {
    throw new TimeStampRootsError(file, (error as Error).message)
  }
}

interface TimeStampingOptions {
  readonly authorities: TimeStampAuthorities
  readonly clock: Clock
  readonly requestTimeoutMs?: number
  readonly firstRetryMs?: number
  readonly log: Log
}

/** Has checkpoints stamped, by the first authority that does. One request at a time. */
export type TimeStamping = ReturnType<typeof timeStamping>

interface Authority {
  readonly url: string
  failures: number
  /** By the monotonic clock. */
  retryAt: number
  problem: string | undefined
}

const REQUEST_TIMEOUT_MS = 5000
const FIRST_RETRY_MS = 1000
/** An authority that hangs is left out for this long, so that the next one can answer in time. */
const LAST_RETRY_MS = 60_000

export function timeStamping(options: TimeStampingOptions) {
  const { clock, log } = options
  const { urls, roots } = options.authorities
  const authorities = urls.map((url): Authority => ({ url, failures: 0, retryAt: 0, problem: undefined }))
  const stopping = new AbortController()
  let stampedSize = -1
  let running: Promise<void> | undefined

  const available = (): readonly Authority[] =>
    authorities.filter(({ retryAt }) => performance.now() >= retryAt)

  async function tryAll(head: SignedHead): Promise<Uint8Array | undefined> {
    for (const authority of available()) {
      const timeout = AbortSignal.timeout(options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS)
      const signal = AbortSignal.any([stopping.signal, timeout])
      const answer = await askAuthority(authority.url, head, { roots, now: () => clock.now(), signal })
      if (answer.is === 'stamped') {
        Object.assign(authority, { failures: 0, problem: undefined })
        return answer.timeStamp
      }
      if (stopping.signal.aborted) return undefined
      reportFailure(authority, answer.problem)
    }
    return undefined
  }

  function reportFailure(authority: Authority, problem: string): void {
    const pauseMs = (options.firstRetryMs ?? FIRST_RETRY_MS) * 2 ** authority.failures
    authority.retryAt = performance.now() + Math.min(LAST_RETRY_MS, pauseMs)
    authority.failures += 1
    if (problem !== authority.problem)
      log.warn({}, `the time-stamp authority ${authority.url} did not stamp the checkpoint: ${problem}`)
    authority.problem = problem
  }

  return {
    isDue: ({ size }: SignedHead): boolean =>
      stampedSize !== size && running === undefined && available().length > 0,
    /** The checkpoint is stamped already. */
    skip: ({ size }: SignedHead): void => void (stampedSize = size),
    /** Resolves when the checkpoint is stamped, or no authority did it. */
    stamp(head: SignedHead, onStamped: (timeStamp: Uint8Array) => void | Promise<void>): Promise<void> {
      running = tryAll(head)
        .then((timeStamp) => {
          if (timeStamp === undefined) return undefined
          stampedSize = head.size
          return onStamped(timeStamp)
        })
        .catch((error: unknown) => log.error({ err: error }, 'cannot have the checkpoint time-stamped'))
        .finally(() => (running = undefined))
      return running
    },
    async stop(): Promise<void> {
      stopping.abort()
      await running
    },
  }
}
